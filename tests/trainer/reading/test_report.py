"""The page of a pre-training shows its newest measurement and its words."""

from __future__ import annotations

from typing import Any

from trainer.reading.report import render

FIGURES: dict[str, Any] = {"read": 0.25, "ci95": [0.1, 0.5], "n": 16, "probability": 0.312}
REPORT: dict[str, Any] = {
    "run_id": "r<1>",
    "preset": "reader",
    "seed": 0,
    "commit": "abc",
    "device": "2 x CPU",
    "update": 200,
    "answers": 9600,
    "tokens": 1_500_000,
    "wall_s": 90.0,
    "cpu_s": 60.0,
    "ended_by": "",
    "definitions": {"read": "share"},
    "curve": [
        {"answers": 0, "groups": {"dev": FIGURES | {"kinds": {"click": FIGURES}}}},
        {"answers": 9600, "groups": {"dev": FIGURES | {"kinds": {"click": FIGURES}}}},
    ],
}


def test_the_page_has_figures_curve_and_kinds() -> None:
    page = render(REPORT)
    for part in ("9,600", "1.50 M", "1.5 min", "running", "25.0%", "10.0% to 50.0%", "25% of 16"):
        assert part in page
    assert page.count("<svg") == 2
    assert "r&lt;1&gt;" in page
