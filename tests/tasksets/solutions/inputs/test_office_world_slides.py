"""Made presentations: the metric tells each expected one from its start."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.osworld.outside.published.office_world import simple_pptx_compare
from tasksets.solutions.inputs.office_world_slides import OFFICE_WORLD_SLIDES, STEPS, people


def test_a_table_stands_on_the_slide_that_was_named() -> None:
    shapes = [slide.get("shapes", []) for slide in people(*STEPS, on=1, gone="Plan")]
    assert [any("table" in shape for shape in each) for each in shapes] == [True, False, False]
    assert "Plan" not in [shape.get("text") for shape in shapes[2]]


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("Minimalist", "Minimalist_move"),
        ("Minimalist_short", "Minimalist_short_add"),
        ("People_short_add", "People_short_mvrow"),
        ("Motion", "Motion_add"),
        ("Eduction", "Eduction_del"),
    ],
)
def test_an_expected_presentation_is_not_the_start(tmp_path: Path, start: str, end: str) -> None:
    files = []
    for name in (start, end):
        files.append(tmp_path / f"{name}.pptx")
        files[-1].write_bytes(OFFICE_WORLD_SLIDES[f"/{name}.pptx"]())
    assert simple_pptx_compare(files[1], files[1]) == 1
    assert simple_pptx_compare(files[0], files[1]) == 0
