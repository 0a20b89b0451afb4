"""Metrics of slides' formatting: right, wrong, malformed, and OSWorld's own errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.util import Inches

from envs.osworld.outside.published.error_policy import BadRules
from envs.osworld.outside.published.slide_numbers import (
    check_page_number_colors,
    check_slide_numbers_color,
)
from envs.osworld.outside.published.slides_formatting import (
    check_image_stretch_and_center,
    check_image_stretch_and_center_compat,
    check_left_panel,
    check_slide_orientation_Portrait,
    check_strikethrough,
    check_strikethrough_compat,
    check_transition,
    check_transition_compat,
    evaluate_presentation_fill_to_rgb_distance,
    evaluate_presentation_fill_to_rgb_distance_compat,
)
from tests.envs.osworld.outside.published.made_slides import (
    presentation,
    transition,
)

BLUE = {"rgb": [0, 0, 255], "original_rgb": [255, 255, 255]}
DISSOLVE = {"slide_idx": 0, "transition_type": "dissolve"}
STRUCK = {"slide_index_s": [0], "shape_index_s": [1], "paragraph_index_s": [0]}
PANEL = '<desktop-frame><document-frame name="{}"/></desktop-frame>'


def test_what_is_no_presentation_scores_nothing(tmp_path: Path) -> None:
    path = tmp_path / "broken.pptx"
    path.write_bytes(b"PK no slides")
    assert check_slide_orientation_Portrait(path) == 0
    assert check_image_stretch_and_center(path, path) == 0
    assert check_strikethrough(path, STRUCK) == 0
    assert evaluate_presentation_fill_to_rgb_distance(path, BLUE) == 0
    assert check_transition(path, DISSOLVE) == 0
    assert check_page_number_colors(path, {"color": "red"}) == 0
    assert check_slide_numbers_color(path) == 0
    assert check_left_panel("<desktop-frame>") == 0


def test_slides_are_upright_when_higher_than_wide(tmp_path: Path) -> None:
    def turn(made: Any) -> None:
        made.slide_width, made.slide_height = made.slide_height, made.slide_width

    assert check_slide_orientation_Portrait(presentation(tmp_path / "up.pptx", turn)) == 1
    assert check_slide_orientation_Portrait(presentation(tmp_path / "flat.pptx")) == 0


def test_a_picture_fills_the_page(tmp_path: Path) -> None:
    """Of several copies OSWorld's looks at the last."""
    picture = tmp_path / "red.png"
    Image.new("RGB", (4, 3), "red").save(picture)

    def placed(*places: tuple[float, ...]) -> Path:
        def write(made: Any) -> None:
            for place in places:
                made.slides[0].shapes.add_picture(str(picture), *map(Inches, place))

        return presentation(tmp_path / f"{places}.pptx", write)

    original, full = placed((1, 1, 4, 3)), placed((0, 0, 10, 7.5))
    assert check_image_stretch_and_center(full, original) == 1
    assert check_image_stretch_and_center(original, original) == 0
    assert check_image_stretch_and_center(placed((0.6, 0, 10, 7.5)), original) == 0
    both = placed((0, 0, 10, 7.5), (1, 1, 4, 3))
    assert check_image_stretch_and_center(both, original) == 1
    assert check_image_stretch_and_center_compat(both, original) == 0


def test_text_is_struck_through_or_not(tmp_path: Path) -> None:
    """OSWorld's takes "noStrike" for a stroke."""

    def struck(how: str | None) -> Path:
        def write(made: Any) -> None:
            if how is not None:
                run = made.slides[0].placeholders[1].text_frame.paragraphs[0].runs[0]
                run.font._element.set("strike", how)

        return presentation(tmp_path / f"{how}.pptx", write)

    assert check_strikethrough(struck("sngStrike"), STRUCK) == 1
    assert check_strikethrough(struck(None), STRUCK) == 0
    assert check_strikethrough(struck("noStrike"), STRUCK) == 0
    assert check_strikethrough_compat(struck("noStrike"), STRUCK) == 1
    with pytest.raises(BadRules, match="slide_index_s"):
        check_strikethrough(struck(None), {})


def test_backgrounds_score_by_their_distance(tmp_path: Path) -> None:
    """OSWorld's knows neither layouts nor colours of the theme."""

    def behind(name: str, paint: Callable[[Any], object], where: str = "slide") -> Path:
        def write(made: Any) -> None:
            for slide in made.slides:
                fill = (slide if where == "slide" else slide.slide_layout).background.fill
                fill.solid()
                paint(fill.fore_color)

        return presentation(tmp_path / f"{name} {where}.pptx", write)

    def colored(color: str) -> Callable[[Any], object]:
        return lambda fore_color: setattr(fore_color, "rgb", RGBColor.from_string(color))

    score = evaluate_presentation_fill_to_rgb_distance
    assert score(behind("blue", colored("0000FF")), BLUE) == 1
    assert score(behind("yellow", colored("FFFF00")), BLUE) == 0
    assert score(behind("white", colored("FFFFFF")), BLUE) == 0
    assert score(behind("half", colored("000000")), BLUE) == pytest.approx(1 - 3**-0.5)
    layout = behind("blue", colored("0000FF"), "layout")
    assert score(layout, BLUE) == 1
    assert evaluate_presentation_fill_to_rgb_distance_compat(layout, BLUE) == 0

    def accent(fore_color: Any) -> None:
        fore_color.theme_color = MSO_THEME_COLOR.ACCENT_1

    theme = behind("accent", accent)
    # The default template's first accent is 4F81BD.
    assert score(theme, {"rgb": [0x4F, 0x81, 0xBD]}) == 1
    assert evaluate_presentation_fill_to_rgb_distance_compat(theme, BLUE) == 0


def test_slides_come_in_by_their_order(tmp_path: Path) -> None:
    """OSWorld's numbers them by the names of their files."""
    right = presentation(tmp_path / "1.pptx", lambda made: transition(made.slides[0], "dissolve"))
    assert check_transition(right, DISSOLVE) == 1
    assert check_transition(right, {**DISSOLVE, "transition_type": "fade"}) == 0
    assert check_transition(right, {**DISSOLVE, "slide_idx": 5}) == 0

    def swap_slides(made: Any) -> None:
        transition(made.slides[1], "dissolve")
        made.slides._sldIdLst.insert(0, made.slides._sldIdLst[1])

    moved = presentation(tmp_path / "2.pptx", swap_slides)
    assert (check_transition(moved, DISSOLVE), check_transition_compat(moved, DISSOLVE)) == (1, 0)
    with pytest.raises(BadRules, match="transition_type"):
        check_transition(right, {"slide_idx": 0})


def test_the_panel_of_slides_is_seen() -> None:
    assert check_left_panel(PANEL.format("Slides View")) == 1
    assert check_left_panel(PANEL.format("Notes View")) == 0
