"""Metrics of the colour of slide numbers."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest
from pptx.dml.color import RGBColor

from envs.osworld.outside.published.error_policy import BadRules
from envs.osworld.outside.published.slide_numbers import (
    check_page_number_colors,
    check_page_number_colors_compat,
    check_slide_numbers_color,
    check_slide_numbers_color_compat,
)
from tests.envs.osworld.outside.published.made_slides import (
    number_color,
    presentation,
    show_numbers,
)


def numbered(folder: Path, color: str) -> Path:
    def write(made: Any) -> None:
        show_numbers(made)
        number_color(made, color)

    return presentation(folder / f"{color}.pptx", write)


@pytest.mark.parametrize(
    ("color", "name", "score"),
    [("FF0000", "red", 1), ("C9211E", "red", 1), ("0000FF", "red", 0), ("0000FF", "blue", 1),
     ("00A933", "green", 1), ("202020", "black", 1), ("FFFF00", "red", 0)],
)  # fmt: skip
def test_numbers_have_the_masters_colour(
    color: str, name: str, score: float, tmp_path: Path
) -> None:
    assert check_page_number_colors(numbered(tmp_path, color), {"color": name}) == score


def test_the_colour_of_numbers_is_not_any_colour(tmp_path: Path) -> None:
    """OSWorld's takes the last but one in the master, and reads its digits from the second on."""
    blue = numbered(tmp_path, "0000FF")
    with pytest.raises(IndexError):
        check_page_number_colors_compat(blue, {"color": "blue"})
    with pytest.raises(BadRules, match="mauve"):
        check_page_number_colors(blue, {"color": "mauve"})


def test_a_number_of_its_own_colour_has_that(tmp_path: Path) -> None:
    def write(made: Any) -> None:
        show_numbers(made)
        number_color(made, "FF0000")
        for slide in made.slides:
            paragraph = slide.placeholders[12].text_frame.paragraphs[0]
            paragraph.text = "1"
            paragraph.runs[0].font.color.rgb = RGBColor(0, 0, 255)

    path = presentation(tmp_path / "own.pptx", write)
    assert check_page_number_colors(path, {"color": "blue"}) == 1
    assert check_slide_numbers_color(path) == 0


def test_shown_numbers_are_red(tmp_path: Path) -> None:
    """OSWorld's looks for LibreOffice's text of the field, and at any shape that says a number."""
    red = numbered(tmp_path, "FF0000")
    assert check_slide_numbers_color(red) == 1
    assert check_slide_numbers_color_compat(red) == 0
    assert check_slide_numbers_color(presentation(tmp_path / "none.pptx")) == 0


def test_a_broken_master_is_a_broken_file(tmp_path: Path) -> None:
    source, target = numbered(tmp_path, "FF0000"), tmp_path / "torn.pptx"
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            torn = name == "ppt/slideMasters/slideMaster1.xml"
            new.writestr(name, b"<torn" if torn else old.read(name))
    assert check_page_number_colors(target, {"color": "red"}) == 0
