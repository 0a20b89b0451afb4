"""OSWorld's metrics of where something is in a picture: a triangle, a text, a background.

Guarantees: a picture that cannot be read scores 0.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from envs.osworld.outside.published.error_policy import Unreadable, unreadable_scores_0
from envs.osworld.outside.published.images import on_background, read_image

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEAR = 0.05
"""Of the picture's width or height."""
DARK = 128


@unreadable_scores_0
def check_triangle_position(result: Path) -> float:
    """1 when the shape is within 5% of the picture's middle: what has the second most frequent
    colour, the most frequent being the background's."""
    values = _colours(read_image(result))
    colours, counts = _count_colours(values)
    if len(colours) < 2:
        return 0.0
    return _is_centred(values, colours[np.argsort(counts)[-2]])


def check_triangle_position_compat(result: Path) -> float:
    """Looks for the second rarest colour: with two colours, the background's; with soft edges, some
    shade of an edge. Raises IndexError for one colour, greys and palettes."""
    values = np.array(Image.open(result))
    colours, counts = np.unique(values.reshape(-1, values.shape[2]), axis=0, return_counts=True)
    return _is_centred(values, colours[np.argsort(counts)][1])


@unreadable_scores_0
def compare_triangle_positions(result: Path, expected: Path) -> float:
    """1 when the yellow shape of `expected` is nearer to the middle than that of `result`. No task
    uses it."""
    return float(_off_centre(result) > _off_centre(expected))


def compare_triangle_positions_compat(result: Path, expected: Path) -> float:
    """Any colour is yellow to it, so the whole picture is the shape, in its own middle: 1 only when
    `result` has an even side more. Raises OSError."""
    return float(_rounding_offset(result) > _rounding_offset(expected))


@unreadable_scores_0
def check_textbox_on_leftside(result: Path) -> float:
    """1 when something dark begins in the leftmost 5% of the picture, as seen on white."""
    return _dark_at_left(on_background(read_image(result), "white"))


def check_textbox_on_leftside_compat(result: Path) -> float:
    """Takes what is transparent for what colour it has, black mostly. Raises OSError."""
    return _dark_at_left(Image.open(result))


@unreadable_scores_0
def check_green_background(result: Path, expected: Path) -> float:
    """1 when every pixel that is not black in `expected` is more green than red or blue."""
    actual, target = _colours(read_image(result)), _colours(read_image(expected))
    if actual.shape != target.shape:
        return 0.0
    return _green(actual, target)


def check_green_background_compat(result: Path, expected: Path) -> float:
    """Takes rows for columns, which is no matter for squares. Raises IndexError for other pictures,
    unless it sees a wrong pixel before."""
    actual, target = np.array(Image.open(result)), np.array(Image.open(expected))
    height, width = target.shape[:2]
    for column in range(width):
        for row in range(height):
            if tuple(target[column, row][:3]) != (0, 0, 0):
                red, green, blue = actual[column, row][:3]
                if not (green > red and green > blue):
                    return 0.0
    return 1.0


def _colours(image: Image.Image) -> NDArray[np.uint8]:
    return np.asarray(image.convert("RGB"))


def _count_colours(values: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Each colour once, and how many pixels have it."""
    weights = np.array([65536, 256, 1], dtype=np.uint32)
    codes, counts = np.unique(values.astype(np.uint32) @ weights, return_counts=True)
    colours = np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=1).astype(np.uint8)
    return colours, counts.astype(np.int64)


def _is_centred(values: NDArray[np.uint8], colour: NDArray[np.uint8]) -> float:
    size = np.array(values.shape[:2])
    centroid = np.argwhere(np.all(values == colour, axis=2)).mean(axis=0)
    return float(bool(np.all(np.abs(centroid - size / 2) < NEAR * size)))


def _off_centre(path: Path) -> float:
    """Pixels from the picture's middle to that of what is yellow. Raises Unreadable."""
    values = _colours(read_image(path)).astype(np.int16)
    red, green, blue = (values[..., band] for band in range(3))
    yellow = np.argwhere((red > 2 * blue) & (green > 2 * blue) & (abs(red - green) < 64))
    if not len(yellow):
        raise Unreadable("nothing is yellow")
    return float(np.linalg.norm(yellow.mean(axis=0) - np.array(values.shape[:2]) / 2))


def _rounding_offset(path: Path) -> float:
    """Pixels from the middle to the middle of the last and first pixel, both rounded down."""
    with Image.open(path) as image:
        return float(sum(side // 2 - (side - 1) // 2 for side in image.size))


def _dark_at_left(image: Image.Image) -> float:
    dark = np.argwhere((np.asarray(image.convert("L")) < DARK).any(axis=0))
    return float(bool(len(dark)) and dark[0, 0] < image.width * NEAR)


def _green(actual: NDArray[np.uint8], expected: NDArray[np.uint8]) -> float:
    background = expected.any(axis=2)
    red, green, blue = (actual[..., band][background] for band in range(3))
    return float(bool(np.all((green > red) & (green > blue))))
