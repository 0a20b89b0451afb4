"""Figures against values worked out by hand."""

from __future__ import annotations

import pytest

from benchmarks.figures import number, percentiles, quantile, rate


def test_percentiles_interpolate_between_neighbours() -> None:
    assert percentiles([4.0, 1.0, 3.0, 2.0], "ms") == {
        "p50": 2.5,
        "p95": 3.85,
        "n": 4,
        "unit": "ms",
    }
    assert quantile([7.0], 0.95) == 7.0


def test_without_a_measurement_there_is_no_figure() -> None:
    with pytest.raises(ValueError, match="no values were measured"):
        percentiles([], "ms")


def test_numbers_and_rates_are_rounded() -> None:
    assert number(1.23456, "x") == {"p50": 1.235, "unit": "x"}
    assert rate(10, 3.0, "steps/s") == {"p50": 3.33, "n": 10, "unit": "steps/s"}
