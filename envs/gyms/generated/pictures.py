"""A small line drawing for each domain: the mark of its apps, which style sheets paint.

It is a background and no part of the page's tree.
"""

from __future__ import annotations

from markupsafe import Markup

PICTURES = {
    "vet": "M12 13c-3 0-5 3-5 5s2 2 5 2 5 0 5-2-2-5-5-5zM6 9v1M18 9v1M9.5 5v2M14.5 5v2",
    "library": "M4 5h7l1 1 1-1h7v14h-7l-1 1-1-1H4zM12 6v13",
    "fleet": "M2 6h12v11H2zM14 10h4l4 4v3h-8M6 17v3h2v-3M17 17v3h2v-3",
    "garden": "M6 18C4 9 11 5 20 4c0 9-4 15-14 14zM3 21L13 11",
    "laboratory": "M9 3h6M10 3v6L4 20h16L14 9V3M7 15h10",
    "events": "M12 3l2.6 6 6.4.6-4.8 4.3 1.4 6.3L12 17l-5.6 3.2 1.4-6.3L3 9.6 9.4 9z",
    "kitchen": "M7 3v18M4 3v5a3 3 0 006 0V3M17 21v-7h-3c0-6 1-9 3-11z",
    "clinic": "M9 3h6v6h6v6h-6v6H9v-6H3V9h6z",
    "hotel": "M3 5v15M3 16h18v4M21 16v-4H3M7 12V9h5v3",
    "construction": "M6 21V4h15M6 4L3 8h15v5M3 21h7M15 13h6",
    "school": "M2 9l10-5 10 5-10 5zM6 11v5c3 3 9 3 12 0v-5M22 9v6",
    "museum": "M3 9l9-6 9 6zM5 9v9M10 9v9M14 9v9M19 9v9M3 21h18",
    "brewery": "M5 8h10v13H5zM15 11h4v6h-4M5 8a3 3 0 012-4 4 4 0 017 1 2 2 0 011 3M9 12v5M12 12v5",
    "farm": "M3 11l9-8 9 8v10H3zM9 21v-8h6v8M9 13l6 8M15 13l-6 8",
    "theatre": "M4 5c5 2 11 2 16 0v7c0 5-4 8-8 9-4-1-8-4-8-9zM8 10h2M14 10h2M8 15c3 2 5 2 8 0",
    "courier": "M3 7l9-4 9 4v10l-9 4-9-4zM3 7l9 4 9-4M12 11v10",
    "charity": "M12 20C5 15 3 11 3 8.5a4.5 4.5 0 019-1 4.5 4.5 0 019 1c0 2.5-2 6.5-9 11.5z",
    "insurance": "M3 12a9 9 0 0118 0zM12 12v7a2 2 0 004 0M12 2v1",
    "recruiting": "M3 8h18v12H3zM9 8V5h6v3M3 13h18M12 12v3",
    "gym_club": "M3 9v6M6 6v12M18 6v12M21 9v6M6 12h12",
    "printing": "M7 8V3h10v5M5 17H3V8h18v9h-2M7 14h10v7H7z",
    "repair_cafe": "M20 7a5 5 0 01-7 6l-7 7-3-3 7-7a5 5 0 016-7l-3 3 1 3 3 1z",
    "airport": "M2 14l20-9-4 9 2 6-8-4-5 4 1-5z",
    "legal": "M12 3v18M7 21h10M5 6h14M5 6l-3 8h6zM19 6l-3 8h6z",
    "translation": "M3 4h12v9H8l-4 4v-4H3zM18 9h3v9h-1v3l-3-3h-7",
    "real_estate": "M3 12l9-8 9 8M5 10v11h14V10M10 21v-6h4v6",
    "dentist": "M7 3c4 1 6 1 10 0 5 1 5 6 3 10 0 4-1 8-3 8s-1-6-5-6-3 6-5 6-3-4-3-8C2 9 2 4 7 3z",
    "bakery": "M4 11a4 4 0 011-7h14a4 4 0 011 7v9H4zM9 8l2 3M14 8l2 3",
    "marina": "M12 2v14M12 4l7 11h-7M12 7l-6 8h6M3 18h18l-3 4H6z",
    "foundry": "M3 21V9l6 4V9l6 4V4h5v17zM8 17h2M14 17h2",
    "festival": "M12 4L3 20h18zM12 10l-4 10M12 10l4 10M12 4l3-2",
    "nursery": "M9 3h6v6H9zM4 13h7v7H4zM13 13h7v7h-7z",
    "helpline": "M4 14v-2a8 8 0 0116 0v2M4 14h3v6H4zM17 14h3v6h-3zM20 20c0 2-3 2-6 2",
    "forestry": "M12 2l6 8h-3l4 6H5l4-6H6zM12 16v6",
    "archive": "M3 4h18v5H3zM5 9v11h14V9M10 13h4",
    "carwash": "M12 3c4 5 6 8 6 11a6 6 0 01-12 0c0-3 2-6 6-11zM9 14a3 3 0 003 3",
    "observatory": "M20 14A8 8 0 1110 4a7 7 0 0010 10zM17 3v4M15 5h4",
    "pottery": "M9 3h6M10 3c0 4-5 5-5 10 0 4 3 5 4 8h6c1-3 4-4 4-8 0-5-5-6-5-10M6 11h12",
    "ferry": "M3 15h18l-3 6H6zM6 15V9h12v6M9 9V4h4v5",
    "radio": "M9 5a3 3 0 016 0v6a3 3 0 01-6 0zM5 11a7 7 0 0014 0M12 18v4M8 22h8",
    "tailor": "M6 3a3 3 0 100 6 3 3 0 000-6zM6 15a3 3 0 100 6 3 3 0 000-6zM8 8l12 11M8 16L20 5",
    "recycling": "M4 6h16M9 6V3h6v3M6 6l1 15h10l1-15M10 10v7M14 10v7",
    "beekeeping": "M12 2l5 3v6l-5 3-5-3V5zM7 11v6l5 4 5-4v-6M12 14v7",
    "cinema": "M3 5h18v14H3zM8 5v14M16 5v14M3 10h5M3 14h5M16 10h5M16 14h5",
    "mining": "M3 10C7 3 17 3 21 10M12 5v17",
    "elections": "M3 13h18v8H3zM7 13V3h10v10M10 8l2 2 3-4",
    "diving": "M3 6h15v8h-5l-2.5-3L8 14H3zM18 9h3v12",
    "locksmith": "M7 7a5 5 0 100 10A5 5 0 007 7zM12 12h10v4M18 12v3",
    "orchestra": "M9 18V4l11-2v14M9 18a3 3 0 11-6 0 3 3 0 016 0zM20 16a3 3 0 11-6 0 3 3 0 016 0z",
    "lighthouse": "M9 21l1-13h4l1 13zM8 8h8M10 8V5l2-2 2 2v3M3 5l4 1M21 5l-4 1",
    "auction": "M13 3l7 7-3 3-7-7zM12 8L3 17l3 3 9-9M13 21h8",
    "greenhouse": "M3 21V10l9-7 9 7v11zM12 3v18M3 13h18",
    "ski": "M2 20l7-13 4 7 3-4 6 10zM7 11l2 1 2-1",
}
"""Paths on a square of 24 x 24 that are drawn as lines."""
_DRAWING = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='{colour}' "
    "stroke-width='2' stroke-linejoin='round' stroke-linecap='round'><path d='{path}'/></svg>"
)


def make_picture(domain: str, is_dark: bool) -> Markup:
    """A CSS image of the domain, to lie upon the accent of a theme; `none` for a domain that has
    no drawing."""
    path = PICTURES.get(domain)
    if path is None:
        return Markup("none")
    drawing = _DRAWING.format(colour="black" if is_dark else "white", path=path)
    return Markup(f'url("data:image/svg+xml,{drawing}")')
