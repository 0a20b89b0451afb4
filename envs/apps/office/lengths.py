"""Lengths in UNO's unit, hundredths of a millimetre."""

from __future__ import annotations

UNITS_PER_CM = 1000
UNITS_PER_POINT = 2540 / 72
UNITS_PER_PIXEL = 2540 / 96
"""At 96 pixels an inch."""


def from_cm(cm: float) -> int:
    """1/100 mm of centimetres."""
    return round(cm * UNITS_PER_CM)


def from_points(points: float) -> int:
    """1/100 mm of typographic points."""
    return round(points * UNITS_PER_POINT)


def to_cm(length: int) -> float:
    """Centimetres of 1/100 mm, to two decimals."""
    return round(length / UNITS_PER_CM, 2)
