"""Metrics of a run: one JSON line for each event in metrics.jsonl, and numbers for its sinks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from agent_server.run_metrics import METRICS_FILE
from trainer.metric_sinks import SinkName, numbers_of, start_sinks

PROJECT = "deskhand"


class Metrics:
    """Writer of both. Lines are flushed at once, so a run that is killed loses none."""

    def __init__(
        self,
        run_dir: Path,
        sinks: Sequence[SinkName] = ("tensorboard",),
        project: str = PROJECT,
    ) -> None:
        self._file = (run_dir / METRICS_FILE).open("ab", buffering=0)
        self._sinks = start_sinks(sinks, run_dir, project)

    def log(self, event: str, step: int, values: dict[str, Any]) -> None:
        """Writes one event, e.g. `log("reinforce-1", 3, {"success": 0.5})`."""
        line = {"time": round(time.time(), 3), "event": event, "step": step, **values}
        self._file.write(orjson.dumps(line) + b"\n")
        numbers = numbers_of(values)
        for sink in self._sinks if numbers else ():
            sink.log(event, step, numbers)

    def close(self) -> None:
        """Closes the file; the sinks hand over what they hold, each within its time."""
        self._file.close()
        for sink in self._sinks:
            sink.close()
