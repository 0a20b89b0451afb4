"""The console's benchmark, on a wall of a few sessions for a few seconds."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from benchmarks import console, result

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def test_paint_and_lag_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "PAINTS", 1)
    monkeypatch.setattr(result, "calibrate", dict)
    console.run(tmp_path / "console.json", sessions=3, seconds=6)
    figures = orjson.loads((tmp_path / "console.json").read_bytes())["figures"]
    assert figures["console.wall_sessions"]["p50"] == 3
    assert figures["console.paint_ms"]["n"] == len(console.PAGES)
    assert figures["console.wall_lag_ms"]["n"] >= 6
