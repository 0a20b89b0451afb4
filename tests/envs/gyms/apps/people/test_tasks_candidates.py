"""Tasks on candidates for an opening: move one that is named, or the best one."""

from __future__ import annotations

from envs.gyms.apps.people.gym import GYM
from envs.gyms.apps.people.tasks_candidates import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "move_candidate": (
            "Opening Test Engineer, Madrid: Elena Sommer is in Rejected now. Update the board."
        ),
        "best_candidate": (
            "Among the candidates in Interview for the opening Campaign Manager, Oslo, at "
            "Willowby, move the one with the highest score to Offer."
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
