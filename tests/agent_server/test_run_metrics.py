"""metrics.jsonl is read while it is written, and curves are of learner steps only."""

from __future__ import annotations

from pathlib import Path

from agent_server.run_metrics import read_metrics, reinforce_series


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "metrics.jsonl").write_bytes(b'{"event":"a"}\n{"event":"b","st')
    assert read_metrics(tmp_path) == [{"event": "a"}]
    assert read_metrics(tmp_path / "none") == []


def test_a_curve_has_a_series_for_each_reinforce_phase() -> None:
    events = [
        {"event": "reinforce-1", "success": 0.2},
        {"event": "reinforce-1/rate", "success": 0.9},
        {"event": "pulse", "success": 0.5},
        {"event": "reinforce-1", "success": 0.3},
        {"event": "reinforce-2", "success": 0.4},
    ]
    series = reinforce_series(events, "success")
    assert series == {"reinforce-1": [0.2, 0.3], "reinforce-2": [0.4]}
    assert reinforce_series(events, "pause_ms") == {}
