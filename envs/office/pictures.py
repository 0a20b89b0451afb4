"""Files that are put into documents, and how large a picture is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from envs.office.characters import hundredth_mm
from envs.office.documents import file_url
from envs.office.registry import OfficeError

HUNDREDTH_MM_PER_PIXEL = 2540 / 96


def existing_file(path: str) -> None:
    if not Path(path).is_file():
        raise OfficeError("not_found", f"there is no file {path}")


def check_picture(graphic: Any, path: str) -> None:
    if graphic is None or not graphic.SizePixel.Width or is_stand_in(graphic):
        raise OfficeError("bad_value", f"{path} is no picture that LibreOffice reads")


def is_stand_in(graphic: Any) -> bool:
    """A slide background that could not be loaded is a small square that came from no file."""
    size = graphic.SizePixel
    return (graphic.MimeType, size.Width, size.Height) == ("image/x-vclgraphic", 32, 32)


def picture_background(doc: Any, path: str) -> Any:
    """A slide background, stretched to fit. Raises OfficeError for a missing or bad file."""
    import uno

    existing_file(path)
    filled = doc.createInstance("com.sun.star.drawing.Background")
    filled.FillStyle = uno.Enum("com.sun.star.drawing.FillStyle", "BITMAP")
    filled.FillBitmapURL = file_url(path)
    filled.FillBitmapMode = uno.Enum("com.sun.star.drawing.BitmapMode", "STRETCH")
    check_picture(filled.FillBitmap, path)
    return filled


def shown_size(
    graphic: Any, path: str, width_cm: float | None, height_cm: float | None
) -> tuple[int, int]:
    """Width and height in 1/100 mm: as asked, in proportion, or one pixel to 1/96 inch.

    Raises OfficeError(bad_value) when LibreOffice made no picture of the file.
    """
    check_picture(graphic, path)
    proportion = graphic.SizePixel.Height / graphic.SizePixel.Width
    width = graphic.SizePixel.Width * HUNDREDTH_MM_PER_PIXEL
    if width_cm is not None:
        width = hundredth_mm(width_cm)
    elif height_cm is not None:
        width = hundredth_mm(height_cm) / proportion
    height = width * proportion if height_cm is None else hundredth_mm(height_cm)
    return round(width), round(height)
