"""Metrics of a run: one JSON line for each event in metrics.jsonl, and numbers for TensorBoard."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import orjson
from torch.utils.tensorboard import SummaryWriter

from agent_server.run_metrics import METRICS_FILE


class Metrics:
    """Writer of both. Lines are flushed at once, so a run that is killed loses none."""

    def __init__(self, run_dir: Path) -> None:
        self._file = (run_dir / METRICS_FILE).open("ab", buffering=0)
        self._board = SummaryWriter(str(run_dir / "tensorboard"))

    def log(self, event: str, step: int, values: dict[str, Any]) -> None:
        """Writes one event, e.g. `log("reinforce-1", 3, {"success": 0.5})`."""
        line = {"time": round(time.time(), 3), "event": event, "step": step, **values}
        self._file.write(orjson.dumps(line) + b"\n")
        for name, value in values.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                self._board.add_scalar(f"{event}/{name}", value, step)

    def close(self) -> None:
        """Closes both files."""
        self._board.close()
        self._file.close()
