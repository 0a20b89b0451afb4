"""`compare_pptx_files` as OSWorld scores it, in its order, so that it fails where OSWorld's fails.

By its own properties only: a colour that only one of two runs has is not compared, nor is the text
of tables but along with bullets, nor are pictures; an empty run turns the comparison of bullets
off; a colour of the theme behind a slide raises AttributeError.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.enum.text import PP_ALIGN

from envs.osworld.outside.published.safe_xml import parse_xml
from envs.osworld.outside.published.slide_styles import A, plain_background
from envs.osworld.outside.published.slides_options import ComparedAspects
from envs.osworld.outside.published.slides_positions import has_required_position, has_text

Bullets = list[tuple[str, str | None, str]]


def compare_pptx_files_compat(result: Path, expected: Path, **options: Any) -> float:
    """Raises what python-pptx raises for a file that is no presentation."""
    actual: Any = Presentation(str(result))
    target: Any = Presentation(str(expected))
    examined = ComparedAspects.from_known(options)
    if len(actual.slides) != len(target.slides) and examined.examine_number_of_slides:
        return 0.0
    pairs = enumerate(zip(actual.slides, target.slides, strict=False), 1)
    return float(all(_Pair(examined, number, *pair).alike() for number, pair in pairs))


class _Pair:
    def __init__(
        self, examined: ComparedAspects, number: int, first_slide: Any, second_slide: Any
    ) -> None:
        self._examined, self._number, self._first, self._second = (
            examined,
            number,
            first_slide,
            second_slide,
        )

    def alike(self) -> bool:
        first, second, examined = self._first, self._second, self._examined
        backgrounds = plain_background(first), plain_background(second)
        if backgrounds[0] != backgrounds[1] and examined.examine_background_color:
            return False
        notes = [slide.notes_slide.notes_text_frame.text.strip() for slide in (first, second)]
        if notes[0] != notes[1] and examined.examine_note:
            return False
        if len(first.shapes) != len(second.shapes):
            return False
        pairs = zip(first.shapes, second.shapes, strict=True)
        return all(self._shapes_alike(*pair) for pair in pairs) and self._frames_alike()

    def _near(self, first: Any, second: Any) -> bool:
        """Raises TypeError where a placeholder has no place."""
        if first == second:
            return True
        if first == 0 or second == 0:
            return False
        apart = abs(first - second) / max(abs(first), abs(second))
        return bool(apart <= self._examined.approximately_tolerance)

    def _shapes_alike(self, first: Any, second: Any) -> bool:
        if not has_required_position(self._examined, self._number, first, second, self._near):
            return False
        if first.shape_type == MSO_SHAPE_TYPE.TABLE and not self._tables_alike(
            first.table, second.table
        ):
            return False
        return not (has_text(first) and has_text(second)) or self._texts_alike(first, second)

    def _tables_alike(self, first: Any, second: Any) -> bool:
        if (len(first.rows), len(first.columns)) != (len(second.rows), len(second.columns)):
            return False
        places = [(r, c) for r in range(len(first.rows)) for c in range(len(first.columns))]
        return all(self._cells_alike(first.cell(*place), second.cell(*place)) for place in places)

    def _cells_alike(self, first_cell: Any, second_cell: Any) -> bool:
        """Bold, italic and underline count whatever the options say."""
        paragraphs = first_cell.text_frame.paragraphs, second_cell.text_frame.paragraphs
        if len(paragraphs[0]) != len(paragraphs[1]):
            return False
        for a, b in zip(*paragraphs, strict=True):
            if len(a.runs) != len(b.runs):
                return False
            for first, second in zip(a.runs, b.runs, strict=True):
                if self._examined.examine_color_rgb and not _colors_alike(first.font, second.font):
                    return False
                if bool(first.font.bold) != bool(second.font.bold):
                    return False
                if bool(first.font.italic) != bool(second.font.italic):
                    return False
                if not _underlines_alike(first.font, second.font):
                    return False
        return True

    def _texts_alike(self, first: Any, second: Any) -> bool:
        if self._examined.examine_text and first.text.strip() != second.text.strip():
            return False
        paragraphs = first.text_frame.paragraphs, second.text_frame.paragraphs
        return len(paragraphs[0]) == len(paragraphs[1]) and all(
            self._paragraphs_alike(a, b) for a, b in zip(*paragraphs, strict=True)
        )

    def _paragraphs_alike(self, first: Any, second: Any) -> bool:
        examined = self._examined
        if examined.examine_alignment and _alignment(first) != _alignment(second):
            return False
        if examined.examine_text and first.text != second.text:
            return False
        if examined.examine_indent and first.level != second.level:
            return False
        return len(first.runs) == len(second.runs) and all(
            self._runs_alike(a, b) for a, b in zip(first.runs, second.runs, strict=True)
        )

    def _runs_alike(self, first_run: Any, second_run: Any) -> bool:
        examined, first, second = self._examined, first_run.font, second_run.font
        strikes = [font._element.attrib.get("strike", "noStrike") for font in (first, second)]
        return (
            (not examined.examine_font_name or first.name == second.name)
            and (not examined.examine_font_size or first.size == second.size)
            and (not examined.examine_font_bold or bool(first.bold) == bool(second.bold))
            and (not examined.examine_font_italic or bool(first.italic) == bool(second.italic))
            and (not examined.examine_color_rgb or _colors_alike(first, second))
            and (not examined.examine_font_underline or _underlines_alike(first, second))
            and (not examined.examine_strike_through or strikes[0] == strikes[1])
            and (not examined.examine_bullets or self._bullets_alike)
        )

    @cached_property
    def _bullets_alike(self) -> bool:
        try:
            return _bullets(self._first) == _bullets(self._second)
        except TypeError:
            return True

    def _frames_alike(self) -> bool:
        frames = list(_frames(self._first.shapes)), list(_frames(self._second.shapes))
        if len(frames[0]) != len(frames[1]):
            return False
        if not self._examined.examine_alignment:
            return True
        return all(self._outlines_alike(a, b) for a, b in zip(*frames, strict=True))

    def _outlines_alike(self, first: Any, second: Any) -> bool:
        if self._examined.examine_text and first.text.strip() != second.text.strip():
            return False
        return list(map(_alignment, first.text_frame.paragraphs)) == list(
            map(_alignment, second.text_frame.paragraphs)
        )


def _colors_alike(first: Any, second: Any) -> bool:
    if not (hasattr(first.color, "rgb") and hasattr(second.color, "rgb")):
        return True
    return bool(first.color.rgb == second.color.rgb)


def _underlines_alike(first: Any, second: Any) -> bool:
    """A line of another kind than the plain one is like none."""
    kinds = first.underline, second.underline
    if None in kinds:
        return True not in kinds
    return bool(kinds[0] == kinds[1])


def _alignment(paragraph: Any) -> Any:
    alignment = paragraph.alignment
    return PP_ALIGN.LEFT if alignment is None else alignment


def _bullets(slide: Any) -> Bullets:
    """(level, character, text) of each paragraph with text. Raises TypeError at an empty run."""
    bullets: Bullets = []
    for paragraph in parse_xml(slide.part.blob).iter(f"{A}p"):
        properties = paragraph.find(f"{A}pPr")
        mark = properties.find(f"{A}buChar") if properties is not None else None
        level = properties.get("lvl", "0") if properties is not None else "none"
        text = "".join(piece.text for piece in paragraph.iter(f"{A}t"))
        if text.strip():
            bullets.append((level, mark.get("char") if mark is not None else "none", text))
    return bullets


def _frames(shapes: Any) -> Iterator[Any]:
    for shape in shapes:
        if has_text(shape) and hasattr(shape, "text_frame"):
            yield shape
        yield from _frames(getattr(shape, "shapes", ()))
