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

from envs.osworld.outside.published.error_policy import broken_scores_0
from envs.osworld.outside.published.slide_styles import A, P, SlideStyles
from envs.osworld.outside.published.slides_options import ComparedAspects
from envs.osworld.outside.published.slides_positions import (
    about_equal,
    has_required_position,
    has_text,
)

SAME_HASH = 10
"""Of the 64 bits of two pictures' perceptual hashes, how many may differ."""


@broken_scores_0
def compare_pptx_files(result: Path, expected: Path, **options: Any) -> float:
    """1 when the presentations have all in common that the options examine. Slides that only one
    has count as `examine_number_of_slides` says."""
    examined = ComparedAspects.of(options)
    actual: Any = Presentation(str(result))
    target: Any = Presentation(str(expected))
    if examined.examine_number_of_slides and len(actual.slides) != len(target.slides):
        return 0.0
    pairs = enumerate(zip(actual.slides, target.slides, strict=False), 1)
    return float(all(_Pair(examined, number, *pair).alike() for number, pair in pairs))


class _Pair:
    """A slide that is judged and the one that it should be."""

    def __init__(
        self, examined: ComparedAspects, number: int, first_slide: Any, second_slide: Any
    ) -> None:
        self._examined, self._number, self._slides = examined, number, (first_slide, second_slide)
        self._styles = SlideStyles(first_slide), SlideStyles(second_slide)
        self._near = about_equal(examined.approximately_tolerance)

    def alike(self) -> bool:
        first, second = self._slides
        examined = self._examined
        if examined.examine_background_color and not _equal(
            *(styles.background() for styles in self._styles)
        ):
            return False
        if examined.examine_note and _notes(first) != _notes(second):
            return False
        if len(first.shapes) != len(second.shapes):
            return False
        return (
            all(self._shapes_alike(*pair) for pair in zip(first.shapes, second.shapes, strict=True))
            and self._frames_alike()
        )

    def _shapes_alike(self, first: Any, second: Any) -> bool:
        if not has_required_position(self._examined, self._number, first, second, self._near):
            return False
        if not _same_picture(first, second):
            return False
        if first.has_table != second.has_table:
            return False
        if first.has_table:
            return _equal(*map(self._table, self._styles, (first, second)))
        if has_text(first) and has_text(second):
            return _equal(*map(self._frame, self._styles, (first, second)))
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
                paragraph.text.strip() if self._examined.examine_text else None,
                self._alignment(styles, shape, paragraph),
                self._marker(styles, shape, paragraph),
            )
            for paragraph in shape.text_frame.paragraphs
        ]

    def _frame(self, styles: SlideStyles, shape: Any) -> list[Any]:
        return [
            (
                paragraph.text if self._examined.examine_text else None,
                paragraph.level if self._examined.examine_indent else None,
                self._spans(styles, shape, paragraph, in_table=False),
            )
            for paragraph in shape.text_frame.paragraphs
        ]

    def _table(self, styles: SlideStyles, shape: Any) -> list[Any]:
        return [
            [
                [
                    self._spans(styles, None, paragraph, in_table=True)
                    for paragraph in cell.text_frame.paragraphs
                ]
                for cell in row.cells
            ]
            for row in shape.table.rows
        ]

    def _alignment(self, styles: SlideStyles, shape: Any, paragraph: Any) -> str | None:
        return styles.alignment(shape, paragraph._p) if self._examined.examine_alignment else None

    def _marker(self, styles: SlideStyles, shape: Any, paragraph: Any) -> str | None:
        """An empty paragraph shows none."""
        if not self._examined.examine_bullets or not paragraph.text.strip():
            return None
        return styles.marker(shape, paragraph._p)

    def _spans(
        self, styles: SlideStyles, shape: Any, paragraph: Any, *, in_table: bool
    ) -> list[Any]:
        """Text with its formatting, cut only where examined formatting changes."""
        spans: list[list[Any]] = []
        for run in paragraph.runs:
            formatting = self._formatting(run, in_table)
            if self._examined.examine_color_rgb:
                formatting.append(styles.color(shape, paragraph._p, run._r))
            if spans and _equal(spans[-1][1], formatting):
                spans[-1][0] += run.text
            elif run.text:
                spans.append([run.text, formatting])
        return spans if self._examined.examine_text else [formatting for _, formatting in spans]

    def _formatting(self, run: Any, in_table: bool) -> list[Any]:
        """In tables neither font nor size nor strike-through count."""
        examined, font = self._examined, run.font
        properties = run._r.find(f"{A}rPr")
        struck = properties.get("strike", "noStrike") if properties is not None else "noStrike"
        return [
            font.name if examined.examine_font_name and not in_table else None,
            font.size if examined.examine_font_size and not in_table else None,
            bool(font.bold) if examined.examine_font_bold else None,
            bool(font.italic) if examined.examine_font_italic else None,
            (font.underline or False) if examined.examine_font_underline else None,
            struck if examined.examine_strike_through and not in_table else None,
        ]


def _equal(first: Any, second: Any) -> bool:
    return bool(first == second)


def _notes(slide: Any) -> str:
    frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    return frame.text.strip() if frame is not None else ""


def _frames(shapes: Any) -> Iterator[Any]:
    for shape in shapes:
        if has_text(shape):
            yield shape
        yield from _frames(getattr(shape, "shapes", ()))


def _same_picture(first: Any, second: Any) -> bool:
    """Of what is no picture in either, or cannot be seen, nothing is said."""
    pictures = [shape._element.tag == f"{P}pic" for shape in (first, second)]
    if not all(pictures):
        return not any(pictures)
    first_hash, second_hash = _hash(first), _hash(second)
    return first_hash is None or second_hash is None or first_hash - second_hash <= SAME_HASH


def _hash(picture: Any) -> imagehash.ImageHash | None:
    try:
        with Image.open(io.BytesIO(picture.image.blob)) as image:
            return imagehash.phash(image.convert("RGBA"))
    except (AttributeError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
