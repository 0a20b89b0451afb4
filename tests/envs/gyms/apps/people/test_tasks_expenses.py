"""Tasks on expense reports: write one, send one back that lacks a receipt."""

from __future__ import annotations

from envs.gyms.apps.people.gym import GYM
from envs.gyms.apps.people.tasks_expenses import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "new_report": (
            "Make an expense report for Oscar Lopez, purpose Trade fair, with two lines: Travel "
            "on 16.04.2026, 324,50 €, with receipt; Meals on 15.04.2026, 268,80 €, with receipt. "
            "Submit it."
        ),
        "send_back": (
            "One of the two submitted expense reports of Rosa Martin lacks a receipt that it "
            'needs. Send it back with the reason "Please attach the receipt".'
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
