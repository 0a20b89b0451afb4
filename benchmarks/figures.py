"""Figures of a benchmark: percentiles of many measurements, rates, single numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict


class Figure(TypedDict, total=False):
    """Percentiles of `n` measurements, or one number as `p50`."""

    p50: float
    p95: float
    n: int
    unit: str


def percentiles(values: Sequence[float], unit: str) -> Figure:
    """Median and 95th percentile. Raises ValueError when there is no measurement."""
    return {
        "p50": round(quantile(values, 0.5), 3),
        "p95": round(quantile(values, 0.95), 3),
        "n": len(values),
        "unit": unit,
    }


def number(value: float, unit: str) -> Figure:
    """A figure that was measured or counted once."""
    return {"p50": round(value, 3), "unit": unit}


def rate(count: int, seconds: float, unit: str) -> Figure:
    """Events a second; `n` is their number."""
    return {"p50": round(count / seconds, 2), "n": count, "unit": unit}


def quantile(values: Sequence[float], q: float) -> float:
    """By linear interpolation between the two neighbours. Raises ValueError when empty."""
    if not values:
        raise ValueError("no values were measured")
    ordered = sorted(values)
    place = q * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
