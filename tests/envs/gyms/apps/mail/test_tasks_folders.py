"""Tasks on Trash and on whole folders: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.mail.gym import GYM
from envs.gyms.apps.mail.tasks_folders import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "empty_trash": "Empty Trash in Willowby Mail.",
        "delete_for_good": (
            "“Security training first version” by Paula Silva must not stay in Trash: delete it "
            "for good, and only that."
        ),
        "delete_folder": "Delete the folder Contracts; its messages may go to Archive.",
        "delete_used_folder": (
            "Delete the folder Offers. If mail does not allow it, change nothing and say that it "
            "cannot be done."
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
