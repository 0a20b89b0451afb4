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
from pptx.enum.dml import MSO_FILL_TYPE
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.enum.text import PP_ALIGN

from envs.verify.osworld.safe_xml import parse_xml
from envs.verify.osworld.slide_styles import A
from envs.verify.osworld.slides_options import Examined
from envs.verify.osworld.slides_places import has_text, rightly_placed
from envs.verify.registry import compat

Bullets = list[tuple[str, str | None, str]]


@compat
def compare_pptx_files_compat(result: Path, expected: Path, **options: Any) -> float:
    """Raises what python-pptx raises for a file that is no presentation."""
    found: Any = Presentation(str(result))
    wanted: Any = Presentation(str(expected))
    asked = Examined.known(options)
    if len(found.slides) != len(wanted.slides) and asked.examine_number_of_slides:
        return 0.0
    pairs = enumerate(zip(found.slides, wanted.slides, strict=False), 1)
    return float(all(_Pair(asked, number, *pair).alike() for number, pair in pairs))


class _Pair:
    def __init__(self, asked: Examined, number: int, one: Any, other: Any) -> None:
        self._asked, self._number, self._one, self._other = asked, number, one, other

    def alike(self) -> bool:
        one, other, asked = self._one, self._other, self._asked
        backgrounds = background(one), background(other)
        if backgrounds[0] != backgrounds[1] and asked.examine_background_color:
            return False
        notes = [slide.notes_slide.notes_text_frame.text.strip() for slide in (one, other)]
        if notes[0] != notes[1] and asked.examine_note:
            return False
        if len(one.shapes) != len(other.shapes):
            return False
        pairs = zip(one.shapes, other.shapes, strict=True)
        return all(self._shapes_alike(*pair) for pair in pairs) and self._frames_alike()

    def _near(self, one: Any, other: Any) -> bool:
        """Raises TypeError where a placeholder has no place."""
        if one == other:
            return True
        if one == 0 or other == 0:
            return False
        apart = abs(one - other) / max(abs(one), abs(other))
        return bool(apart <= self._asked.approximately_tolerance)

    def _shapes_alike(self, one: Any, other: Any) -> bool:
        if not rightly_placed(self._asked, self._number, one, other, self._near):
            return False
        if one.shape_type == MSO_SHAPE_TYPE.TABLE and not self._tables_alike(
            one.table, other.table
        ):
            return False
        return not (has_text(one) and has_text(other)) or self._texts_alike(one, other)

    def _tables_alike(self, one: Any, other: Any) -> bool:
        if (len(one.rows), len(one.columns)) != (len(other.rows), len(other.columns)):
            return False
        places = [(r, c) for r in range(len(one.rows)) for c in range(len(one.columns))]
        return all(self._cells_alike(one.cell(*place), other.cell(*place)) for place in places)

    def _cells_alike(self, one: Any, other: Any) -> bool:
        """Bold, italic and underline count whatever the options say."""
        paragraphs = one.text_frame.paragraphs, other.text_frame.paragraphs
        if len(paragraphs[0]) != len(paragraphs[1]):
            return False
        for a, b in zip(*paragraphs, strict=True):
            if len(a.runs) != len(b.runs):
                return False
            for first, second in zip(a.runs, b.runs, strict=True):
                if self._asked.examine_color_rgb and not _colors_alike(first.font, second.font):
                    return False
                if bool(first.font.bold) != bool(second.font.bold):
                    return False
                if bool(first.font.italic) != bool(second.font.italic):
                    return False
                if not _underlines_alike(first.font, second.font):
                    return False
        return True

    def _texts_alike(self, one: Any, other: Any) -> bool:
        if self._asked.examine_text and one.text.strip() != other.text.strip():
            return False
        paragraphs = one.text_frame.paragraphs, other.text_frame.paragraphs
        return len(paragraphs[0]) == len(paragraphs[1]) and all(
            self._paragraphs_alike(a, b) for a, b in zip(*paragraphs, strict=True)
        )

    def _paragraphs_alike(self, one: Any, other: Any) -> bool:
        asked = self._asked
        if asked.examine_alignment and _alignment(one) != _alignment(other):
            return False
        if asked.examine_text and one.text != other.text:
            return False
        if asked.examine_indent and one.level != other.level:
            return False
        return len(one.runs) == len(other.runs) and all(
            self._runs_alike(a, b) for a, b in zip(one.runs, other.runs, strict=True)
        )

    def _runs_alike(self, one: Any, other: Any) -> bool:
        asked, a, b = self._asked, one.font, other.font
        strikes = [font._element.attrib.get("strike", "noStrike") for font in (a, b)]
        return (
            (not asked.examine_font_name or a.name == b.name)
            and (not asked.examine_font_size or a.size == b.size)
            and (not asked.examine_font_bold or bool(a.bold) == bool(b.bold))
            and (not asked.examine_font_italic or bool(a.italic) == bool(b.italic))
            and (not asked.examine_color_rgb or _colors_alike(a, b))
            and (not asked.examine_font_underline or _underlines_alike(a, b))
            and (not asked.examine_strike_through or strikes[0] == strikes[1])
            and (not asked.examine_bullets or self._bullets_alike)
        )

    @cached_property
    def _bullets_alike(self) -> bool:
        try:
            return _bullets(self._one) == _bullets(self._other)
        except TypeError:
            return True

    def _frames_alike(self) -> bool:
        frames = list(_frames(self._one.shapes)), list(_frames(self._other.shapes))
        if len(frames[0]) != len(frames[1]):
            return False
        if not self._asked.examine_alignment:
            return True
        return all(self._outlines_alike(a, b) for a, b in zip(*frames, strict=True))

    def _outlines_alike(self, one: Any, other: Any) -> bool:
        if self._asked.examine_text and one.text.strip() != other.text.strip():
            return False
        return list(map(_alignment, one.text_frame.paragraphs)) == list(
            map(_alignment, other.text_frame.paragraphs)
        )


