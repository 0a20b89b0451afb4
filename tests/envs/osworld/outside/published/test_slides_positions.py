"""Positions of shapes, by the options that ask for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx.util import Emu, Inches

from envs.osworld.outside.compat.slides_compare import compare_pptx_files_compat
from envs.osworld.outside.published.slides_compare import compare_pptx_files
from tests.envs.osworld.outside.published.made_slides import presentation

Write = Callable[[Any], object]
Make = Callable[..., Path]


@pytest.fixture
def made(tmp_path: Path) -> Make:
    def make(name: str, *writes: Write) -> Path:
        def write(presented: Any) -> None:
            for write_part in writes:
                write_part(presented)

        return presentation(tmp_path / f"{name}.pptx", write)

    return make


def scores(result: Path, expected: Path, **options: Any) -> tuple[float, float]:
    """Ours, OSWorld's."""
    return (
        compare_pptx_files(result, expected, **options),
        compare_pptx_files_compat(result, expected, **options),
    )


def placed(left: int, top: int, text: str = "A") -> Write:
    def write(made: Any) -> None:
        shape = made.slides[0].shapes.title
        shape.text_frame.text = text
        shape.left, shape.top, shape.width, shape.height = map(Emu, (left, top, 3000000, 1000000))

    return write


def test_places_agree_within_the_tolerance(made: Make) -> None:
    """OSWorld's tolerance is nothing near 0, where a rounded place is another one."""
    gold = made("gold", placed(0, 1000000))
    assert scores(made("near", placed(0, 1004000)), gold) == (1, 1)
    near = made("near", placed(0, 1004000))
    assert scores(near, gold, approximately_tolerance=0.001) == (0, 0)
    assert scores(made("rounded", placed(360, 1000000)), gold) == (1, 0)


@pytest.mark.parametrize(("top", "score"), [(1000000, 0), (2000000, 0), (5000000, 1)])
def test_the_title_goes_to_the_bottom(top: int, score: float, made: Make) -> None:
    start = made("start", placed(0, 1000000, "Product Comparison"))
    options = {"examine_shape": False, "examine_title_bottom_position": True}
    assert scores(made("moved", placed(0, top, "Product Comparison")), start, **options) == (
        score,
        score,
    )


@pytest.mark.parametrize(
    ("option", "place", "score"),
    [
        ("examine_right_position", (6000000, 2500000), 1),
        ("examine_right_position", (3000000, 2500000), 0),
        ("examine_top_position", (2000000, 0), 1),
        ("examine_top_position", (2000000, 2400000), 0),
    ],
)
def test_a_picture_goes_to_its_side(
    option: str, place: tuple[int, int], score: float, made: Make, tmp_path: Path
) -> None:
    Image.new("RGB", (8, 8), "red").save(tmp_path / "red.png")

    def at(left: int, top: int) -> Write:
        def write(made: Any) -> None:
            path = str(tmp_path / "red.png")
            made.slides[1].shapes.add_picture(path, left, top, Inches(2), Inches(2))

        return write

    options = {"examine_shape": False, option: True}
    start = made("start", at(2000000, 2500000))
    assert scores(made("moved", at(*place)), start, **options) == (score, score)
