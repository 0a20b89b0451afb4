"""Impress tools that put shapes, pictures, tables and media on slides, place and delete them."""

from __future__ import annotations

import glob
from typing import Any, Literal

from envs.apps.office.characters import AUTOMATIC, colour_number
from envs.apps.office.impress.shapes import cells_of, find_shape, page_at
from envs.apps.office.lengths import from_cm
from envs.apps.office.pictures import check_file_exists, display_size, picture_background
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.uno_values import (
    enum,
    file_url,
    invoke,
    property_value,
    property_values,
    struct,
)

ShapeKind = Literal[
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
"""LibreOffice's names of custom shapes."""

PLAYER = "/usr/lib/*/gstreamer-1.0/libgstplayback.so"
"""GStreamer's playback library; without it LibreOffice waits half a minute for each medium."""

SIDES = {"left": 0.0, "top": 0.0, "center": 0.5, "middle": 0.5, "right": 1.0, "bottom": 1.0}
"""The share of the free space that is left of, or above, the shape."""

tools = ToolGroup("impress")


@tools.tool("impress.add_text_box")
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
    box = add_to_page(doc, page, "com.sun.star.drawing.TextShape", x_cm, y_cm, width_cm, height_cm)
    box.setString(text)
    return last_shape_number(page)


@tools.tool("impress.add_shape")
def add_shape(
    doc: Any,
    slide: int,
    kind: ShapeKind,
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
    properties = paint_properties(fill, line)
    shape = add_to_page(
        doc, page, "com.sun.star.drawing.CustomShape", x_cm, y_cm, width_cm, height_cm
    )
    set_geometry(shape, kind)
    for name, value in properties.items():
        setattr(shape, name, value)
    if text:
        shape.setString(text)
    return last_shape_number(page)


@tools.tool("impress.paint_shape")
def paint_shape(
    doc: Any, slide: int, shape: int | str, fill: str | None = None, line: str | None = None
) -> None:
    """Sets the colours of a shape's area and outline: name, #RRGGBB or "none"."""
    properties = paint_properties(fill, line)
    if not properties:
        raise OfficeError("bad_value", "give fill, line, or both")
    target = find_shape(page_at(doc, slide), shape)
    for name, value in properties.items():
        setattr(target, name, value)


@tools.tool("impress.insert_image")
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
    width, height = display_size(graphic, path, width_cm, height_cm)
    picture = doc.createInstance("com.sun.star.drawing.GraphicObjectShape")
    page.add(picture)
    picture.GraphicURL = file_url(path)
    if width_cm is None and height_cm is None:
        fit = min(1, page.Width / width, page.Height / height)
        width, height = round(width * fit), round(height * fit)
    x = (page.Width - width) / 2 if x_cm is None else from_cm(x_cm)
    y = (page.Height - height) / 2 if y_cm is None else from_cm(y_cm)
    set_frame(picture, round(x), round(y), width, height)
    return last_shape_number(page)


@tools.tool("impress.insert_media", timeout_s=20)
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
    check_file_exists(path)
    if not glob.glob(PLAYER):
        raise OfficeError("tool_failed", "LibreOffice has no player here (GStreamer's playback)")
    kind = "com.sun.star.drawing.MediaShape"
    shape = add_to_page(doc, page, kind, x_cm, y_cm, width_cm, height_cm)
    shape.MediaURL = file_url(path)
    return last_shape_number(page)


@tools.tool("impress.add_table")
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
    shape = add_to_page(
        doc, page, "com.sun.star.drawing.TableShape", x_cm, y_cm, width_cm, len(rows)
    )
    model = shape.Model
    grow_to(model.Columns, columns)
    grow_to(model.Rows, len(rows))
    for cell, text in zip(cells_of(shape), (text for row in rows for text in row), strict=True):
        cell.setString(text)
    set_frame(shape, from_cm(x_cm), from_cm(y_cm), from_cm(width_cm), shape.Size.Height)
    return last_shape_number(page)


@tools.tool("impress.place_shape")
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
    target = find_shape(page, shape)
    position, size = target.Position, target.Size
    width = size.Width if width_cm is None else from_cm(width_cm)
    height = size.Height if height_cm is None else from_cm(height_cm)
    if width <= 0 or height <= 0:
        raise OfficeError("bad_value", "width_cm and height_cm must be more than 0")
    x = position.X if x_cm is None else from_cm(x_cm)
    y = position.Y if y_cm is None else from_cm(y_cm)
    if horizontal is not None:
        x = round(SIDES[horizontal] * (page.Width - width))
    if vertical is not None:
        y = round(SIDES[vertical] * (page.Height - height))
    set_frame(target, x, y, width, height)


@tools.tool("impress.delete_shape")
def delete_shape(doc: Any, slide: int, shape: int | str) -> None:
    """Deletes a shape from a slide; the shapes after it move up one number."""
    page = page_at(doc, slide)
    page.remove(find_shape(page, shape))


def add_to_page(
    doc: Any, page: Any, service: str, x_cm: float, y_cm: float, width_cm: float, height_cm: float
) -> Any:
    """Adds a new shape of a UNO service to a page."""
    shape = doc.createInstance(service)
    page.add(shape)
    set_frame(shape, *(from_cm(length) for length in (x_cm, y_cm, width_cm, height_cm)))
    return shape


def set_frame(shape: Any, x: int, y: int, width: int, height: int) -> None:
    """Places and resizes a shape, in 1/100 mm."""
    shape.setSize(struct("awt.Size", Width=width, Height=height))
    shape.setPosition(struct("awt.Point", X=x, Y=y))


def grow_to(lines: Any, count: int) -> None:
    """Adds rows or columns to a new table until there are `count`."""
    missing = count - lines.getCount()
    if missing > 0:
        lines.insertByIndex(0, missing)


def last_shape_number(page: Any) -> int:
    """Number of the shape that was added last."""
    count: int = page.getCount()
    return count


def paint_properties(fill: str | None, line: str | None) -> dict[str, Any]:
    """UNO properties of the colours of a shape's area and outline; none for None."""
    properties: dict[str, Any] = {}
    for side, colour in (("Fill", fill), ("Line", line)):
        if colour is None:
            continue
        number = colour_number(colour)
        style = "NONE" if number == AUTOMATIC else "SOLID"
        properties[f"{side}Style"] = enum(f"drawing.{side}Style", style)
        if number != AUTOMATIC:
            properties[f"{side}Color"] = number
    return properties


def set_geometry(shape: Any, kind: str) -> None:
    """Sets which custom shape it is, such as "ellipse"."""
    geometry = (property_value("Type", kind),)
    invoke(shape, "setPropertyValue", "CustomShapeGeometry", property_values(geometry))
