"""Tasks on the trash: throw away, restore, delete for good."""

from __future__ import annotations

from envs.gyms.apps.drive.gym import GYM
from envs.gyms.apps.drive.tasks_trash import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "trash_file": 'Move the file "Offer Delta Textiles final" to the trash.',
        "trash_largest": "Move the largest file that you own in Willowby Drive to the trash.",
        "restore_file": (
            'Take the file "Tax filing 2024 audits old" out of the trash and put it in the '
            "folder My Drive / Marketing / Website."
        ),
        "delete_file": (
            'Delete the file "Specification Borealis draft", which is in the trash, for good. '
            "Keep the rest of the trash."
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
