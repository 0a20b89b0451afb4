"""Where shapes must be, by the options of `compare_pptx_files`.

Some options are made for one task of OSWorld: they name its slide, its text, and how far the shape
must have come (EMU).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pptx.enum.shapes import MSO_SHAPE_TYPE

from envs.verify.osworld.slides_options import Examined

MOVED_TITLE = "Product Comparison"
SHIFTED_TEXT = "Elaborate on what you want to discuss."
LOW, RIGHT, HIGH = 3_600_000, 4_320_000, 1_980_000
TABLE_SLIDE, PICTURE_SLIDE = 3, 2
ROUNDED = 720
"""Programs keep lengths in hundredths of a millimetre (360 EMU)."""
SIDES = ("left", "top", "width", "height")

Near = Callable[[Any, Any], bool]


def rightly_placed(asked: Examined, slide: int, one: Any, other: Any, near: Near) -> bool:
    """`one` is of the presentation that is judged; slides count from 1."""

    def same(sides: tuple[str, ...] = SIDES) -> bool:
        return all(near(getattr(one, side), getattr(other, side)) for side in sides)

    def both(kind: MSO_SHAPE_TYPE) -> bool:
        return bool(one.shape_type == kind and other.shape_type == kind)

    def lower() -> bool:
        return bool(one.top > other.top and one.top >= LOW)

    def higher() -> bool:
        return bool(one.top < other.top and one.top <= HIGH)

    def further_right() -> bool:
        return bool(one.left > other.left and one.left >= RIGHT)

    said = (one.text, other.text) if has_text(one) and has_text(other) else None
    wordless = not has_text(one) and not has_text(other)
    if asked.examine_title_bottom_position:
        if said is not None and said[0] == said[1]:
            if said[0] == MOVED_TITLE and not lower():
                return False
        elif not same():
            return False
    if asked.examine_table_bottom_position:
        moved = slide == TABLE_SLIDE and both(MSO_SHAPE_TYPE.TABLE)
        if not (lower() if moved else same()):
            return False
    on_slide = slide == PICTURE_SLIDE
    if asked.examine_right_position and on_slide and wordless and not further_right():
        return False
    pictures = both(MSO_SHAPE_TYPE.PICTURE)
    if asked.examine_top_position and on_slide and pictures and not higher():
        return False
    if asked.examine_shape_for_shift_size and said != (SHIFTED_TEXT, SHIFTED_TEXT) and not same():
        return False
    sides = SIDES[:-1] if asked.examine_shape_lenient_height else SIDES
    if not same(sides) and asked.examine_shape:
        return False
    if asked.examine_image_size and not same(("width", "height") if pictures else SIDES):
        return False
    by_height = wordless or (asked.examine_modify_height and both(MSO_SHAPE_TYPE.FREEFORM))
    return not asked.examine_modify_height or same(("height",) if by_height else SIDES)


def about_equal(tolerance: float) -> Near:
    """Within a part of the larger one; what programs round away never counts."""

    def near(one: int | None, other: int | None) -> bool:
        if one is None or other is None:
            return one is other
        return abs(one - other) <= max(ROUNDED, tolerance * max(abs(one), abs(other)))

    return near


def has_text(shape: Any) -> bool:
    return hasattr(shape, "text")
