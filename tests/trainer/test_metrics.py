"""Events come back in order."""

from __future__ import annotations

import contextlib
from pathlib import Path

from agent_server.run_metrics import read_metrics
from trainer.metrics import Metrics


def test_events_come_back_as_they_were_logged(tmp_path: Path) -> None:
    with contextlib.closing(Metrics(tmp_path)) as metrics:
        metrics.log("reinforce-1", 0, {"success": 0.5, "phase": "x"})
        metrics.log("swap", 1, {"accepted": 1})
        first, second = read_metrics(tmp_path)
    assert (first["event"], first["step"], first["success"]) == ("reinforce-1", 0, 0.5)
    assert (second["event"], second["accepted"]) == ("swap", 1)


def test_a_resumed_run_appends(tmp_path: Path) -> None:
    for step in range(2):
        with contextlib.closing(Metrics(tmp_path)) as metrics:
            metrics.log("a", step, {})
    assert [event["step"] for event in read_metrics(tmp_path)] == [0, 1]
