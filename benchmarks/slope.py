"""Whether a series of samples grows: its slope with an interval.

Samples of one process are not independent, so the interval comes from a moving-block bootstrap
(Künsch, "The jackknife and the bootstrap for general stationary observations", 1989): blocks of
neighbouring samples are drawn with their times.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.figures import quantile

DRAWS = 500
BLOCKS = 12
"""A series is cut into about so many blocks."""


@dataclass(frozen=True, slots=True)
class Slope:
    """Change a time unit, with the 95% interval."""

    value: float
    low: float
    high: float

    def is_flat(self, tolerance: float) -> bool:
        """Whether the samples do not show a growth above `tolerance`."""
        return self.low <= tolerance


def slope_of(times: Sequence[float], values: Sequence[float], seed: int = 0) -> Slope:
    """The least-squares slope. Raises ValueError with fewer than three samples."""
    if len(times) != len(values) or len(times) < 3:
        raise ValueError(f"{len(times)} samples are too few for a slope")
    rng = random.Random(seed)
    size = max(1, len(times) // BLOCKS)
    draws = []
    for _ in range(DRAWS):
        places: list[int] = []
        while len(places) < len(times):
            start = rng.randrange(len(times) - size + 1)
            places += range(start, start + size)
        draws.append(_least_squares([times[i] for i in places], [values[i] for i in places]))
    return Slope(_least_squares(times, values), quantile(draws, 0.025), quantile(draws, 0.975))


def _least_squares(times: Sequence[float], values: Sequence[float]) -> float:
    mean_time = sum(times) / len(times)
    mean_value = sum(values) / len(values)
    spread = sum((time - mean_time) ** 2 for time in times)
    if spread == 0:
        return 0.0
    shared = sum(
        (time - mean_time) * (value - mean_value) for time, value in zip(times, values, strict=True)
    )
    return shared / spread
