"""The browser benchmark, short, on a real Chromium."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import browser, processes
from benchmarks.processes import processes_by_kind

PUBLISHED = Path(__file__).parents[2] / "docs/results/bench/browser.json"


@pytest.mark.browser
async def test_figures_have_the_names_that_documents_quote(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(browser, "SCREENSHOTS", 2)
    monkeypatch.setattr(browser, "WARM_UP_S", 0.0)
    # A stack that other tests of this process share is not what is measured.
    others = {process for _, process in processes_by_kind()[1:]}
    monkeypatch.setattr(
        processes,
        "processes_by_kind",
        lambda: [each for each in processes_by_kind() if each[1] not in others],
    )
    figures = await browser.measure(seconds=0.2, sessions=2)
    assert set(figures) == set(json.loads(PUBLISHED.read_text())["figures"])
    assert figures["browser.screenshot_jpeg_ms"]["n"] == 2
    assert figures["browser.act_tree_ms"]["n"] == (
        figures["browser.act_tree_loads_ms"]["n"] + figures["browser.act_tree_stays_ms"]["n"]
    )
