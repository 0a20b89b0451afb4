"""The calibration does its five pieces of work for real, here once each."""

from __future__ import annotations

import pytest

from benchmarks import calibration


@pytest.mark.browser
def test_every_piece_of_work_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "REPEATS", 1)
    monkeypatch.setattr(calibration, "ADDITIONS", 1000)
    monkeypatch.setattr(calibration, "COPY_BYTES", 2**20)
    monkeypatch.setattr(calibration, "MATRIX", 64)
    figures = calibration.calibrate()
    assert list(figures) == ["loop_ms", "copy_gb_s", "fp32_gflops", "bf16_gflops", "page_ms"]
    assert all(figure["p50"] > 0 for figure in figures.values())
    assert figures["page_ms"]["n"] == 3
