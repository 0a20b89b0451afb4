"""Pictures as OSWorld's metrics see them: read whole, measured, compared by structure.

Guarantees: what Pillow cannot read, or calls a decompression bomb, is Unreadable.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image, ImageStat

from envs.osworld.outside.published.error_policy import Unreadable

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALLEST = 7
"""Pixels a side: the window of structural similarity."""
_BROKEN = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    IndexError,
    EOFError,
    struct.error,
    Image.DecompressionBombError,
)


def read_image(path: Path) -> Image.Image:
    """The (first) picture, decoded. Raises Unreadable."""
    try:
        image = Image.open(path)
        image.load()
    except _BROKEN as error:
        raise Unreadable(str(error)) from error
    return image


def similar(first: Image.Image, second: Image.Image, threshold: float = 0.9) -> bool:
    """Whether both are of one size and their colours alike in structure; alpha is left out.
    Pictures under SMALLEST are like none."""
    if first.size != second.size or min(first.size) < SMALLEST:
        return False
    return similarity(_colours(first), _colours(second)) >= threshold


def similar_to_the_eye(first: Image.Image, second: Image.Image, threshold: float = 0.9) -> bool:
    """As `similar`, on white and on black: what is transparent must be transparent in both."""
    return all(
        similar(on_background(first, ground), on_background(second, ground), threshold)
        for ground in ("white", "black")
    )


def similarity(first: NDArray[np.uint8], second: NDArray[np.uint8]) -> float:
    """Structural similarity, from -1 to 1, of two arrays of one shape: grey, or with colours."""
    from skimage.metrics import structural_similarity

    axis = 2 if first.ndim == 3 else None
    value: Any = structural_similarity(first, second, channel_axis=axis)
    return float(value)


def on_background(image: Image.Image, colour: str) -> Image.Image:
    """As RGB, what is transparent in this colour."""
    if not has_alpha(image):
        return image.convert("RGB")
    layer = image.convert("RGBA")
    ground = Image.new("RGBA", layer.size, colour)
    return Image.alpha_composite(ground, layer).convert("RGB")


def has_alpha(image: Image.Image) -> bool:
    """Whether the picture has transparency."""
    return image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info


def content_box(image: Image.Image) -> tuple[int, int, int, int] | None:
    """Left, top, right, bottom of what is not wholly transparent; None when all is."""
    return image.convert("RGBA").getchannel("A").getbbox()


def brightness(image: Image.Image) -> float:
    """Mean of grey, 0 to 255."""
    return ImageStat.Stat(image.convert("L")).mean[0]


def saturation(image: Image.Image) -> float:
    """Mean of saturation, 0 to 255."""
    return ImageStat.Stat(image.convert("HSV").getchannel("S")).mean[0]


def contrast(image: Image.Image) -> float:
    """Standard deviation of all values of all bands."""
    return float(np.std(np.asarray(image, dtype=np.float32)))


def sharpness(image: Image.Image) -> float:
    """Variance of the Laplacian of grey."""
    from scipy.ndimage import laplace

    return float(np.var(laplace(np.asarray(image.convert("L"), dtype=np.float64), mode="mirror")))


def _colours(image: Image.Image) -> NDArray[np.uint8]:
    return np.asarray(image.convert("RGB"))
