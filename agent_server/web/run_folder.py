"""What the folder of a training run says beside the database: curves while it runs, its report.

Guarantees: reads only; a file that is missing or half written counts as not there.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from agent_server.run_metrics import METRICS_FILE, Event, read_metrics


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of this server's run. `state`: run.json, written after each phase; `report`:
    report.json, written at the end; each empty before."""

    path: Path
    state: dict[str, Any]
    report: dict[str, Any]

    @classmethod
    def find(cls, path: Path, run_id: str) -> RunFolder | None:
        """None where the folder holds another run, or none."""
        state, report = _read_json(path / "run.json"), _read_json(path / "report.json")
        if state.get("run_id") != run_id:
            return None
        return cls(path, state, report if report.get("run_id") == run_id else {})

    @property
    def phases(self) -> list[dict[str, Any]]:
        """Finished phases: of the report, and before there is one as run.json has them."""
        phases: list[dict[str, Any]] = self.report.get("phases") or self.state.get("records", [])
        return phases

    def events(self) -> list[Event]:
        """All of metrics.jsonl."""
        return read_metrics(self.path)

    def mark(self) -> str:
        """Changes whenever there is something new to draw."""
        sizes = [_size(self.path / name) for name in (METRICS_FILE, "run.json", "report.json")]
        return "-".join(map(str, sizes))


def _read_json(path: Path) -> dict[str, Any]:
    try:
        value = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}
    return value if isinstance(value, dict) else {}


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
