"""Impress tools on what all slides share: background, size, slide numbers, footer."""

from __future__ import annotations

from typing import Any, Literal

from envs.office.characters import AUTOMATIC, centimetres, colour_number, hundredth_mm
from envs.office.impress_shapes import kind_of_shape, shapes_of, slides, whole
from envs.office.pictures import picture_background
from envs.office.registry import OfficeError, office_tool

SIZES_CM = {"4:3": (28.0, 21.0), "16:9": (28.0, 15.75), "A4": (29.7, 21.0)}
"""Of landscape slides."""


@office_tool("impress.background", "impress")
def background(
    doc: Any, slide: int | None = None, colour: str | None = None, image: str | None = None
) -> None:
    """Sets the background of a slide, or of every slide: a colour, or a picture file that fills it.

    colour "none" gives back the background of the master slide.
    """
    import uno

    if (colour is None) == (image is None):
        raise OfficeError("bad_value", "give either colour or image")
    filled = None
    if image is not None:
        filled = picture_background(doc, image)
    elif colour is not None and colour_number(colour) != AUTOMATIC:
        filled = doc.createInstance("com.sun.star.drawing.Background")
        filled.FillStyle = uno.Enum("com.sun.star.drawing.FillStyle", "SOLID")
        filled.FillColor = colour_number(colour)
    for page in slides(doc, slide):
        page.Background = filled


@office_tool("impress.slide_size", "impress")
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
        width, height = (hundredth_mm(length) for length in SIZES_CM[size])
    short, long = sorted((width, height))
    first.Width, first.Height = (long, short) if landscape else (short, long)
    return {"width_cm": centimetres(first.Width), "height_cm": centimetres(first.Height)}


@office_tool("impress.slide_numbers", "impress")
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
    found = [one for page in places for one in shapes_of(page) if is_slide_number(one)]
    if not found:
        raise OfficeError("not_found", "no slide and no master slide has a slide number")
    for shape in found:
        shape.CharColor = number
        whole(shape).CharColor = number


@office_tool("impress.footer", "impress")
def footer(doc: Any, text: str | None, slide: int | None = None) -> None:
    """Sets the footer of a slide, or of every slide; null hides it."""
    for page in slides(doc, slide):
        page.IsFooterVisible = text is not None
        page.FooterText = text or ""


def masters(doc: Any) -> list[Any]:
    pages = doc.getMasterPages()
    return [pages.getByIndex(index) for index in range(pages.getCount())]


def is_slide_number(shape: Any) -> bool:
    return kind_of_shape(shape) == "slide_number"
