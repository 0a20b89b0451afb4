"""Metrics of a run: one JSON line an event in metrics.jsonl, and the numbers to TensorBoard."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import orjson
from torch.utils.tensorboard import SummaryWriter


class Metrics:
    """`log("reinforce", 3, {...})`: event name, step, numbers. Lines are flushed at once."""

    def __init__(self, run_dir: Path) -> None:
        self._file = (run_dir / "metrics.jsonl").open("ab", buffering=0)
        self._board = SummaryWriter(str(run_dir / "tensorboard"))

    def log(self, event: str, step: int, values: dict[str, Any]) -> None:
        line = {"time": round(time.time(), 3), "event": event, "step": step, **values}
        self._file.write(orjson.dumps(line) + b"\n")
        for name, value in values.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                self._board.add_scalar(f"{event}/{name}", value, step)

    def close(self) -> None:
        self._board.close()
        self._file.close()


def read_metrics(run_dir: Path) -> list[dict[str, Any]]:
    """All events; a torn last line is left out."""
    path = run_dir / "metrics.jsonl"
    if not path.exists():
        return []
    events = []
    for line in path.read_bytes().splitlines():
        try:
            events.append(orjson.loads(line))
        except orjson.JSONDecodeError:
            continue
    return events
