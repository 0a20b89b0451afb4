"""metrics.jsonl of a training run, as those read it that do not train: reports, the console.

Guarantees: a line that was cut off in writing is left out, so that a run is read while it runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

Event = dict[str, Any]
"""One line: `time`, `event`, `step`, and what was measured."""
METRICS_FILE = "metrics.jsonl"
REINFORCING = frozenset({"reinforce", "interleave"})
"""Kinds of phases whose learner steps train on episodes of the policy."""


def read_metrics(run_dir: Path) -> list[Event]:
    """All events in order; none where there is no file."""
    path = run_dir / METRICS_FILE
    if not path.exists():
        return []
    events = []
    for line in path.read_bytes().splitlines():
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
