"""Figures against values worked out by hand, and the file that documents quote."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks.result import number, percentiles, quantile, rate, report


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


def test_a_result_is_printed_and_written_whole(tmp_path: Path) -> None:
    output = io.StringIO()
    path = tmp_path / "new" / "bench.json"
    figures = {"a.ms": percentiles([1.0, 2.0], "ms"), "a.share": number(0.5, "share")}
    report(figures, Console(file=output, width=200), path)
    data = json.loads(path.read_text())
    assert data.keys() == {"commit", "device", "figures"}
    assert data["figures"] == figures
    first, second, third = output.getvalue().splitlines()
    assert first.startswith(data["device"])
    assert second.split() == ["a.ms", "1.500", "ms", "p95", "1.950", "n", "2"]
    assert third.split() == ["a.share", "0.500", "share"]
