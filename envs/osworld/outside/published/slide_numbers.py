"""OSWorld's metrics of the colour of slide numbers."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import PP_PLACEHOLDER

from envs.osworld.outside.published.error_policy import broken_scores_0, get_rule, require_one_of
from envs.osworld.outside.published.safe_xml import parse_xml
from envs.osworld.outside.published.slide_styles import RGB, A, SlideStyles

COLORS = ("red", "green", "blue")
APART = 50
"""By how much the part that gives a colour its name exceeds the others; black is all below it."""
RED = (255, 0, 0)


@broken_scores_0
def check_page_number_colors(result: Path, expected: Mapping[str, str]) -> float:
    """1 when the slide numbers are shown in some shade of `color`: red, green, blue or black. Where
    no slide shows its number, by what the masters say."""
    name = require_one_of(get_rule(expected, "color", str), (*COLORS, "black"), "color")
    colors = list(_number_colors(result)) or list(_of_masters(result))
    return float(bool(colors) and all(_is(color, name) for color in colors))


def check_page_number_colors_compat(result: Path, expected: Mapping[str, str]) -> float:
    """Looks at the last but one colour in the first master, and at its digits from the second on.
    Raises KeyError or IndexError without one, ValueError for a short one."""
    with zipfile.ZipFile(result) as archive:
        master = parse_xml(archive.read("ppt/slideMasters/slideMaster1.xml"))
    digits = master.findall(f".//{A}solidFill//{A}srgbClr")[-2].get("val")
    if digits is None:
        return 0.0
    name = expected["color"]
    if name not in (*COLORS, "black"):
        return 1.0
    return float(_is((int(digits[1:3], 16), int(digits[3:5], 16), int(digits[5:7], 16)), name))


@broken_scores_0
def check_slide_numbers_color(result: Path) -> float:
    """1 when slides show their numbers and these are red."""
    colors = list(_number_colors(result))
    return float(bool(colors) and all(color == RED for color in colors))


def check_slide_numbers_color_compat(result: Path) -> float:
    """1 when some shape says a number and the first master's field of numbers is red. Raises
    AttributeError where that has no colour of its own."""
    presentation: Any = Presentation(str(result))
    shapes = (shape for slide in presentation.slides for shape in slide.shapes)
    if not any(hasattr(shape, "text") and shape.text.isdigit() for shape in shapes):
        return 0.0
    for master in presentation.slide_masters:
        for placeholder in master.placeholders:
            if placeholder.has_text_frame and placeholder.text == "<number>":
                return float(placeholder.text_frame.paragraphs[0].font.color.rgb == RGBColor(*RED))
    return 0.0


def _number_colors(path: Path) -> Iterator[RGB]:
    """Of each slide that shows its number. One without a colour of its own has the master's: not
    only that of the master's placeholder, as LibreOffice colours the number in it."""
    presentation: Any = Presentation(str(path))
    for slide in presentation.slides:
        styles = SlideStyles(slide)
        for shape, paragraph, number in _numbers(slide):
            own = number.find(f"{A}rPr/{A}solidFill")
            masters = _colors(slide.slide_layout.slide_master) if own is None else []
            yield masters[0] if masters else styles.color(shape, paragraph, number)


def _of_masters(path: Path) -> Iterator[RGB]:
    presentation: Any = Presentation(str(path))
    for master in presentation.slide_masters:
        yield from _colors(master)


def _colors(slide: Any) -> list[RGB]:
    styles = SlideStyles(slide)
    return [styles.color(*number) for number in _numbers(slide)]


def _numbers(slide: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Shape, paragraph and run or field of each number."""
    for shape in slide.placeholders:
        if shape.placeholder_format.type == PP_PLACEHOLDER.SLIDE_NUMBER:
            for paragraph in shape.text_frame.paragraphs:
                for text in paragraph._p.iter(f"{A}fld", f"{A}r"):
                    if text.findtext(f"{A}t", "").strip():
                        yield shape, paragraph._p, text


def _is(color: RGB, name: str) -> bool:
    if name == "black":
        return max(color) < APART
    part = color[COLORS.index(name)]
    others = (
        other for other, name_of_part in zip(color, COLORS, strict=True) if name_of_part != name
    )
    return all(part > other + APART for other in others)
