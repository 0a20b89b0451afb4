"""Pages loaded by Chromium alone."""

from __future__ import annotations

import pytest

from benchmarks import page_floor


@pytest.mark.browser
async def test_each_load_is_counted_with_its_processor_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page_floor, "LOADS", 5)
    monkeypatch.setattr(page_floor, "WARM_UP", 1)
    figures = await page_floor.measure_floor()
    assert set(figures) == {"browser.floor_load_ms", "browser.floor_cpu_ms"}
    assert figures["browser.floor_load_ms"]["n"] == 5
    assert 0 < figures["browser.floor_load_ms"]["p50"] < 1000 * page_floor.LOAD_S
    assert figures["browser.floor_cpu_ms"]["p50"] > 0
