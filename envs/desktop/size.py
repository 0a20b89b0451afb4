"""Sizes of desktops' screens, in pixels."""

from __future__ import annotations

from envs.contract.screen_size import Size, parse_size, size_text

SIZE: Size = (1280, 720)
"""Of desktops for tasks of ours."""
OSWORLD_SIZE: Size = (1920, 1080)
"""Of OSWorld's machines; some of its tasks click fixed pixels."""

__all__ = ["OSWORLD_SIZE", "SIZE", "Size", "parse_size", "size_text"]
