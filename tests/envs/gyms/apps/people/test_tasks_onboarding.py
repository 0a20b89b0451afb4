"""Tasks on newcomers' check lists: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.people.gym import GYM
from envs.gyms.apps.people.tasks_onboarding import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "tick_tasks": (
            'In the onboarding list of Sara Gruber, "Order the laptop" and "Meet the manager" '
            "are done. Tick them off."
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
