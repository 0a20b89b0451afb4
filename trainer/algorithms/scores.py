"""Standard scores of rewards, and what counts as a difference between them.

Every function gives zeros for values that are all equal: they carry no signal, and 0 / 0 must not
become one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
SPREAD_FLOOR = 1e-8
"""Rewards that differ by less than this are equal: the rest is rounding."""


def has_signal(values: Vector) -> bool:
    """Whether any value differs from the others."""
    return values.size > 1 and float(values.std()) >= SPREAD_FLOOR


def standard_scores(values: Vector, scale: bool = True) -> Vector:
    """(v - mean) / std with the population's std; without `scale` v - mean."""
    if not has_signal(values):
        return np.zeros_like(values)
    centred: Vector = values - values.mean()
    return centred / values.std() if scale else centred


def pieces(values: Vector, parts: Sequence[Vector]) -> list[Vector]:
    """`values` cut into as many and as long pieces as `parts`."""
    if not parts:
        return []
    ends = np.cumsum([part.size for part in parts])
    return np.split(values, ends[:-1])


def concatenation(parts: Sequence[Vector]) -> Vector:
    """The values of all parts in a row; none of no part."""
    return np.concatenate([*parts, np.empty(0)])


def joined_scores(parts: Sequence[Vector], scale: bool = True) -> list[Vector]:
    """Standard scores over the values of all parts together."""
    return pieces(standard_scores(concatenation(parts), scale), parts)
