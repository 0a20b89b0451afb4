"""Where shapes must be, by the options of `compare_pptx_files`.

Some options are made for one task of OSWorld: they name its slide, its text, and how far the shape
must have come (EMU).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pptx.enum.shapes import MSO_SHAPE_TYPE

from envs.osworld.outside.published.slides_options import ComparedAspects

MOVED_TITLE = "Product Comparison"
SHIFTED_TEXT = "Elaborate on what you want to discuss."
LOW, RIGHT, HIGH = 3_600_000, 4_320_000, 1_980_000
TABLE_SLIDE, PICTURE_SLIDE = 3, 2
ROUNDED = 720
"""Programs keep lengths in hundredths of a millimetre (360 EMU)."""
SIDES = ("left", "top", "width", "height")

Near = Callable[[Any, Any], bool]


def has_required_position(
    examined: ComparedAspects, slide: int, first: Any, second: Any, near: Near
) -> bool:
    """Whether a shape is where the options require it. `first` is of the judged presentation,
    `second` of the expected one; slides count from 1."""

    def same(sides: tuple[str, ...] = SIDES) -> bool:
        return all(near(getattr(first, side), getattr(second, side)) for side in sides)

    def both(kind: MSO_SHAPE_TYPE) -> bool:
        return bool(first.shape_type == kind and second.shape_type == kind)

    def lower() -> bool:
        return bool(first.top > second.top and first.top >= LOW)

    def higher() -> bool:
        return bool(first.top < second.top and first.top <= HIGH)

    def further_right() -> bool:
        return bool(first.left > second.left and first.left >= RIGHT)

    texts = (first.text, second.text) if has_text(first) and has_text(second) else None
    wordless = not has_text(first) and not has_text(second)
    if examined.examine_title_bottom_position:
        if texts is not None and texts[0] == texts[1]:
            if texts[0] == MOVED_TITLE and not lower():
                return False
        elif not same():
            return False
    if examined.examine_table_bottom_position:
        moved = slide == TABLE_SLIDE and both(MSO_SHAPE_TYPE.TABLE)
        if not (lower() if moved else same()):
            return False
    on_slide = slide == PICTURE_SLIDE
    if examined.examine_right_position and on_slide and wordless and not further_right():
        return False
    pictures = both(MSO_SHAPE_TYPE.PICTURE)
    if examined.examine_top_position and on_slide and pictures and not higher():
        return False
    if (
        examined.examine_shape_for_shift_size
        and texts != (SHIFTED_TEXT, SHIFTED_TEXT)
        and not same()
    ):
        return False
    sides = SIDES[:-1] if examined.examine_shape_lenient_height else SIDES
    if not same(sides) and examined.examine_shape:
        return False
    if examined.examine_image_size and not same(("width", "height") if pictures else SIDES):
        return False
    by_height = wordless or (examined.examine_modify_height and both(MSO_SHAPE_TYPE.FREEFORM))
    return not examined.examine_modify_height or same(("height",) if by_height else SIDES)


def about_equal(tolerance: float) -> Near:
    """Within a part of the larger one; what programs round away never counts."""

    def near(first: int | None, second: int | None) -> bool:
        if first is None or second is None:
            return first is second
        return abs(first - second) <= max(ROUNDED, tolerance * max(abs(first), abs(second)))

    return near


def has_text(shape: Any) -> bool:
    """Whether the shape can hold text."""
    return hasattr(shape, "text")
