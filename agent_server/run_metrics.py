"""metrics.jsonl of a training run, as those read it that do not train: reports, the console.

Guarantees: a line that was cut off in writing is left out, so that a run is read while it runs; who
follows a run reads each line once.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

Event = dict[str, Any]
"""One line: `time`, `event`, `step`, and what was measured."""
METRICS_FILE = "metrics.jsonl"
MOST_READ = 8 * 2**20
"""Bytes at once: an hour of training writes less."""
REINFORCING = frozenset({"reinforce", "interleave"})
"""Kinds of phases whose learner steps train on episodes of the policy."""


def read_metrics(run_dir: Path) -> list[Event]:
    """All events in order; none where there is no file."""
    path = run_dir / METRICS_FILE
    if not path.exists():
        return []
    return _parse(path.read_bytes())


class NewEvents:
    """The events of a run that were written since the last call."""

    def __init__(self, run_dir: Path) -> None:
        self._path = run_dir / METRICS_FILE
        self._file_id: tuple[int, int] | None = None
        self._offset = 0

    def read(self) -> tuple[list[Event], bool]:
        """In order, of MOST_READ bytes at most; the next call has the rest. And whether they are of
        another file than before, whose beginning they are."""
        try:
            with self._path.open("rb") as file:
                status = os.fstat(file.fileno())
                file_id = (status.st_dev, status.st_ino)
                is_other = file_id != self._file_id or status.st_size < self._offset
                if is_other:
                    self._file_id, self._offset = file_id, 0
                file.seek(self._offset)
                content = file.read(MOST_READ)
        except FileNotFoundError:
            was_there, self._file_id = self._file_id is not None, None
            return [], was_there
        # Up to the last end of a line: what follows is still being written.
        whole = content[: content.rfind(b"\n") + 1]
        if not whole and len(content) == MOST_READ:
            # No line of a run is so long: what is there is none.
            whole = content
        self._offset += len(whole)
        return _parse(whole), is_other


def _parse(content: bytes) -> list[Event]:
    events = []
    for line in content.splitlines():
        try:
            events.append(orjson.loads(line))
        except orjson.JSONDecodeError:
            continue
    return events


def reinforce_series(events: Sequence[Event], key: str) -> dict[str, list[float]]:
    """Values of `key` in the learner steps of each reinforce phase, in order."""
    series: dict[str, list[float]] = {}
    for event in events:
        name, _, part = event["event"].partition("/")
        if key in event and name.startswith(tuple(REINFORCING)) and not part:
            series.setdefault(event["event"], []).append(event[key])
    return series
