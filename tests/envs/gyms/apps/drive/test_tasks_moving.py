"""Tasks that move or copy: a file to a folder, a file, a description."""

from __future__ import annotations

from envs.gyms.apps.drive.gym import GYM
from envs.gyms.apps.drive.tasks_moving import TEMPLATES
from tests.envs.gyms.apps.task_checks import check_verdicts, instructions_of


def test_instructions_of_a_seed() -> None:
    assert instructions_of(GYM, TEMPLATES, seed=1) == {
        "move_file": (
            'The file "Offer Vertex Media draft" belongs in My Drive / Clients / Delta Textiles. '
            "Put it there."
        ),
        "drag_file": (
            'Open the folder My Drive / Projects / Comet and drag "Roadmap Comet draft" onto its '
            "folder Reviews."
        ),
        "copy_file": (
            'Make a copy of "Specification Borealis draft v2", call it "Specification Borealis '
            'draft v2 signed" and put it in My Drive / Projects / Aurora.'
        ),
        "describe_alike": (
            'Give the file "Forecast 2026 budgets - copy" the same description as "Old contract '
            '2022 draft" has.'
        ),
    }


def test_the_expected_end_is_a_success() -> None:
    check_verdicts(GYM, TEMPLATES, seed=1)
