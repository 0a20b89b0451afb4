"""Tasks that request leave: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.people.gym import GYM
from envs.gyms.apps.people.tasks_leave_requests import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "request_leave": (
            "Ben Berger needs sick leave: first day 07.08.2026, last day 10.08.2026 (a half "
            "day). Enter the request."
        ),
        "leave_too_long": (
            "Oscar Ruiz wants to be on vacation from 14.09.2026 to 13.10.2026. Enter it, or "
            "say that the portal does not accept it."
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
