"""Tasks on one file: star it, rename it: the wording of a seed, and what earns success."""

from __future__ import annotations

from envs.gyms.apps.drive.gym import GYM
from envs.gyms.apps.drive.tasks_files import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "star_file": 'Star the file "Slide master long v2".',
        "rename_file": 'Rename the file "Pitch Harbor Tools" to "Pitch Harbor Tools to be filed".',
        "rename_twin": (
            'There are two files called "Kick-off notes Aurora v2". Rename the one in the '
            'folder My Drive / Templates to "Kick-off notes Aurora v2 for review".'
        ),
        "rename_refused": (
            'Rename the file "Pitch Delta Textiles" to "Pitch Delta Textiles to be filed", '
            "if your role on it allows that."
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)


def test_a_namesake_is_the_user_s_at_every_seed() -> None:
    """At this seed others owned all of them."""
    task = GYM.make_task("rename_twin", 1_010_000_186)
    files = GYM.initial_state(task)["drive"]["files"]
    file = next(file for file in files if file["id"] == task.params["file"])
    assert [other["name"] for other in files].count(file["name"]) == 2
