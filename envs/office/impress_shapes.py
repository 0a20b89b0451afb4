"""Which slide, shape or text a call means. Slides and shapes are counted from 1.

A shape goes by number, by name, or by what it is ("title"), the first one that is it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from envs.office.registry import OfficeError

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
    """The slide. Raises OfficeError(not_found), naming how many there are."""
    pages = doc.getDrawPages()
    count = pages.getCount()
    if not 1 <= slide <= count:
        raise OfficeError("not_found", f"there is no slide {slide}; the presentation has {count}")
    return pages.getByIndex(slide - 1)


def slides(doc: Any, slide: int | None) -> list[Any]:
    """That slide, or all."""
    if slide is not None:
        return [page_at(doc, slide)]
    pages = doc.getDrawPages()
    return [pages.getByIndex(index) for index in range(pages.getCount())]


def shapes_of(page: Any) -> list[Any]:
    return [page.getByIndex(index) for index in range(page.getCount())]


def kind_of_shape(shape: Any) -> str:
    word: str = shape.ShapeType.rpartition(".")[2]
    return KINDS.get(word, word.removesuffix("Shape").lower())


def shape_called(page: Any, shape: int | str) -> Any:
    """Raises OfficeError(not_found), naming the shapes there are."""
    found = shapes_of(page)
    if isinstance(shape, int):
        if 1 <= shape <= len(found):
            return found[shape - 1]
    else:
        for of in (lambda one: one.Name, kind_of_shape):
            for one in found:
                if of(one) == shape:
                    return one
    there = ", ".join(f"{number} {label(one)}" for number, one in enumerate(found, start=1))
    raise OfficeError("not_found", f"there is no shape {shape}; the slide has: {there or 'none'}")


def label(shape: Any) -> str:
    kind = kind_of_shape(shape)
    return f"{kind} '{shape.Name}'" if shape.Name else kind


def table_model(shape: Any) -> Any:
    """Cells of a table shape. Raises OfficeError(bad_value) for any other shape."""
    if kind_of_shape(shape) != "table":
        raise OfficeError("bad_value", f"this shape is no table but {label(shape)}")
    return shape.Model


def cells(shape: Any) -> Iterator[Any]:
    model = table_model(shape)
    for row in range(model.RowCount):
        for column in range(model.ColumnCount):
            yield model.getCellByPosition(column, row)


def texts(shape: Any) -> Iterator[Any]:
    """What has text in a shape: itself, the cells of a table, the members of a group."""
    kind = kind_of_shape(shape)
    if kind == "table":
        yield from cells(shape)
    elif kind == "group":
        for member in shapes_of(shape):
            yield from texts(member)
    elif hasattr(shape, "createTextCursor"):
        yield shape


def text_of(shape: Any) -> str:
    """All its text; what an empty placeholder shows is none."""
    if getattr(shape, "IsEmptyPresentationObject", False):
        return ""
    return "\n".join(one.getString() for one in texts(shape))


def whole(text: Any) -> Any:
    cursor = text.createTextCursor()
    cursor.gotoStart(False)
    cursor.gotoEnd(True)
    return cursor


def matching(text: Any, pattern: re.Pattern[str]) -> list[Any]:
    """Cursors over what matches, last first, so that one can be replaced without moving others."""
    string = text.getString()
    found = []
    for match in reversed(list(pattern.finditer(string))):
        if match[0]:
            cursor = text.createTextCursor()
            cursor.gotoStart(False)
            cursor.goRight(units(string[: match.start()]), False)
            cursor.goRight(units(match[0]), True)
            found.append(cursor)
    return found


def units(text: str) -> int:
    """Length as LibreOffice counts it: in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def compiled(pattern: str, match_case: bool = True) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.MULTILINE | (0 if match_case else re.IGNORECASE))
    except re.error as error:
        raise OfficeError("bad_value", f"{pattern!r} is no regular expression: {error}") from error


def chosen_texts(doc: Any, slide: int | None, shape: int | str | None) -> list[Any]:
    """Texts of one shape, of all on a slide, or of all slides; empty placeholders left out.

    Raises OfficeError(bad_value) for a shape without a slide, OfficeError(not_found) for no text.
    """
    if shape is not None:
        if slide is None:
            raise OfficeError("bad_value", "a shape needs the slide that it is on")
        chosen = [shape_called(page_at(doc, slide), shape)]
    else:
        chosen = [
            one
            for page in slides(doc, slide)
            for one in shapes_of(page)
            if not getattr(one, "IsEmptyPresentationObject", False)
        ]
    found = [text for one in chosen for text in texts(one)]
    if not found:
        raise OfficeError("not_found", "there is no text there")
    return found
