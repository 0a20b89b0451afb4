"""Tasks that look files up by size, day, owner and kind: star the right one, or answer."""

from __future__ import annotations

from envs.gyms.apps.drive.gym import GYM
from envs.gyms.apps.drive.tasks_comparisons import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "star_larger": (
            'Star the larger one of the files "Sketch Borealis old" and "Sketch Borealis", not '
            "the other."
        ),
        "star_newer": (
            'Star whichever of "Roadmap Aurora draft" and "Roadmap Aurora v2" was modified last.'
        ),
        "largest_file": (
            "What is the name of the largest file of the kind Image that Maria Lang owns?"
        ),
        "count_files": (
            "Count the files outside of the trash that are of the kind Sheet and owned by Oscar "
            "Lopez."
        ),
        "storage_used": (
            "How many KB do the files of the kind Slides take up that you own at Willowby (without"
            " the trash)? Answer with the number."
        ),
        "modified_on": 'When was "Offer Raven Partners v2" modified last? Answer with the date.',
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
