"""OSWorld's metrics that compare pictures, sounds and films.

Guarantees: what cannot be read scores 0, on either side.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageSequence

from envs.osworld.outside.published.error_policy import Unreadable, unreadable_scores_0
from envs.osworld.outside.published.images import SMALLEST, read_image, similarity

BETTER = 0.01
"""At least so much above `reference_base_result`."""
MOMENTS = 10
"""At which films of pictures (GIF) are compared."""


@unreadable_scores_0
def compare_images(result: Path, expected: Path, **options: Any) -> float:
    """Structural similarity of both in grey, at the size of one, never under 0. An animation is
    compared at MOMENTS moments, and is like no single picture. `reference_base_result` is what a
    wrong picture has: that gives 0, and what is above it is stretched to 1."""
    actual, target = read_image(result), read_image(expected)
    if getattr(actual, "is_animated", False) != getattr(target, "is_animated", False):
        return 0.0
    pairs = list(zip(_moments(actual), _moments(target), strict=True))
    if any(min(min(a.size, b.size)) < SMALLEST for a, b in pairs):
        return 0.0
    score = sum(max(0.0, _likeness(*pair)) for pair in pairs) / len(pairs)
    return _above(score, options.get("reference_base_result"))


def compare_images_compat(result: Path, expected: Path, **options: Any) -> float:
    """The first picture of an animation alone; may be under 0. Raises OSError, ValueError."""
    score = _likeness(Image.open(result), Image.open(expected))
    return _above(score, options.get("reference_base_result"))


@unreadable_scores_0
def compare_audios(result: Path, expected: Path) -> float:
    """exp(-distance) of the sounds' cepstra along the best alignment in time: 1 for the same
    sound."""
    from envs.osworld.outside.published.sound import cepstra, distance, read_sound

    return float(np.exp(-distance(*(cepstra(read_sound(path)) for path in (result, expected)))))


def compare_audios_compat(result: Path, expected: Path) -> float:
    """Two sounds neither of which can be read are the same."""
    if not any(map(_sounds, (result, expected))):
        return 1.0
    return compare_audios(result, expected)


@unreadable_scores_0
def compare_videos(
    result: Path, expected: Path, max_frames_to_check: int = 100, threshold: int = 5
) -> float:
    """1 when no more than `threshold` of the first frames differ in more than `threshold` bits of
    their hash, and neither film ends before the other within them."""
    frames = (islice(_frames(path), max_frames_to_check) for path in (result, expected))
    unlike = 0
    for first, second in zip_longest(*frames):
        if first is None or second is None:
            return 0.0
        unlike += _bits(first, second) > threshold
        if unlike > threshold:
            return 0.0
    return 1.0


def compare_videos_compat(
    result: Path, expected: Path, max_frames_to_check: int = 100, threshold: int = 5
) -> float:
    """Two films neither of which can be read are the same."""
    if not any(map(_shows, (result, expected))):
        return 1.0
    return compare_videos(
        result, expected, max_frames_to_check=max_frames_to_check, threshold=threshold
    )


def _likeness(first: Image.Image, second: Image.Image) -> float:
    """Both are brought to the size that is narrower, or, of one width, lower."""
    size = min(first.size, second.size)
    arrays = [
        np.asarray(image.convert("L").resize(size, Image.Resampling.LANCZOS))
        for image in (first, second)
    ]
    return similarity(*arrays)


def _above(score: float, base: float | None) -> float:
    if base is None:
        return score
    return (score - base) / (1 - base) if score >= base + BETTER else 0.0


def _moments(image: Image.Image) -> list[Image.Image]:
    if not getattr(image, "is_animated", False):
        return [image]
    try:
        frames = [frame.convert("L") for frame in ImageSequence.Iterator(image)]
    except (OSError, SyntaxError, ValueError, EOFError) as error:
        raise Unreadable(str(error)) from error
    return [frames[index * len(frames) // MOMENTS] for index in range(MOMENTS)]


def _frames(path: Path) -> Iterator[Image.Image]:
    """As a player shows them, turned as the file says. Raises Unreadable when there is none."""
    import av

    shown = 0
    try:
        with av.open(str(path)) as film:
            for frame in film.decode(video=0):
                shown += 1
                image = frame.to_image()
                yield image.rotate(frame.rotation, expand=True) if frame.rotation else image
    except (av.FFmpegError, IndexError, ValueError) as error:
        # A film that breaks off ends there, for players too.
        if not shown:
            raise Unreadable(str(error)) from error


def _bits(first: Image.Image, second: Image.Image) -> int:
    import imagehash

    return int(imagehash.phash(first) - imagehash.phash(second))


def _shows(path: Path) -> bool:
    try:
        return next(_frames(path), None) is not None
    except Unreadable:
        return False


def _sounds(path: Path) -> bool:
    from envs.osworld.outside.published.sound import read_sound

    try:
        return len(read_sound(path)) > 0
    except Unreadable:
        return False
