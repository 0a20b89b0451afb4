"""Impress tools on what all slides share: background, size, slide numbers, footer."""

from __future__ import annotations

from typing import Any, Literal

from envs.apps.office.characters import AUTOMATIC, colour_number
from envs.apps.office.impress.shapes import kind_of_shape, select_all, shapes_of, slides
from envs.apps.office.lengths import from_cm, to_cm
from envs.apps.office.pictures import picture_background
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.uno_values import enum

SIZES_CM = {"4:3": (28.0, 21.0), "16:9": (28.0, 15.75), "A4": (29.7, 21.0)}
"""Of landscape slides."""

tools = ToolGroup("impress")


@tools.tool("impress.background")
def background(
    doc: Any, slide: int | None = None, colour: str | None = None, image: str | None = None
) -> None:
    """Sets the background of a slide, or of every slide: a colour, or a picture file that fills it.

    colour "none" gives back the background of the master slide.
    """
    if (colour is None) == (image is None):
        raise OfficeError("bad_value", "give either colour or image")
    fill = None
    if image is not None:
        fill = picture_background(doc, image)
    elif colour is not None and colour_number(colour) != AUTOMATIC:
        fill = doc.createInstance("com.sun.star.drawing.Background")
        fill.FillStyle = enum("drawing.FillStyle", "SOLID")
        fill.FillColor = colour_number(colour)
    for page in slides(doc, slide):
        page.Background = fill


@tools.tool("impress.slide_size")
def slide_size(
    doc: Any,
    size: Literal["4:3", "16:9", "A4"] | None = None,
    orientation: Literal["portrait", "landscape"] | None = None,
) -> dict[str, float]:
    """Sets format and orientation of all slides; gives width and height in cm."""
    if size is None and orientation is None:
        raise OfficeError("bad_value", "give size, orientation, or both")
    first = slides(doc, None)[0]
    width, height = first.Width, first.Height
    landscape = width >= height if orientation is None else orientation == "landscape"
    if size is not None:
        width, height = (from_cm(length) for length in SIZES_CM[size])
    short, long = sorted((width, height))
    first.Width, first.Height = (long, short) if landscape else (short, long)
    return {"width_cm": to_cm(first.Width), "height_cm": to_cm(first.Height)}


@tools.tool("impress.slide_numbers")
def slide_numbers(
    doc: Any, visible: bool = True, slide: int | None = None, colour: str | None = None
) -> None:
    """Shows or hides the slide number on a slide, or on every slide; sets its colour."""
    number = None if colour is None else colour_number(colour)
    for page in slides(doc, slide):
        page.IsPageNumberVisible = visible
    if number is None:
        return
    places = [*slides(doc, None), *masters(doc)]
    shapes = [shape for page in places for shape in shapes_of(page) if is_slide_number(shape)]
    if not shapes:
        raise OfficeError("not_found", "no slide and no master slide has a slide number")
    for shape in shapes:
        shape.CharColor = number
        select_all(shape).CharColor = number


@tools.tool("impress.footer")
def footer(doc: Any, text: str | None, slide: int | None = None) -> None:
    """Sets the footer of a slide, or of every slide; null hides it."""
    for page in slides(doc, slide):
        page.IsFooterVisible = text is not None
        page.FooterText = text or ""


def masters(doc: Any) -> list[Any]:
    """The master slides."""
    pages = doc.getMasterPages()
    return [pages.getByIndex(index) for index in range(pages.getCount())]


def is_slide_number(shape: Any) -> bool:
    """Whether it is the field that shows the slide's number."""
    return kind_of_shape(shape) == "slide_number"
