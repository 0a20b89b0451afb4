"""Slopes with their intervals."""

from __future__ import annotations

import random

import pytest

from benchmarks.slope import slope_of

TIMES = [step / 60 for step in range(240)]


def noisy(slope: float) -> list[float]:
    """Noise that keeps for a while, as memory does, on a line."""
    rng, level, values = random.Random(1), 0.0, []
    for time in TIMES:
        level = 0.9 * level + rng.gauss(0, 1)
        values.append(100 + slope * time + level)
    return values


def test_a_line_has_its_slope() -> None:
    slope = slope_of(TIMES, [3 + 2 * time for time in TIMES])
    assert slope.value == pytest.approx(2)
    assert slope.low == pytest.approx(2)
    assert slope.high == pytest.approx(2)


def test_noise_that_keeps_for_a_while_is_flat_and_growth_is_not() -> None:
    flat, growing = slope_of(TIMES, noisy(0)), slope_of(TIMES, noisy(10))
    assert flat.low < 0 < flat.high
    assert flat.is_flat(0)
    assert growing.low > 5
    assert not growing.is_flat(1)


def test_the_same_seed_gives_the_same_interval_and_few_samples_none() -> None:
    assert slope_of(TIMES, noisy(1), seed=4) == slope_of(TIMES, noisy(1), seed=4)
    with pytest.raises(ValueError, match="too few"):
        slope_of([0, 1], [1, 2])
