"""Pages loaded by Chromium alone."""

from __future__ import annotations

import pytest

from benchmarks import page_floor
from envs.gyms.server.registry import kit_gyms


@pytest.mark.browser
async def test_each_load_is_counted_with_its_processor_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page_floor, "LOADS", 5)
    monkeypatch.setattr(page_floor, "WARM_UP", 1)
    figures = await page_floor.measure_shop_floor()
    assert set(figures) == {"browser.floor_load_ms", "browser.floor_cpu_ms"}
    assert figures["browser.floor_load_ms"]["n"] == 5
    assert 0 < figures["browser.floor_load_ms"]["p50"] < 1000 * page_floor.LOAD_S
    assert figures["browser.floor_cpu_ms"]["p50"] > 0


@pytest.mark.browser
async def test_each_app_loads_as_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_floor, "LOADS", 6)
    monkeypatch.setattr(page_floor, "WARM_UP", 1)
    figures = await page_floor.measure_gyms_floor(kit_gyms()[:2])
    assert figures["gyms.floor_load_ms"]["n"] == 6
