"""Pictures for tests, the same at every run."""

from __future__ import annotations

import random

from PIL import Image, ImageDraw


def scene(seed: int = 0) -> Image.Image:
    """Coloured shapes on a gradient, 120 x 80."""
    chance = random.Random(seed)
    image = Image.linear_gradient("L").resize((120, 80)).convert("RGB")
    draw = ImageDraw.Draw(image)
    for _ in range(25):
        left, top = chance.randrange(110), chance.randrange(70)
        box = (left, top, left + chance.randrange(5, 40), top + chance.randrange(5, 30))
        draw.ellipse(box, tuple(chance.randrange(40, 220) for _ in range(3)))
    return image


def cut_out(keep_colours: bool) -> Image.Image:
    """The middle of a scene, the rest transparent, with the colours it had or black."""
    image = scene().convert("RGBA")
    alpha = Image.new("L", image.size)
    ImageDraw.Draw(alpha).ellipse((30, 10, 90, 70), 255)
    if not keep_colours:
        image = Image.composite(image, Image.new("RGBA", image.size), alpha)
    image.putalpha(alpha)
    return image


def shape(width: int, height: int, middle: tuple[int, int], soft: bool = False) -> Image.Image:
    """A yellow diamond on white."""
    scale = 4 if soft else 1
    image = Image.new("RGB", (width * scale, height * scale), "white")
    x, y, radius = middle[0] * scale, middle[1] * scale, 12 * scale
    corners = [(x - radius, y), (x, y - radius), (x + radius, y), (x, y + radius)]
    ImageDraw.Draw(image).polygon(corners, "#ffd800")
    return image.resize((width, height), Image.Resampling.LANCZOS) if soft else image
