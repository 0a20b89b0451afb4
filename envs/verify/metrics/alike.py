"""Whether two descriptions mean the same: equal but for lengths that programs round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TOLERANCE = 0.06
"""Of a number with a fraction: centimetres, points, lines."""


def alike(found: Any, wanted: Any) -> bool:
    if isinstance(found, bool) or isinstance(wanted, bool):
        return found is wanted
    if isinstance(found, float) or isinstance(wanted, float):
        numbers = isinstance(found, int | float) and isinstance(wanted, int | float)
        return numbers and abs(found - wanted) <= TOLERANCE
    if isinstance(found, Mapping) and isinstance(wanted, Mapping):
        return found.keys() == wanted.keys() and all(alike(found[k], wanted[k]) for k in wanted)
    if isinstance(found, list) and isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(alike, found, wanted))
    return bool(found == wanted)
