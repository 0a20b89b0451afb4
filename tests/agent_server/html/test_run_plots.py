"""Every plot of a run is drawn, whatever there is of it."""

from __future__ import annotations

from typing import Any

from agent_server.html.run_plots import PLOTS, make_plots
from tests.trainer.test_report_html import make_phase, make_report

EVENTS: list[dict[str, Any]] = [
    {"event": "imitate", "step": 0, "entropy": 0.4},
    {"event": "reinforce-1", "step": 0, "success": 0.2, "flat": 1, "stale": 0},
    {"event": "reinforce-1/rate", "step": 0, "success": 0.9},
    {"event": "reinforce-1", "step": 1, "success": 0.3, "entropy_mean": 0.5},
    {"event": "reinforce-2", "step": 0, "success": 0.4},
    {"event": "swap", "step": 1, "pause_ms": 20.0, "accepted": 1},
    {"event": "swap", "step": 2, "pause_ms": 30.0, "accepted": 0},
]


def test_every_plot_is_drawn_with_and_without_events() -> None:
    for events in (EVENTS, []):
        plots = make_plots(make_report(make_phase("imitate")), events)
        assert len(plots) == len(PLOTS)
        assert all(plot.startswith("<svg") for plot in plots)
