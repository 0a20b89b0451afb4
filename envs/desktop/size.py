"""The size of a desktop's screen, in pixels."""

from __future__ import annotations

Size = tuple[int, int]
"""Width and height."""
SIZE: Size = (1280, 720)
"""Of desktops for tasks of ours."""
OSWORLD_SIZE: Size = (1920, 1080)
"""Of OSWorld's machines; some of its tasks click fixed pixels."""
SMALLEST, LARGEST = 320, 8192


def parse_size(text: str) -> Size:
    """The size that "1920x1080" names. Raises ValueError."""
    width, mark, height = text.lower().partition("x")
    if not mark or not (width.isdigit() and height.isdigit()):
        raise ValueError(f"{text!r} is not a screen size: write it like 1920x1080")
    size = int(width), int(height)
    if not all(SMALLEST <= side <= LARGEST for side in size):
        raise ValueError(f"{text}: sides are {SMALLEST} to {LARGEST} pixels")
    return size


def size_text(size: Size) -> str:
    """The size as command lines take it."""
    return f"{size[0]}x{size[1]}"
