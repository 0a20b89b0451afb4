"""What a run's report needs of the episodes: their steps, policy versions and times."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlmodel import col

from agent_server.store.store import Store
from agent_server.store.tables import Episode
from envs.contract.outcomes import Status


class EpisodeRow(NamedTuple):
    """One episode; `version_min` is the oldest policy version that produced a token of it."""

    id: str
    phase: str
    status: Status
    steps: int
    version_min: int | None
    started_at: datetime | None
    finished_at: datetime | None
    timings: dict[str, float]


def read_rows(store: Store, run_id: str) -> dict[str, list[EpisodeRow]]:
    """Every episode of the run, by phase. Columns only: a run has too many episodes for objects."""
    statement = select(
        col(Episode.id),
        col(Episode.phase),
        col(Episode.status),
        col(Episode.steps),
        col(Episode.version_min),
        col(Episode.started_at),
        col(Episode.finished_at),
        col(Episode.timings),
    ).where(col(Episode.run_id) == run_id)
    by_phase: dict[str, list[EpisodeRow]] = {}
    with store.engine.connect() as db:
        for row in db.execute(statement):
            by_phase.setdefault(row.phase, []).append(EpisodeRow(*row))
    return by_phase


def count_steps(rows: Sequence[EpisodeRow]) -> int:
    """Environment steps of all rows."""
    return sum(row.steps for row in rows)


def count_versions(rows: Sequence[EpisodeRow]) -> dict[str, int]:
    """Episodes by the oldest policy version that produced a token of them, as JSON keys."""
    counts = Counter(row.version_min for row in rows if row.version_min is not None)
    return {str(version): counts[version] for version in sorted(counts)}


def busy_s(rows: Sequence[EpisodeRow]) -> float:
    """Seconds in which at least one of the episodes was running."""
    return union_s(
        (row.started_at.timestamp(), row.finished_at.timestamp())
        for row in rows
        if row.started_at is not None and row.finished_at is not None
    )


def mean_steps(rows: Sequence[EpisodeRow]) -> float | None:
    """Of the episodes that came to their own end; None where there is none."""
    steps = [row.steps for row in rows if row.status.has_score]
    return sum(steps) / len(steps) if steps else None


def union_s(spans: Iterable[tuple[float, float]]) -> float:
    """Seconds that at least one of the spans (start, end) covers."""
    total, covered_to = 0.0, -math.inf
    for start, end in sorted(spans):
        total += max(end - max(start, covered_to), 0.0)
        covered_to = max(covered_to, end)
    return total
