"""Paragraph layout as Writer and Impress share it."""

from __future__ import annotations

from typing import Any, Literal

from envs.office.characters import points
from envs.office.registry import OfficeError

Alignment = Literal["left", "center", "right", "justify"]
ADJUST: dict[Alignment, int] = {"left": 0, "right": 1, "justify": 2, "center": 3}
"""com.sun.star.style.ParagraphAdjust as numbers."""

PROPORTIONAL, EXACT = 0, 3
"""com.sun.star.style.LineSpacingMode."""


def struct(name: str, **fields: Any) -> Any:
    """A UNO struct with its fields set."""
    import uno

    made = uno.createUnoStruct(name)
    for field, value in fields.items():
        setattr(made, field, value)
    return made


def spacing(lines: float) -> Any:
    """Line spacing in lines. Raises OfficeError(bad_value) for what must have been percent."""
    if not 0.06 <= lines <= 100:
        raise OfficeError("bad_value", f"line_spacing is in lines (1, 1.5, 2), not {lines}")
    return struct("com.sun.star.style.LineSpacing", Mode=PROPORTIONAL, Height=round(lines * 100))


def exact_spacing(height_pt: float) -> Any:
    return struct("com.sun.star.style.LineSpacing", Mode=EXACT, Height=points(height_pt))
