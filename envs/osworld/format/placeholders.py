"""Placeholders in the commands of task files, such as the size of the screen."""

from __future__ import annotations

from typing import Protocol

PASSWORD = "password"
"""That of the user on OSWorld's machines. Here it opens nothing: there is no sudo."""


class Sized(Protocol):
    """`width` and `height` of the screen, pixels."""

    width: int
    height: int


def fill_placeholders(text: str, machine: Sized) -> str:
    """The text with {CLIENT_PASSWORD}, {SCREEN_WIDTH}, {SCREEN_HEIGHT}, {SCREEN_WIDTH_HALF} and
    {SCREEN_HEIGHT_HALF} replaced; other braces are kept."""
    for name, value in (
        ("CLIENT_PASSWORD", PASSWORD),
        ("SCREEN_WIDTH", machine.width),
        ("SCREEN_HEIGHT", machine.height),
        ("SCREEN_WIDTH_HALF", machine.width // 2),
        ("SCREEN_HEIGHT_HALF", machine.height // 2),
    ):
        text = text.replace(f"{{{name}}}", str(value))
    return text
