"""The size of a screen or of a page's viewport, in pixels."""

from __future__ import annotations

Size = tuple[int, int]
"""Width and height."""
LARGEST = 8192


def parse_size(text: str, smallest: int = 320) -> Size:
    """The size that "1920x1080" names; no side is below `smallest`. Raises ValueError."""
    width, mark, height = text.lower().partition("x")
    if not mark or not (width.isdigit() and height.isdigit()):
        raise ValueError(f"{text!r} is not a screen size: write it like 1920x1080")
    size = int(width), int(height)
    if not all(smallest <= side <= LARGEST for side in size):
        raise ValueError(f"{text}: sides are {smallest} to {LARGEST} pixels")
    return size


def size_text(size: Size) -> str:
    """The size as command lines take it."""
    return f"{size[0]}x{size[1]}"
