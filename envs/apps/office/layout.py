"""Paragraph layout that Writer and Impress share."""

from __future__ import annotations

from typing import Any, Literal

from envs.apps.office.lengths import from_points
from envs.apps.office.registry import OfficeError
from envs.apps.office.uno_values import struct

Alignment = Literal["left", "center", "right", "justify"]
ADJUST: dict[Alignment, int] = {"left": 0, "right": 1, "justify": 2, "center": 3}
"""com.sun.star.style.ParagraphAdjust as numbers."""

PROPORTIONAL, EXACT = 0, 3
"""com.sun.star.style.LineSpacingMode."""


def proportional_spacing(lines: float) -> Any:
    """Line spacing in lines. Raises OfficeError(bad_value) for a number that must be percent."""
    if not 0.06 <= lines <= 100:
        raise OfficeError("bad_value", f"line_spacing is in lines (1, 1.5, 2), not {lines}")
    return struct("style.LineSpacing", Mode=PROPORTIONAL, Height=round(lines * 100))


def exact_spacing(height_pt: float) -> Any:
    """Lines of exactly this height in points."""
    return struct("style.LineSpacing", Mode=EXACT, Height=from_points(height_pt))
