"""metrics.jsonl is read while it is written, and curves are of learner steps only."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server import run_metrics
from agent_server.run_metrics import NewEvents, read_metrics, reinforce_series


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


def names(reading: tuple[list[run_metrics.Event], bool]) -> tuple[list[str], bool]:
    return [event["event"] for event in reading[0]], reading[1]


def test_who_follows_a_run_reads_each_line_once_and_whole(tmp_path: Path) -> None:
    new, path = NewEvents(tmp_path), tmp_path / "metrics.jsonl"
    assert names(new.read()) == ([], False)
    path.write_bytes(b'{"event":"a"}\n{"event":"b"')
    assert names(new.read()) == (["a"], True)
    assert names(new.read()) == ([], False)
    with path.open("ab") as file:
        file.write(b',"step":1}\nno json\n{"event":"c"}\n')
    assert names(new.read()) == (["b", "c"], False)
    path.write_bytes(b'{"event":"of a new run"}\n')
    assert names(new.read()) == (["of a new run"], True)
    path.unlink()
    assert names(new.read()) == ([], True)
    assert names(new.read()) == ([], False)


def test_one_reading_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_metrics, "MOST_READ", 20)
    (tmp_path / "metrics.jsonl").write_bytes(b'{"event":"a"}\n{"event":"b"}\n')
    new = NewEvents(tmp_path)
    assert names(new.read()) == (["a"], True)
    assert names(new.read()) == (["b"], False)