def background(slide: Any) -> Any:
    """The slide's own plain colour, else its master's; None for anything else. Raises
    AttributeError for a colour of the theme."""
    fill = slide.background.fill
    if fill.type == MSO_FILL_TYPE.BACKGROUND:
        fill = slide.slide_layout.slide_master.background.fill
    return fill.fore_color.rgb if fill.type == MSO_FILL_TYPE.SOLID else None


def _colors_alike(one: Any, other: Any) -> bool:
    if not (hasattr(one.color, "rgb") and hasattr(other.color, "rgb")):
        return True
    return bool(one.color.rgb == other.color.rgb)


def _underlines_alike(one: Any, other: Any) -> bool:
    """A line of another kind than the plain one is like none."""
    kinds = one.underline, other.underline
    if None in kinds:
        return True not in kinds
    return bool(kinds[0] == kinds[1])


def _alignment(paragraph: Any) -> Any:
    found = paragraph.alignment
    return PP_ALIGN.LEFT if found is None else found


def _bullets(slide: Any) -> Bullets:
    """(level, character, text) of each paragraph with text. Raises TypeError at an empty run."""
    found: Bullets = []
    for paragraph in parse_xml(slide.part.blob).iter(f"{A}p"):
        given = paragraph.find(f"{A}pPr")
        mark = given.find(f"{A}buChar") if given is not None else None
        level = given.get("lvl", "0") if given is not None else "none"
        text = "".join(one.text for one in paragraph.iter(f"{A}t"))
        if text.strip():
            found.append((level, mark.get("char") if mark is not None else "none", text))
    return found


def _frames(shapes: Any) -> Iterator[Any]:
    for shape in shapes:
        if has_text(shape) and hasattr(shape, "text_frame"):
            yield shape
        yield from _frames(getattr(shape, "shapes", ()))
