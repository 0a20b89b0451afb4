"""OSWorld's metric that compares two presentations, by its options (`slides_options`).

Guarantees: what is shown counts, not how a program wrote it: colours, bullets, alignment and
backgrounds wherever they come from, text however it is cut into runs; texts of tables and pictures
count too.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import imagehash
from PIL import Image
from pptx import Presentation

from envs.verify.osworld.broken_files import broken_scores_0
from envs.verify.osworld.slide_styles import A, P, SlideStyles
from envs.verify.osworld.slides_options import Examined
from envs.verify.osworld.slides_places import about_equal, has_text, rightly_placed
from envs.verify.registry import metric

SAME_HASH = 10
"""Of the 64 bits of two pictures' perceptual hashes, how many may differ."""


@metric
@broken_scores_0
def compare_pptx_files(result: Path, expected: Path, **options: Any) -> float:
    """1 when the presentations have all in common that the options examine. Slides that only one
    has count as `examine_number_of_slides` says."""
    asked = Examined.of(options)
    found: Any = Presentation(str(result))
    wanted: Any = Presentation(str(expected))
    if asked.examine_number_of_slides and len(found.slides) != len(wanted.slides):
        return 0.0
    pairs = enumerate(zip(found.slides, wanted.slides, strict=False), 1)
    return float(all(_Pair(asked, number, *pair).alike() for number, pair in pairs))


class _Pair:
    """A slide that is judged and the one that it should be."""

    def __init__(self, asked: Examined, number: int, one: Any, other: Any) -> None:
        self._asked, self._number, self._slides = asked, number, (one, other)
        self._styles = SlideStyles(one), SlideStyles(other)
        self._near = about_equal(asked.approximately_tolerance)

    def alike(self) -> bool:
        one, other = self._slides
        asked = self._asked
        if asked.examine_background_color and not _equal(
            *(styles.background() for styles in self._styles)
        ):
            return False
        if asked.examine_note and _notes(one) != _notes(other):
            return False
        if len(one.shapes) != len(other.shapes):
            return False
        return (
            all(self._shapes_alike(*pair) for pair in zip(one.shapes, other.shapes, strict=True))
            and self._frames_alike()
        )

    def _shapes_alike(self, one: Any, other: Any) -> bool:
        if not rightly_placed(self._asked, self._number, one, other, self._near):
            return False
        if not _same_picture(one, other):
            return False
        if one.has_table != other.has_table:
            return False
        if one.has_table:
            return _equal(*map(self._table, self._styles, (one, other)))
        if has_text(one) and has_text(other):
            return _equal(*map(self._frame, self._styles, (one, other)))
        return True

    def _frames_alike(self) -> bool:
        """Of all text, in groups too, what does not depend on runs."""
        return _equal(
            *(
                [self._outline(styles, shape) for shape in _frames(slide.shapes)]
                for styles, slide in zip(self._styles, self._slides, strict=True)
            )
        )

    def _outline(self, styles: SlideStyles, shape: Any) -> list[Any]:
        return [
            (
                paragraph.text.strip() if self._asked.examine_text else None,
                self._alignment(styles, shape, paragraph),
                self._marker(styles, shape, paragraph),
            )
            for paragraph in shape.text_frame.paragraphs
        ]

    def _frame(self, styles: SlideStyles, shape: Any) -> list[Any]:
        return [
            (
                paragraph.text if self._asked.examine_text else None,
                paragraph.level if self._asked.examine_indent else None,
                self._spans(styles, shape, paragraph, in_table=False),
            )
            for paragraph in shape.text_frame.paragraphs
        ]

    def _table(self, styles: SlideStyles, shape: Any) -> list[Any]:
        return [
            [
                [
                    self._spans(styles, None, one, in_table=True)
                    for one in cell.text_frame.paragraphs
                ]
                for cell in row.cells
            ]
            for row in shape.table.rows
        ]

    def _alignment(self, styles: SlideStyles, shape: Any, paragraph: Any) -> str | None:
        return styles.alignment(shape, paragraph._p) if self._asked.examine_alignment else None

    def _marker(self, styles: SlideStyles, shape: Any, paragraph: Any) -> str | None:
        """An empty paragraph shows none."""
        if not self._asked.examine_bullets or not paragraph.text.strip():
            return None
        return styles.marker(shape, paragraph._p)

    def _spans(
        self, styles: SlideStyles, shape: Any, paragraph: Any, *, in_table: bool
    ) -> list[Any]:
        """Text with its looks, cut only where a look changes that is examined."""
        spans: list[list[Any]] = []
        for run in paragraph.runs:
            looks = self._looks(run, in_table)
            if self._asked.examine_color_rgb:
                looks.append(styles.color(shape, paragraph._p, run._r))
            if spans and _equal(spans[-1][1], looks):
                spans[-1][0] += run.text
            elif run.text:
                spans.append([run.text, looks])
        return spans if self._asked.examine_text else [looks for _, looks in spans]

    def _looks(self, run: Any, in_table: bool) -> list[Any]:
        """In tables neither font nor size nor strike-through count."""
        asked, font = self._asked, run.font
        given = run._r.find(f"{A}rPr")
        struck = given.get("strike", "noStrike") if given is not None else "noStrike"
        return [
            font.name if asked.examine_font_name and not in_table else None,
            font.size if asked.examine_font_size and not in_table else None,
            bool(font.bold) if asked.examine_font_bold else None,
            bool(font.italic) if asked.examine_font_italic else None,
            (font.underline or False) if asked.examine_font_underline else None,
            struck if asked.examine_strike_through and not in_table else None,
        ]


def _equal(one: Any, other: Any) -> bool:
    return bool(one == other)


def _notes(slide: Any) -> str:
    frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    return frame.text.strip() if frame is not None else ""


def _frames(shapes: Any) -> Iterator[Any]:
    for shape in shapes:
        if has_text(shape):
            yield shape
        yield from _frames(getattr(shape, "shapes", ()))


def _same_picture(one: Any, other: Any) -> bool:
    """Of what is no picture in either, or cannot be seen, nothing is said."""
    pictures = [shape._element.tag == f"{P}pic" for shape in (one, other)]
    if not all(pictures):
        return not any(pictures)
    found, wanted = _hash(one), _hash(other)
    return found is None or wanted is None or found - wanted <= SAME_HASH


def _hash(picture: Any) -> imagehash.ImageHash | None:
    try:
        with Image.open(io.BytesIO(picture.image.blob)) as image:
            return imagehash.phash(image.convert("RGBA"))
    except (AttributeError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
