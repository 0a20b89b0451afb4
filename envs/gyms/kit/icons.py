"""Small line drawings for the style sheets, as CSS variables: `--icon-folder` and so on.

Style sheets paint them as masks in the colour of the text, so that they follow the theme, or in one
colour, `--icon-folder-8a6d1d`, which costs less in long lists. They are no part of the page's tree:
what a control is called stays in its text.
"""

from __future__ import annotations

import re

ICONS = {
    "folder": "M3 6h6l2 3h10v10H3z",
    "clip": "M8 12l6-6a3 3 0 014 4l-8 8a5 5 0 01-7-7l8-8",
    "page": "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
    "sheet": "M4 4h16v16H4zM4 9h16M4 14h16M10 4v16",
    "slides": "M3 5h18v11H3zM12 16v4M8 20h8M8 9h8",
    "picture": "M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 6M16 8a1 1 0 100 2 1 1 0 000-2z",
    "bag": "M5 8h14l1 13H4zM9 8V6a3 3 0 016 0v2",
    "check": "M4 12l6 6L20 6",
    "search": "M10 4a6 6 0 100 12 6 6 0 000-12zM15 15l6 6",
}
"""Paths on a square of 24 x 24 that are drawn as lines."""
GRAY = "808080"
"""Of an icon that names no colour."""
_DRAWING = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%23{}' "
    "stroke-width='2' stroke-linejoin='round' stroke-linecap='round'><path d='{}'/></svg>"
)


def make_icon_style(sheet: str) -> str:
    """A rule with a variable for each icon that the sheet paints. Raises KeyError for one that is
    not there."""
    uses = sorted(set(re.findall(r"var\((--icon-([a-z]+)(?:-([0-9a-f]{6}))?)\)", sheet)))
    variables = (
        f'{variable}:url("data:image/svg+xml,{_DRAWING.format(color or GRAY, ICONS[name])}")'
        for variable, name, color in uses
    )
    return f":root{{{';'.join(variables)}}}" if uses else ""
