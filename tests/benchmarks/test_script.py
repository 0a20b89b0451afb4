"""Figures of the script benchmark from what was counted."""

from __future__ import annotations

from collections import Counter

from benchmarks.script import Tally, make_figures, spread


def test_templates_are_spread_over_an_app() -> None:
    assert spread(("a", "b", "c", "d", "e", "f"), 3) == ["a", "c", "e"]
    assert spread(("a", "b"), 3) == ["a", "b"]


def test_held_is_over_changed_sites_only() -> None:
    tally = Tally(step_ms=[10.0, 30.0], counts=Counter({"scripts": 2, "cannot be a script": 1}))
    tally.held["same"] = [True, True]
    tally.held["look"] = [True, False, True]
    tally.held["seed"] = [True]
    tally.helped, tally.mended = [True], [False]
    figures = make_figures(tally)
    assert figures["script.step_ms"]["p50"] == 20.0
    assert figures["script.held"] == {"p50": 0.75, "unit": "share", "n": 4}
    assert figures["script.held_look"]["p50"] == 0.667
    assert figures["script.portable"] == {"p50": 0.5, "unit": "share", "n": 2}
    assert (figures["script.helped"]["p50"], figures["script.mended"]["p50"]) == (1.0, 0.0)
