"""Screenshots as models want them: of the agreed size, a part enlarged, as a data URL."""

from __future__ import annotations

import base64
import io
import math

from PIL import Image

from envs.contract.observations import Screenshot
from envs.dialects.dialect import Box, Display

MAX_RATIO = 200
"""Of a picture's sides; the model takes no longer ones."""


def fit_to_display(screenshot: Screenshot, display: Display) -> Screenshot:
    """Of the size that the display's pictures have; the same one if it is already. A part of the
    screen keeps its shape, and its scale beside whole screens."""
    if screenshot.part is None:
        return fit_to_size(screenshot, display.picture)
    width, height = screenshot.screen
    scale = min(display.picture[0] / width, display.picture[1] / height)
    sides = (screenshot.width * scale, screenshot.height * scale)
    return fit_to_size(screenshot, (max(1, round(sides[0])), max(1, round(sides[1]))))


def fit_to_size(screenshot: Screenshot, size: tuple[int, int]) -> Screenshot:
    """Of this width and height; the same one if it is already."""
    if (screenshot.width, screenshot.height) == size:
        return screenshot
    resized = _encode(_image(screenshot).resize(size), screenshot.format)
    return resized.model_copy(update={"part": screenshot.part})


def make_blank(screenshot: Screenshot) -> Screenshot:
    """A grey picture of the same size and format."""
    size = (screenshot.width, screenshot.height)
    return _encode(Image.new("RGB", size, (128, 128, 128)), screenshot.format)


def smart_resize(
    width: int, height: int, min_pixels: int, max_pixels: int, factor: int = 28
) -> tuple[int, int]:
    """Width and height that Qwen2.5-VL's processor gives a picture: multiples of `factor`, the
    area within the limits, the ratio kept as far as that allows. Raises ValueError."""
    if max(width, height) > MAX_RATIO * min(width, height):
        raise ValueError(f"{width} x {height} is too long for the model")
    sides = [max(factor, round(side / factor) * factor) for side in (width, height)]
    area = sides[0] * sides[1]
    if area > max_pixels:
        shrink = math.sqrt(width * height / max_pixels)
        sides = [math.floor(side / shrink / factor) * factor for side in (width, height)]
    elif area < min_pixels:
        grow = math.sqrt(min_pixels / (width * height))
        sides = [math.ceil(side * grow / factor) * factor for side in (width, height)]
    return sides[0], sides[1]


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
