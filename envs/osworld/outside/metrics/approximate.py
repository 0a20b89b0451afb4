"""Whether two descriptions mean the same: equal but for lengths that programs round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TOLERANCE = 0.06
"""Of a number with a fraction: centimetres, points, lines."""


def approximately_equal(actual: Any, expected: Any) -> bool:
    """Whether both are equal, numbers with a fraction within TOLERANCE."""
    if isinstance(actual, bool) or isinstance(expected, bool):
        return actual is expected
    if isinstance(actual, float) or isinstance(expected, float):
        numbers = isinstance(actual, int | float) and isinstance(expected, int | float)
        return numbers and abs(actual - expected) <= TOLERANCE
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        return actual.keys() == expected.keys() and all(
            approximately_equal(actual[k], expected[k]) for k in expected
        )
    if isinstance(actual, list) and isinstance(expected, list):
        return len(actual) == len(expected) and all(map(approximately_equal, actual, expected))
    return bool(actual == expected)
