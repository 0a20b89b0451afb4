"""The file of a benchmark, which documents quote."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks import result
from benchmarks.figures import number, percentiles
from benchmarks.result import report


def test_a_result_is_printed_and_written_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calibration = {"loop_ms": number(80.0, "ms")}
    monkeypatch.setattr(result, "calibrate", lambda: calibration)
    output = io.StringIO()
    path = tmp_path / "new" / "bench.json"
    figures = {"a.ms": percentiles([1.0, 2.0], "ms"), "a.share": number(0.5, "share")}
    report(figures, Console(file=output, width=200), path)
    data = json.loads(path.read_text())
    assert data.keys() == {"commit", "device", "calibration", "figures"}
    assert data["figures"] == figures
    assert data["calibration"] == calibration
    first, calibrated, second, third = output.getvalue().splitlines()
    assert first.startswith(data["device"])
    assert calibrated.split() == ["calibration.loop_ms", "80.000", "ms"]
    assert second.split() == ["a.ms", "1.500", "ms", "p95", "1.950", "n", "2"]
    assert third.split() == ["a.share", "0.500", "share"]
