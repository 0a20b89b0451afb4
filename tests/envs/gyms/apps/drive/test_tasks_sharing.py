"""Tasks on who may see a file: shares, roles, link access, ownership."""

from __future__ import annotations

from envs.gyms.apps.drive.gym import GYM
from envs.gyms.apps.drive.tasks_sharing import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "share_file": (
            'Emil Falk needs the file "Holiday plan March hiring". Share it with the role '
            "Commenter."
        ),
        "change_role": (
            'Maria Lang is Commenter of "Risk list Borealis review - copy". Make it Editor.'
        ),
        "stop_sharing": (
            'Daniel Novak should no longer have access to "Letter long draft". Take it away.'
        ),
        "link_until": (
            'Let everybody with the link open "Logo Summer website final" (Edit) until 20.08.2026.'
        ),
        "transfer_file": 'Make Zoe Larsen the owner of the file "Minutes 2019".',
        "transfer_refused": ('Transfer the ownership of the file "Inventory 2020" to Rosa Martin.'),
        "share_alike": (
            'Share "Inventory 2020 - copy" with the two people who have access to "Press kit '
            'Summer website" besides its owner, each with the role they have there.'
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
