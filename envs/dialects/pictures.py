"""Screenshots as models want them: of the agreed size, a part enlarged, as a data URL."""

from __future__ import annotations

import base64
import io

from PIL import Image

from envs.contract.observations import Screenshot
from envs.dialects.dialect import Box, Display


def fit_to_display(screenshot: Screenshot, display: Display) -> Screenshot:
    """Of the size that the display's pictures have; the same one if it is already."""
    if (screenshot.width, screenshot.height) == display.picture:
        return screenshot
    return _encode(_image(screenshot).resize(display.picture), screenshot.format)


def enlarge(screenshot: Screenshot, region: Box, display: Display) -> Screenshot:
    """A part of the screenshot, as large as the display's pictures allow, its shape kept."""
    image = _image(screenshot)
    left, top, right, bottom = (
        round(fraction * size) for fraction, size in zip(region, image.size * 2, strict=True)
    )
    part = image.crop((left, top, max(right, left + 1), max(bottom, top + 1)))
    factor = min(display.picture[0] / part.width, display.picture[1] / part.height)
    size = (max(1, round(part.width * factor)), max(1, round(part.height * factor)))
    return _encode(part.resize(size), screenshot.format)


def data_url(screenshot: Screenshot) -> str:
    """The picture as a data: URL."""
    return f"data:{media_type(screenshot)};base64,{screenshot.data}"


def media_type(screenshot: Screenshot) -> str:
    """The media type of the picture."""
    return f"image/{screenshot.format}"


def _image(screenshot: Screenshot) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(screenshot.data))).convert("RGB")


def _encode(image: Image.Image, kind: str) -> Screenshot:
    file = io.BytesIO()
    image.save(file, kind)
    data = base64.b64encode(file.getvalue()).decode()
    return Screenshot(format=kind, width=image.width, height=image.height, data=data)
