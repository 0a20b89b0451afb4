"""Impress tools that put shapes, pictures, tables and media on slides, place and delete them."""

from __future__ import annotations

import glob
from typing import Any, Literal

from envs.office.characters import AUTOMATIC, colour_number, hundredth_mm
from envs.office.documents import file_url, property_value
from envs.office.impress_shapes import cells, page_at, shape_called
from envs.office.pictures import existing_file, picture_background, shown_size
from envs.office.registry import OfficeError, office_tool

Drawn = Literal[
    "rectangle",
    "round-rectangle",
    "ellipse",
    "isosceles-triangle",
    "diamond",
    "right-arrow",
    "left-arrow",
    "star5",
    "heart",
    "cloud",
    "smiley",
]
"""Names of custom shapes as LibreOffice knows them."""

PLAYER = "/usr/lib/*/gstreamer-1.0/libgstplayback.so"
"""Without it LibreOffice waits half a minute for each medium."""

SIDES = {"left": 0.0, "top": 0.0, "center": 0.5, "middle": 0.5, "right": 1.0, "bottom": 1.0}
"""Part of the free space that is left of, or above, the shape."""


@office_tool("impress.add_text_box", "impress")
def add_text_box(
    doc: Any,
    slide: int,
    text: str,
    x_cm: float,
    y_cm: float,
    width_cm: float = 10,
    height_cm: float = 1.5,
) -> int:
    """Adds a text box; x and y are its upper left corner. Gives the number of the shape."""
    page = page_at(doc, slide)
    box = added(doc, page, "com.sun.star.drawing.TextShape", x_cm, y_cm, width_cm, height_cm)
    box.setString(text)
    return number_of(page)


@office_tool("impress.add_shape", "impress")
def add_shape(
    doc: Any,
    slide: int,
    kind: Drawn,
    x_cm: float,
    y_cm: float,
    width_cm: float,
    height_cm: float,
    text: str = "",
    fill: str | None = None,
    line: str | None = None,
) -> int:
    """Draws a shape. fill, line: colours (name, #RRGGBB, "none"). Gives the number of the shape."""
    page = page_at(doc, slide)
    wanted = paint(fill, line)
    shape = added(doc, page, "com.sun.star.drawing.CustomShape", x_cm, y_cm, width_cm, height_cm)
    set_geometry(shape, kind)
    for name, value in wanted.items():
        setattr(shape, name, value)
    if text:
        shape.setString(text)
    return number_of(page)


@office_tool("impress.paint_shape", "impress")
def paint_shape(
    doc: Any, slide: int, shape: int | str, fill: str | None = None, line: str | None = None
) -> None:
    """Sets the colours of a shape's area and outline: name, #RRGGBB or "none"."""
    wanted = paint(fill, line)
    if not wanted:
        raise OfficeError("bad_value", "give fill, line, or both")
    target = shape_called(page_at(doc, slide), shape)
    for name, value in wanted.items():
        setattr(target, name, value)


@office_tool("impress.insert_image", "impress")
def insert_image(
    doc: Any,
    slide: int,
    path: str,
    x_cm: float | None = None,
    y_cm: float | None = None,
    width_cm: float | None = None,
    height_cm: float | None = None,
) -> int:
    """Puts a picture on a slide, without a position in its middle; gives the number of the shape.

    With only one of width and height the other keeps the proportion; with neither it fits.
    """
    page = page_at(doc, slide)
    graphic = picture_background(doc, path).FillBitmap
    width, height = shown_size(graphic, path, width_cm, height_cm)
    picture = doc.createInstance("com.sun.star.drawing.GraphicObjectShape")
    page.add(picture)
    picture.GraphicURL = file_url(path)
    if width_cm is None and height_cm is None:
        fit = min(1, page.Width / width, page.Height / height)
        width, height = round(width * fit), round(height * fit)
    x = (page.Width - width) / 2 if x_cm is None else hundredth_mm(x_cm)
    y = (page.Height - height) / 2 if y_cm is None else hundredth_mm(y_cm)
    put(picture, round(x), round(y), width, height)
    return number_of(page)


@office_tool("impress.insert_media", "impress", timeout_s=20)
def insert_media(
    doc: Any,
    slide: int,
    path: str,
    x_cm: float = 2,
    y_cm: float = 4,
    width_cm: float = 12,
    height_cm: float = 8,
) -> int:
    """Puts a video or sound file on a slide, as a link to it; gives the number of the shape."""
    page = page_at(doc, slide)
    existing_file(path)
    if not glob.glob(PLAYER):
        raise OfficeError("tool_failed", "LibreOffice has no player here (GStreamer's playback)")
    kind = "com.sun.star.drawing.MediaShape"
    shape = added(doc, page, kind, x_cm, y_cm, width_cm, height_cm)
    shape.MediaURL = file_url(path)
    return number_of(page)


