"""OSWorld's metrics of edited pictures, and of GIMP's settings.

Guarantees: a picture that cannot be read scores 0, on either side, for some tasks give the agent's
as `expected`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image, ImageChops

from envs.osworld.outside.published.error_policy import Unreadable, unreadable_scores_0
from envs.osworld.outside.published.images import (
    brightness,
    content_box,
    contrast,
    has_alpha,
    read_image,
    saturation,
    sharpness,
    similar,
    similar_to_the_eye,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s()"]+')
MIDDLE_GREY = 128
"""Both pictures are brought to this brightness before they are compared."""


@unreadable_scores_0
def compare_image_list(result: Path | Sequence[Path], expected: Path | Sequence[Path]) -> float:
    """1 when both list as many pictures and each pair is of one size, same in every pixel."""
    actual, target = _as_list(result), _as_list(expected)
    if len(actual) != len(target):
        return 0.0
    return float(all(map(_equal, map(read_image, actual), map(read_image, target))))


def compare_image_list_compat(
    result: Path | Sequence[Path], expected: Path | Sequence[Path]
) -> float:
    """Pairs as many as there are on both sides, the first picture brought to the size and mode of
    the second; of pictures with alpha nothing but alpha counts. Raises OSError."""
    for path, expected_path in zip(_as_list(result), _as_list(expected), strict=False):
        image: Image.Image = Image.open(path)
        target = Image.open(expected_path)
        if image.size != target.size:
            image = image.resize(target.size, Image.Resampling.LANCZOS)
        if image.mode != target.mode:
            image = image.convert(target.mode)
        if ImageChops.difference(image, target).getbbox():
            return 0.0
    return 1.0


def check_file_exists(result: str, expected: str) -> float:
    """1 when the folder `result` has a file `expected`. No task uses it."""
    return float(Path(result, expected).is_file())


@unreadable_scores_0
def increase_saturation(result: Path, expected: Path) -> float:
    """1 when `expected` is more saturated. No task uses it."""
    return float(saturation(read_image(result)) < saturation(read_image(expected)))


@unreadable_scores_0
def decrease_brightness(result: Path, expected: Path) -> float:
    """1 when `expected` is darker. No task uses it."""
    return float(brightness(read_image(result)) > brightness(read_image(expected)))


@unreadable_scores_0
def check_brightness_decrease_and_structure_sim(
    result: Path, expected: Path, threshold: float = 0.03
) -> float:
    """1 when `result` is darker and, both at one brightness, the mean square of the difference is
    under `threshold` (values from 0 to 1). Black pictures are like none."""
    actual, target = (read_image(path).convert("RGB") for path in (result, expected))
    if not 0 < brightness(actual) < brightness(target):
        return 0.0
    return float(
        _distance(_with_mean_brightness(actual), _with_mean_brightness(target)) < threshold
    )


def check_brightness_decrease_and_structure_sim_compat(
    result: Path, expected: Path, threshold: float = 0.03
) -> float:
    """Takes the indices of a palette for values. Raises ZeroDivisionError for a black picture."""
    actual, target = Image.open(result), Image.open(expected)
    darker = brightness(actual) < brightness(target)
    return float(
        _distance(_with_mean_brightness(actual), _with_mean_brightness(target)) < threshold
        and darker
    )


@unreadable_scores_0
def check_saturation_increase_and_structure_sim(result: Path, expected: Path) -> float:
    """1 when `result` is more saturated, and alike in hue and in value."""
    actual, target = (read_image(path).convert("HSV") for path in (result, expected))
    return float(
        saturation(target) < saturation(actual)
        and all(similar(actual.getchannel(band), target.getchannel(band)) for band in "HV")
    )


@unreadable_scores_0
def check_contrast_increase_and_structure_sim(result: Path, expected: Path) -> float:
    """1 when `result` has more contrast in its colours, and is alike in structure."""
    actual, target = (read_image(path).convert("RGB") for path in (result, expected))
    return float(contrast(target) < contrast(actual) and similar(actual, target, 0.65))


def check_contrast_increase_and_structure_sim_compat(result: Path, expected: Path) -> float:
    """Alpha and indices of a palette count as colours."""
    actual, target = Image.open(result), Image.open(expected)
    return float(contrast(target) < contrast(actual) and similar(actual, target, 0.65))


@unreadable_scores_0
def check_file_exists_and_structure_sim(result: Path, expected: Path) -> float:
    """1 when both are alike in structure."""
    return float(similar(read_image(result), read_image(expected)))


@unreadable_scores_0
def check_structure_sim(result: Path, expected: Path) -> float:
    """1 when both are of one size and alike, transparency included."""
    return float(similar_to_the_eye(read_image(result), read_image(expected)))


@unreadable_scores_0
def check_structure_sim_compat(result: Path, expected: Path) -> float:
    """Compares the colours below what is transparent."""
    return float(similar(read_image(result), read_image(expected)))


@unreadable_scores_0
def check_structure_sim_with_threshold(
    result: Path, expected: Path, ssim_threshold: float = 0.9
) -> float:
    """As check_structure_sim, with another threshold. Not in the published package."""
    return float(similar_to_the_eye(read_image(result), read_image(expected), ssim_threshold))


@unreadable_scores_0
def check_structure_sim_resized(result: Path, expected: Path) -> float:
    """1 when `result`, cropped to what is not transparent and brought to the size of `expected`, is
    alike."""
    image, target = read_image(result), read_image(expected)
    if has_alpha(image):
        box = content_box(image)
        if box is None:
            return 0.0
        image = image.convert("RGBA").crop(box).convert("RGB")
    return float(similar(image.resize(target.size), target))


@unreadable_scores_0
def check_palette_and_structure_sim(result: Path, expected: Path) -> float:
    """1 when `result` has a palette and is alike in structure."""
    image = read_image(result)
    return float(image.mode == "P" and similar(image, read_image(expected)))


@unreadable_scores_0
def check_image_mirror(result: Path, expected: Path) -> float:
    """1 when `result` is `expected` with left and right exchanged."""
    mirrored = read_image(result).transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    return float(similar(mirrored, read_image(expected), 0.99))


@unreadable_scores_0
def check_sharper(result: Path, expected: Path) -> float:
    """1 when `result` is sharper. No task uses it."""
    return float(sharpness(read_image(result)) > sharpness(read_image(expected)))


def check_image_file_size(result: Path, expected: Mapping[str, int]) -> float:
    """1 when the file has fewer bytes than `max_size`."""
    return float(result.stat().st_size < expected["max_size"])


@unreadable_scores_0
def check_image_size(result: Path, expected: Mapping[str, Any]) -> float:
    """1 when `height` and `width`, each if given, are the picture's; with `ignore_transparent`,
    those of what is not transparent."""
    image = read_image(result)
    return _has_size(
        image, expected, cropped=expected.get("ignore_transparent") and has_alpha(image)
    )


def check_image_size_compat(result: Path, expected: Mapping[str, Any]) -> float:
    """A transparent colour in a palette is ignored even unasked."""
    image = Image.open(result)
    ignored = expected.get("ignore_transparent") and image.mode in ("RGBA", "LA")
    return _has_size(image, expected, cropped=ignored or "transparency" in image.info)


@unreadable_scores_0
def check_config_status(result: Path, expected: Mapping[str, Any]) -> float:
    """1 when a line "(key ... value)" of the settings has this `key`, or first two words, and ends
    with this `value`; texts have their quotes."""
    try:
        lines = result.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise Unreadable(str(error)) from error
    words = [TOKEN.findall(line) for line in lines if not line.startswith("#")]
    key = _key(expected["key"])
    return float(
        any(line[: len(key)] == key and line[-1] == expected["value"] for line in words if line)
    )


def check_config_status_compat(result: Path, expected: Mapping[str, Any]) -> float:
    """Splits quoted texts at blanks. Raises IndexError for a line of blanks, or one of one word
    where the key has two, and UnicodeDecodeError."""
    key = _key(expected["key"])
    for line in result.read_text(encoding="utf-8").split("\n"):
        if not line or line.startswith("#"):
            continue
        words = line.strip().lstrip("(").rstrip(")").split()
        is_key = all(words[place] == word for place, word in enumerate(key))
        if is_key and words[-1] == expected["value"]:
            return 1.0
    return 0.0


def _as_list(paths: Path | Sequence[Path]) -> list[Path]:
    return [paths] if isinstance(paths, Path) else list(paths)


def _equal(first: Image.Image, second: Image.Image) -> bool:
    difference = ImageChops.difference(first.convert("RGBA"), second.convert("RGBA"))
    return first.size == second.size and difference.getbbox(alpha_only=False) is None


def _with_mean_brightness(image: Image.Image) -> Image.Image:
    factor = MIDDLE_GREY / brightness(image)
    return image.point(
        [min(255, int(value * factor)) for value in range(256)] * len(image.getbands())
    )


def _distance(first: Image.Image, second: Image.Image) -> float:
    """Mean square of the difference; the first is brought to the size of the other."""
    if first.size != second.size:
        first = first.resize(second.size, Image.Resampling.LANCZOS)
    values = [_values(image) for image in (first, second)]
    return float(np.mean((values[0] - values[1]) ** 2))


def _values(image: Image.Image) -> NDArray[np.float32]:
    return np.asarray(image.convert("RGB"), dtype=np.float32) / np.float32(255)


def _has_size(image: Image.Image, size: Mapping[str, Any], cropped: bool | None) -> float:
    width, height = image.size
    if cropped:
        left, top, right, bottom = content_box(image) or (0, 0, 0, 0)
        width, height = right - left, bottom - top
    return float(size.get("width") in (None, width) and size.get("height") in (None, height))


def _key(key: str | list[str]) -> list[str]:
    """Raises ValueError for what is neither one word nor two."""
    words = [key] if isinstance(key, str) else list(key)
    if len(words) > 2 or not all(isinstance(word, str) for word in words):
        raise ValueError(f"key is {key!r}, not one word or two")
    return words
