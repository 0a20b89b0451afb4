"""Pictures of products, drawn from category and color: the outline in the color, seams over it.

They are no part of the page's tree: an ornament without roles.
"""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.apps.shop.catalogue import Product
from envs.gyms.kit.html import el

PAINTS = {
    "Blue": "#2f5fb3",
    "Red": "#c0392f",
    "Green": "#3f7d4e",
    "Black": "#2b2d33",
    "White": "#f4f1ea",
    "Grey": "#8b9099",
    "Yellow": "#e3b52e",
    "Purple": "#7a4a94",
    "Orange": "#dd7a2c",
    "Brown": "#7d5539",
}
_TOP = "M36 16l-22 10-8 24 13 5 5-12v45h52V43l5 12 13-5-8-24-22-10c-6 8-22 8-28 0z"
_LONG_TOP = "M36 14l-20 9-10 52 12 3 6-34v44h52V44l6 34 12-3-10-52-20-9c-6 7-22 7-28 0z"
OUTLINES = {
    "Shirt": (_TOP, "M50 22v66M36 16l14 14 14-14M56 40h10v8H56z"),
    "Jacket": (_LONG_TOP, "M50 22v66M36 14l8 22 6-10 6 10 8-22M28 66h14M58 66h14"),
    "Sweater": (
        _LONG_TOP,
        "M36 14c6 10 22 10 28 0M24 82h52M26 52h48M26 58h48M6 71l12 3M94 71l-12 3",
    ),
    "Dress": (
        "M38 10l-4 2 2 26-18 52h64L64 38l2-26-4-2c-5 9-19 9-24 0z",
        "M36 38h28M44 40l-8 50M56 40l8 50M50 40v50",
    ),
    "Coat": (
        "M36 8l-18 8-10 54 12 3 5-28v51h50V45l5 28 12-3-10-54-18-8c-6 7-22 7-28 0z",
        "M50 18v78M36 8l8 22 6-10 6 10 8-22M44 50h1M44 62h1M56 50h1M56 62h1M30 70h10M60 70h10",
    ),
    "Hoodie": (
        "M36 16c4-14 24-14 28 0l20 7 10 52-12 3-6-34v44H24V44l-6 34-12-3 10-52z",
        "M36 16c2 14 26 14 28 0M46 26v18M54 26v18M34 60h32l6 18H28z",
    ),
    "Skirt": ("M32 16h36l18 68H14z", "M32 24h36M42 24l-8 60M50 24v60M58 24l8 60"),
    "Backpack": (
        "M36 20c0-16 28-16 28 0 10 4 14 14 14 26v42H22V46c0-12 4-22 14-26z",
        "M32 58h36v22H32zM32 66h36M36 20h28M42 40h16M22 60h-6v20h6M78 60h6v20h-6",
    ),
    "Scarf": (
        "M30 14h40c8 4 8 18 0 22H58l8 54H48l-6-54H30c-8-4-8-18 0-22z",
        "M42 36h20M46 60h17M47 68h17M49 80h17M52 90v6M57 90v6M62 90v6",
    ),
    "Blanket": (
        "M12 30l54-12 22 14v44L34 88 12 74z",
        "M12 30l22 14 54-12M34 44v44M16 52l18 12 54-12",
    ),
    "Wallet": ("M12 28h76v48H12z", "M12 38h76M62 48h26v14H62zM68 55h2M16 32h68"),
    "Cushion": (
        "M14 18c24 6 48 6 72 0-6 22-6 42 0 64-24-6-48-6-72 0 6-22 6-42 0-64z",
        "M26 28c16 4 32 4 48 0M26 72c16-4 32-4 48 0M50 48v4",
    ),
    "Hat": (
        "M30 58c0-40 40-40 40 0 16 2 24 6 24 12 0 14-88 14-88 0 0-6 8-10 24-12z",
        "M30 58c8 6 32 6 40 0M30 50c8 6 32 6 40 0",
    ),
    "Apron": (
        "M38 14h24v22l16 10v44H22V46l16-10z",
        "M38 14c0-10 24-10 24 0M34 58h32v18H34zM50 58v18M22 48l-10-6M78 48l10-6",
    ),
    "Bag": ("M20 38h60l8 50H12z", "M36 38c0-30 28-30 28 0M20 48h60M46 44h8v8h-8z"),
}
"""Outline and seams of each category, on a square of 100 x 100."""


def picture(product: Product) -> Markup:
    """The product in its first color."""
    outline, seams = OUTLINES[product.category]
    paint = f"--c:{PAINTS[product.colors[0]]}"
    paths = (el("path", d=outline, class_="cloth"), el("path", d=seams, class_="seams"))
    drawing = el("svg", paths, viewBox="0 0 100 100", aria_hidden="true")
    return el("i", drawing, class_="pic", style=paint)


def stars(product: Product) -> Markup:
    """The rating as five stars, the part that it reaches painted."""
    return el("span", class_="stars", style=f"--part:{product.rating * 2}%")
