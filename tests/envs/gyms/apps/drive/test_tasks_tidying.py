"""Tasks that tidy up: create a folder, collect files in it, keep the newest of similar files."""

from __future__ import annotations

from envs.gyms.apps.drive.gym import GYM
from envs.gyms.apps.drive.tasks_tidying import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "new_folder": 'Create the folder "Shortlist" in My Drive / Projects.',
        "collect_files": (
            'Make a folder "For the auditors" inside of My Drive / Clients / Falcon Retail and '
            'move three files into it: "Roadmap Comet draft", "Offer Delta Textiles final" and '
            '"Pitch Harbor Tools v2".'
        ),
        "keep_newest": (
            'Of "Roadmap Borealis", "Roadmap Borealis draft" and "Roadmap Borealis - copy" keep '
            "only the file that was modified last. Move the other two to the trash."
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
