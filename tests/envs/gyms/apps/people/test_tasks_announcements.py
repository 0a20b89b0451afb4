"""Tasks on announcements: publish one, delete one."""

from __future__ import annotations

from envs.gyms.apps.people.gym import GYM
from envs.gyms.apps.people.tasks_announcements import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "announce": (
            'Publish a pinned announcement for Support, title "Fire drill on Friday", text "Ask '
            'the front desk.", shown until 16.05.2026.'
        ),
        "delete_announcement": (
            '"New canteen menu on Wednesday" is off: delete this announcement.'
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
