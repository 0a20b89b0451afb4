"""Tasks that decide on leave: approve, reject, cancel."""

from __future__ import annotations

from envs.gyms.apps.people.gym import GYM
from envs.gyms.apps.people.tasks_leave import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "approve_leave": "Approve the sick leave of Jan Gruber from 10.08.2026 to 15.08.2026.",
        "reject_leave": (
            "Reject the sick leave of Marc Stein from 10.06.2026 to 10.06.2026. Reason: "
            "Stock-taking week"
        ),
        "cancel_leave": (
            "Marta Jansen will work after all: cancel the vacation that begins on 02.09.2026."
        ),
        "approve_vacation": (
            "Oscar Lopez in Marketing may go on vacation: approve every vacation request of "
            "Oscar Lopez that is still pending, nothing else, and nothing of Oscar Ruiz."
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
