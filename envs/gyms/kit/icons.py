"""Small line drawings for the style sheets, as CSS variables: `--icon-star` and so on.

Style sheets paint them as masks in the colour of the text, so that they follow the theme. They are
no part of the page's tree: what a control is called stays in its text.
"""

from __future__ import annotations

import re

ICONS = {
    "inbox": "M3 13h5l2 3h4l2-3h5M3 13l3-8h12l3 8v6H3z",
    "mail": "M3 5h18v14H3zM3 6l9 7 9-7",
    "pen": "M4 20l1-5L16 4l4 4L9 19zM14 6l4 4",
    "folder": "M3 6h6l2 3h10v10H3z",
    "trash": "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
    "star": "M12 3l2.7 5.8 6.3.8-4.6 4.4 1.2 6.3L12 17.2l-5.6 3.1L7.6 14 3 9.6l6.3-.8z",
    "gear": (
        "M12 9a3 3 0 100 6 3 3 0 000-6zM12 3v3M12 18v3M3 12h3M18 12h3M6 6l2 2M16 16l2 2"
        "M6 18l2-2M16 8l2-2"
    ),
    "clip": "M8 12l6-6a3 3 0 014 4l-8 8a5 5 0 01-7-7l8-8",
    "filter": "M3 5h18l-7 8v6l-4 2v-8z",
    "calendar": "M4 6h16v14H4zM4 10h16M8 3v5M16 3v5",
    "list": "M8 6h13M8 12h13M8 18h13M3 6h1M3 12h1M3 18h1",
    "clock": "M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l3 3",
    "door": "M6 3h12v18H6zM14 12h1M3 21h18",
    "person": "M12 4a4 4 0 100 8 4 4 0 000-8zM4 21c0-4 4-6 8-6s8 2 8 6",
    "people": (
        "M9 5a3 3 0 100 6 3 3 0 000-6zM3 19c0-3 3-5 6-5s6 2 6 5M16 6a3 3 0 010 5M17 14c2 0 4 2 4 5"
    ),
    "home": "M3 11l9-8 9 8M5 10v10h14V10M10 20v-6h4v6",
    "board": "M4 4h4v16H4zM10 4h4v10h-4zM16 4h4v13h-4z",
    "ticket": "M3 7h18v4a2 2 0 000 3v4H3v-4a2 2 0 000-3z",
    "chat": "M4 5h16v11H10l-4 4v-4H4z",
    "bill": "M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6",
    "repeat": "M4 11V9a3 3 0 013-3h12l-3-3M20 13v2a3 3 0 01-3 3H5l3 3",
    "share": (
        "M6 9a3 3 0 100 6 3 3 0 000-6zM18 3a3 3 0 100 6 3 3 0 000-6z"
        "M18 15a3 3 0 100 6 3 3 0 000-6zM9 11l6-4M9 13l6 4"
    ),
    "disk": "M4 6c0-4 16-4 16 0v12c0 4-16 4-16 0zM4 6c0 4 16 4 16 0M4 12c0 4 16 4 16 0",
    "page": "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
    "sheet": "M4 4h16v16H4zM4 9h16M4 14h16M10 4v16",
    "slides": "M3 5h18v11H3zM12 16v4M8 20h8M8 9h8",
    "picture": "M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 6M16 8a1 1 0 100 2 1 1 0 000-2z",
    "key": "M8 8a4 4 0 100 8 4 4 0 000-8zM12 12h9v4M17 12v3",
    "bag": "M5 8h14l1 13H4zM9 8V6a3 3 0 016 0v2",
    "megaphone": "M4 9v6h4l9 5V4L8 9zM20 9v6",
    "check": "M4 12l6 6L20 6",
    "warn": "M12 3l10 18H2zM12 10v5M12 17v1",
    "search": "M10 4a6 6 0 100 12 6 6 0 000-12zM15 15l6 6",
    "down": "M6 9l6 6 6-6",
    "more": "M5 12h1M12 12h1M19 12h1",
}
"""Paths on a square of 24 x 24 that are drawn as lines."""
_DRAWING = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='gray' "
    "stroke-width='2' stroke-linejoin='round' stroke-linecap='round'><path d='{}'/></svg>"
)


def make_icon_style(sheet: str) -> str:
    """A rule with a variable for each icon that the sheet paints. Raises KeyError for one that is
    not there."""
    names = sorted(set(re.findall(r"var\(--icon-([a-z]+)\)", sheet)))
    variables = (
        f'--icon-{name}:url("data:image/svg+xml,{_DRAWING.format(ICONS[name])}")' for name in names
    )
    return f":root{{{';'.join(variables)}}}" if names else ""
