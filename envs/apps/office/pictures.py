"""Picture files that are put into documents, and the size they are shown in."""

from __future__ import annotations

from typing import Any

from envs.apps.office.lengths import UNITS_PER_PIXEL, from_cm
from envs.apps.office.paths import absolute_path
from envs.apps.office.registry import OfficeError
from envs.apps.office.uno_values import enum, file_url


def check_file_exists(path: str) -> None:
    """Raises OfficeError(not_found) without a file."""
    if not absolute_path(path).is_file():
        raise OfficeError("not_found", f"there is no file {path}")


def check_picture(graphic: Any, path: str) -> None:
    """Raises OfficeError(bad_value) when LibreOffice made no picture of the file."""
    if graphic is None or not graphic.SizePixel.Width or is_placeholder(graphic):
        raise OfficeError("bad_value", f"{path} is not a picture that LibreOffice reads")


def is_placeholder(graphic: Any) -> bool:
    """Whether it is the small square that LibreOffice shows for a background it could not load."""
    size = graphic.SizePixel
    return (graphic.MimeType, size.Width, size.Height) == ("image/x-vclgraphic", 32, 32)


def picture_background(doc: Any, path: str) -> Any:
    """A slide background, stretched to fit. Raises OfficeError for a missing or bad file."""
    check_file_exists(path)
    background = doc.createInstance("com.sun.star.drawing.Background")
    background.FillStyle = enum("drawing.FillStyle", "BITMAP")
    background.FillBitmapURL = file_url(path)
    background.FillBitmapMode = enum("drawing.BitmapMode", "STRETCH")
    check_picture(background.FillBitmap, path)
    return background


def display_size(
    graphic: Any, path: str, width_cm: float | None, height_cm: float | None
) -> tuple[int, int]:
    """Width and height in 1/100 mm; one that is missing is in proportion, both at 96 dpi.

    Raises OfficeError(bad_value) when LibreOffice made no picture of the file.
    """
    check_picture(graphic, path)
    proportion = graphic.SizePixel.Height / graphic.SizePixel.Width
    width = graphic.SizePixel.Width * UNITS_PER_PIXEL
    if width_cm is not None:
        width = from_cm(width_cm)
    elif height_cm is not None:
        width = from_cm(height_cm) / proportion
    height = width * proportion if height_cm is None else from_cm(height_cm)
    return round(width), round(height)
