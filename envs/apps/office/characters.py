"""Character formatting that Writer and Impress share: colours and character properties in UNO.

A property that the caller leaves at None keeps its value.
"""

from __future__ import annotations

import re
from typing import Any, Literal

from envs.apps.office.registry import OfficeError
from envs.apps.office.uno_values import enum

AUTOMATIC = -1
"""No colour of its own: automatic text, no background."""

COLOURS = {
    "black": 0x000000,
    "white": 0xFFFFFF,
    "red": 0xFF0000,
    "green": 0x008000,
    "lime": 0x00FF00,
    "blue": 0x0000FF,
    "yellow": 0xFFFF00,
    "cyan": 0x00FFFF,
    "magenta": 0xFF00FF,
    "orange": 0xFFA500,
    "purple": 0x800080,
    "pink": 0xFFC0CB,
    "brown": 0xA52A2A,
    "gold": 0xFFD700,
    "navy": 0x000080,
    "teal": 0x008080,
    "maroon": 0x800000,
    "olive": 0x808000,
    "gray": 0x808080,
    "grey": 0x808080,
    "silver": 0xC0C0C0,
    "none": AUTOMATIC,
    "automatic": AUTOMATIC,
}

Script = Literal["super", "sub", "normal"]
ESCAPEMENTS = {"super": (14000, 58), "sub": (-14000, 58), "normal": (0, 100)}
"""Shift and height, in percent of the font's height; 14000 leaves the shift to the font."""

OTHER_SCRIPTS = re.compile("[\u0590-\u1fff\u2e80-\ud7ff\uf900-\ufdff]")
"""Letters that LibreOffice formats by the Asian and Complex variants of a property."""

VARIED = ("CharWeight", "CharPosture", "CharHeight", "CharFontName")
"""Properties that have those variants."""


def colour_number(colour: str) -> int:
    """0xRRGGBB of "#RRGGBB" or a name. Raises OfficeError(bad_value) for any other text."""
    word = colour.strip().lower()
    if word in COLOURS:
        return COLOURS[word]
    if re.fullmatch("#?[0-9a-f]{6}", word):
        return int(word.lstrip("#"), 16)
    names = ", ".join(sorted(COLOURS))
    raise OfficeError("bad_value", f"{colour!r} is not a colour; use #RRGGBB or one of: {names}")


def colour_text(number: int) -> str:
    """ "#RRGGBB" of UNO's number, "none" for AUTOMATIC."""
    return "none" if number < 0 else f"#{number & 0xFFFFFF:06X}"


def character_properties(
    *,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
    strikethrough: bool | None = None,
    colour: str | None = None,
    font: str | None = None,
    size: float | None = None,
    script: Script | None = None,
) -> dict[str, Any]:
    """UNO properties of this formatting. Raises OfficeError(bad_value) for a bad value."""
    if size is not None and not 1 <= size <= 999:
        raise OfficeError("bad_value", f"{size} is not a font size; it is 1 to 999 points")
    properties: dict[str, Any] = {}
    if bold is not None:
        properties["CharWeight"] = 150.0 if bold else 100.0
    if italic is not None:
        properties["CharPosture"] = enum("awt.FontSlant", "ITALIC" if italic else "NONE")
    if underline is not None:
        properties["CharUnderline"] = 1 if underline else 0
    if strikethrough is not None:
        properties["CharStrikeout"] = 1 if strikethrough else 0
    if colour is not None:
        properties["CharColor"] = colour_number(colour)
    if font is not None:
        properties["CharFontName"] = font
    if size is not None:
        properties["CharHeight"] = size
    if script is not None:
        properties["CharEscapement"], properties["CharEscapementHeight"] = ESCAPEMENTS[script]
    return properties


def set_properties(target: Any, properties: dict[str, Any], text: str = "") -> None:
    """Sets all of them; where `text` has Asian or right-to-left letters, their variants too."""
    values = dict(properties)
    if OTHER_SCRIPTS.search(text):
        for name in VARIED:
            if name in properties:
                values[f"{name}Asian"] = values[f"{name}Complex"] = properties[name]
    for name, value in values.items():
        target.setPropertyValue(name, value)


def require_properties(properties: dict[str, Any]) -> dict[str, Any]:
    """The properties. Raises OfficeError(bad_value) when there are none to change."""
    if not properties:
        raise OfficeError("bad_value", "nothing to change: give at least one property")
    return properties