@office_tool("impress.add_table", "impress")
def add_table(
    doc: Any,
    slide: int,
    rows: list[list[str]],
    x_cm: float = 2,
    y_cm: float = 4,
    width_cm: float = 20,
) -> int:
    """Adds a table filled with `rows`; gives the number of the shape."""
    page = page_at(doc, slide)
    columns = len(rows[0]) if rows else 0
    if not columns or any(len(row) != columns for row in rows):
        raise OfficeError("bad_value", "rows must be lists of texts, all of the same length")
    shape = added(doc, page, "com.sun.star.drawing.TableShape", x_cm, y_cm, width_cm, len(rows))
    model = shape.Model
    grow(model.Columns, columns)
    grow(model.Rows, len(rows))
    for cell, text in zip(cells(shape), (text for row in rows for text in row), strict=True):
        cell.setString(text)
    put(shape, hundredth_mm(x_cm), hundredth_mm(y_cm), hundredth_mm(width_cm), shape.Size.Height)
    return number_of(page)


@office_tool("impress.place_shape", "impress")
def place_shape(
    doc: Any,
    slide: int,
    shape: int | str,
    x_cm: float | None = None,
    y_cm: float | None = None,
    width_cm: float | None = None,
    height_cm: float | None = None,
    horizontal: Literal["left", "center", "right"] | None = None,
    vertical: Literal["top", "middle", "bottom"] | None = None,
) -> None:
    """Moves and sizes a shape. x, y: its upper left corner. horizontal, vertical: on the slide."""
    page = page_at(doc, slide)
    target = shape_called(page, shape)
    now, size = target.Position, target.Size
    width = size.Width if width_cm is None else hundredth_mm(width_cm)
    height = size.Height if height_cm is None else hundredth_mm(height_cm)
    if width <= 0 or height <= 0:
        raise OfficeError("bad_value", "width_cm and height_cm must be more than 0")
    x = now.X if x_cm is None else hundredth_mm(x_cm)
    y = now.Y if y_cm is None else hundredth_mm(y_cm)
    if horizontal is not None:
        x = round(SIDES[horizontal] * (page.Width - width))
    if vertical is not None:
        y = round(SIDES[vertical] * (page.Height - height))
    put(target, x, y, width, height)


@office_tool("impress.delete_shape", "impress")
def delete_shape(doc: Any, slide: int, shape: int | str) -> None:
    """Deletes a shape from a slide; the shapes after it move up one number."""
    page = page_at(doc, slide)
    page.remove(shape_called(page, shape))


def added(
    doc: Any, page: Any, service: str, x_cm: float, y_cm: float, width_cm: float, height_cm: float
) -> Any:
    shape = doc.createInstance(service)
    page.add(shape)
    put(shape, *(hundredth_mm(length) for length in (x_cm, y_cm, width_cm, height_cm)))
    return shape


def put(shape: Any, x: int, y: int, width: int, height: int) -> None:
    """In 1/100 mm."""
    import uno

    place = uno.createUnoStruct("com.sun.star.awt.Point")
    place.X, place.Y = x, y
    size = uno.createUnoStruct("com.sun.star.awt.Size")
    size.Width, size.Height = width, height
    shape.setSize(size)
    shape.setPosition(place)


def grow(lines: Any, count: int) -> None:
    """Rows or columns of a new table, which has at least one of each."""
    missing = count - lines.getCount()
    if missing > 0:
        lines.insertByIndex(0, missing)


def number_of(page: Any) -> int:
    """Of the shape added last."""
    count: int = page.getCount()
    return count


def paint(fill: str | None, line: str | None) -> dict[str, Any]:
    import uno

    wanted: dict[str, Any] = {}
    for side, colour in (("Fill", fill), ("Line", line)):
        if colour is None:
            continue
        number = colour_number(colour)
        style = "NONE" if number == AUTOMATIC else "SOLID"
        wanted[f"{side}Style"] = uno.Enum(f"com.sun.star.drawing.{side}Style", style)
        if number != AUTOMATIC:
            wanted[f"{side}Color"] = number
    return wanted


def set_geometry(shape: Any, kind: str) -> None:
    import uno

    geometry = (property_value("Type", kind),)
    uno.invoke(
        shape,
        "setPropertyValue",
        ("CustomShapeGeometry", uno.Any("[]com.sun.star.beans.PropertyValue", geometry)),
    )
