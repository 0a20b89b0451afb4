"""The slides, shapes and texts that a call means. Slides and shapes are counted from 1.

A shape is given by number, by name, or by kind such as "title", which means the first of that kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from envs.apps.office.registry import OfficeError
from envs.apps.office.uno_values import enum, service, struct

KINDS = {
    "TitleTextShape": "title",
    "SubtitleShape": "subtitle",
    "OutlinerShape": "content",
    "NotesShape": "notes",
    "SlideNumberShape": "slide_number",
    "DateTimeShape": "date",
    "FooterShape": "footer",
    "HeaderShape": "header",
    "GraphicObjectShape": "picture",
    "TextShape": "text",
    "CustomShape": "shape",
    "OLE2Shape": "object",
}
"""Kind of a shape by the last part of its UNO type; of others the type without "Shape"."""


def page_at(doc: Any, slide: int) -> Any:
    """The page of a slide. Raises OfficeError(not_found), naming how many there are."""
    pages = doc.getDrawPages()
    count = pages.getCount()
    if not 1 <= slide <= count:
        raise OfficeError("not_found", f"there is no slide {slide}; the presentation has {count}")
    return pages.getByIndex(slide - 1)


def slides(doc: Any, slide: int | None) -> list[Any]:
    """The page of that slide, or all pages."""
    if slide is not None:
        return [page_at(doc, slide)]
    pages = doc.getDrawPages()
    return [pages.getByIndex(index) for index in range(pages.getCount())]


def shapes_of(page: Any) -> list[Any]:
    """The shapes of a page in the order of their numbers."""
    return [page.getByIndex(index) for index in range(page.getCount())]


def kind_of_shape(shape: Any) -> str:
    """What the tools call it, such as "title" or "picture"."""
    word: str = shape.ShapeType.rpartition(".")[2]
    return KINDS.get(word, word.removesuffix("Shape").lower())


def find_shape(page: Any, shape: int | str) -> Any:
    """The shape that is meant. Raises OfficeError(not_found), naming the shapes there are."""
    shapes = shapes_of(page)
    if isinstance(shape, int):
        if 1 <= shape <= len(shapes):
            return shapes[shape - 1]
    else:
        for designation in (lambda candidate: candidate.Name, kind_of_shape):
            for candidate in shapes:
                if designation(candidate) == shape:
                    return candidate
    known = ", ".join(
        f"{number} {shape_label(candidate)}" for number, candidate in enumerate(shapes, start=1)
    )
    raise OfficeError("not_found", f"there is no shape {shape}; the slide has: {known or 'none'}")


def shape_label(shape: Any) -> str:
    """How error messages name a shape."""
    kind = kind_of_shape(shape)
    return f"{kind} '{shape.Name}'" if shape.Name else kind


def table_model(shape: Any) -> Any:
    """UNO's model of a table. Raises OfficeError(bad_value) for any other shape."""
    if kind_of_shape(shape) != "table":
        raise OfficeError("bad_value", f"this shape is not a table but {shape_label(shape)}")
    return shape.Model


def cells_of(shape: Any) -> Iterator[Any]:
    """The cells of a table shape, row by row."""
    model = table_model(shape)
    for row in range(model.RowCount):
        for column in range(model.ColumnCount):
            yield model.getCellByPosition(column, row)


def texts_of(shape: Any) -> Iterator[Any]:
    """The parts of a shape that hold text: itself, cells of a table, members of a group."""
    kind = kind_of_shape(shape)
    if kind == "table":
        yield from cells_of(shape)
    elif kind == "group":
        for member in shapes_of(shape):
            yield from texts_of(member)
    elif hasattr(shape, "createTextCursor"):
        yield shape


def text_of(shape: Any) -> str:
    """All text of a shape; none for an empty placeholder, which only shows a hint."""
    if getattr(shape, "IsEmptyPresentationObject", False):
        return ""
    return "\n".join(text.getString() for text in texts_of(shape))


def select_all(text: Any) -> Any:
    """A cursor over the whole text."""
    cursor = text.createTextCursor()
    cursor.gotoStart(False)
    cursor.gotoEnd(True)
    return cursor


def find_words(text: Any, words: str, match_case: bool) -> list[Any]:
    """Cursors over the places of these words, last first, so that replacing one does not move the
    others."""
    string = text.getString()
    matches = re.finditer(re.escape(words), string, 0 if match_case else re.IGNORECASE)
    return cursors_over(
        text,
        [(utf16_length(string[: match.start()]), utf16_length(match[0])) for match in matches],
    )


def find_matches(text: Any, pattern: str) -> list[Any]:
    """Cursors over the matches of a regular expression in the paragraphs of a text, last first."""
    # Not with Python's `re`, which lets nothing else run in this process until it has searched.
    search = service("util.TextSearch")
    kind = enum("util.SearchAlgorithms", "REGEXP")
    search.setOptions(struct("util.SearchOptions", algorithmType=kind, searchString=pattern))
    spans, paragraph_start = [], 0
    for paragraph in text.getString().split("\n"):
        start, length = 0, utf16_length(paragraph)
        while start < length:
            match = search.searchForward(paragraph, start, length)
            if not match.subRegExpressions:
                break
            start = max(match.endOffset[0], start + 1)
            span_length = match.endOffset[0] - match.startOffset[0]
            spans.append((paragraph_start + match.startOffset[0], span_length))
        paragraph_start += length + 1
    return cursors_over(text, spans)


def cursors_over(text: Any, spans: list[tuple[int, int]]) -> list[Any]:
    """Cursors over places that are given by start and length in UTF-16 units, last first."""
    cursors = []
    for start, length in reversed(spans):
        if length:
            cursor = text.createTextCursor()
            cursor.gotoStart(False)
            cursor.goRight(start, False)
            cursor.goRight(length, True)
            cursors.append(cursor)
    return cursors


def utf16_length(text: str) -> int:
    """Length as LibreOffice counts it: in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def check_pattern(pattern: str) -> None:
    """Raises OfficeError(bad_value) when it is not a regular expression."""
    try:
        re.compile(pattern)
    except re.error as error:
        raise OfficeError(
            "bad_value", f"{pattern!r} is not a regular expression: {error}"
        ) from error


def select_texts(doc: Any, slide: int | None, shape: int | str | None) -> list[Any]:
    """Texts of one shape, of all on a slide, or of all slides; empty placeholders left out.

    Raises OfficeError(bad_value) for a shape without a slide, OfficeError(not_found) for no text.
    """
    if shape is not None:
        if slide is None:
            raise OfficeError("bad_value", "a shape needs the slide that it is on")
        candidates = [find_shape(page_at(doc, slide), shape)]
    else:
        candidates = [
            candidate
            for page in slides(doc, slide)
            for candidate in shapes_of(page)
            if not getattr(candidate, "IsEmptyPresentationObject", False)
        ]
    texts = [text for candidate in candidates for text in texts_of(candidate)]
    if not texts:
        raise OfficeError("not_found", "there is no text there")
    return texts
