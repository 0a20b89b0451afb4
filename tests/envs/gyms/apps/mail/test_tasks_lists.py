"""Tasks on several messages of a list: find one, or treat all that fit alike."""

from __future__ import annotations

from envs.gyms.apps.mail.gym import GYM
from envs.gyms.apps.mail.tasks_lists import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "oldest_unread": (
            "Who sent the oldest unread message in the folder Contracts? Answer as the list "
            "names them."
        ),
        "archive_newsletter": "Archive all messages in Inbox from Trade Weekly, and no others.",
        "spam": "Lucky Prize is a nuisance: all its messages in Inbox are spam. Mark them so.",
        "label_files": (
            "In Paid of Willowby Mail, every unread message that carries an attachment gets the "
            "label Later."
        ),
        "file_thread": (
            "The messages about “Trade fair open points” that are in Inbox get a new folder, "
            "Team. Create it and move them there."
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
