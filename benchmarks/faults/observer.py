"""Watches the table of episodes from outside, several times a second, on a connection of its own.

Guarantees: times are this process's steady ones, so a stepped clock does not reach them; what is
not known exactly is rounded against the system: an attempt counts as started when it was last seen
not running, and as ended when it was first seen to have ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass, field

from sqlalchemy import Engine, delete, select
from sqlalchemy.exc import SQLAlchemyError

from agent_server.store.engine import make_engine, read_only, table_of
from agent_server.store.tables import Episode
from envs.contract.outcomes import Status

POLL_S = 0.25
COLUMNS = ("id", "root_id", "attempt", "status", "reason", "detail", "score", "steps")
episode = table_of(Episode)


@dataclass(slots=True)
class ObservedEpisode:
    """One row, as it was seen last."""

    id: str
    root: str
    number: int
    status: Status
    reason: str | None
    detail: str | None
    score: float | None
    steps: int
    started_after: float
    ended_at: float | None = None
    changes_after_end: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Observer:
    """The attempts of a round by id."""

    database_url: str
    attempts: dict[str, ObservedEpisode] = field(default_factory=dict)
    _seen_at: float = field(default_factory=time.monotonic)
    _engine: Engine | None = None

    @property
    def scored_count(self) -> int:
        """Attempts with a score: the progress of the round."""
        return sum(attempt.status.has_score for attempt in self._all())

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            # While the database is away: what happens meanwhile is seen later.
            with contextlib.suppress(SQLAlchemyError):
                await asyncio.to_thread(self.look)
            await asyncio.sleep(POLL_S)

    def look(self) -> None:
        """Read the table once. Raises SQLAlchemyError."""
        began = time.monotonic()
        with read_only(self._open()).connect() as db:
            rows = db.execute(select(*(episode.c[name] for name in COLUMNS))).all()
        now = time.monotonic()
        for row in rows:
            self._note(row, now)
        self._seen_at = began

    def recovery_s(self, injected_at: float) -> float | None:
        """Seconds from a fault to the end of the first episode that started after it and ended
        well; None: none did yet."""
        ends = [
            attempt.ended_at - injected_at
            for attempt in self._all()
            if attempt.ended_at is not None
            and attempt.status.has_score
            and attempt.started_after >= injected_at
        ]
        return min(ends, default=None)

    def clear(self) -> None:
        """Forget all episodes, the table's too; only when all ended. Raises SQLAlchemyError."""
        with self._open().begin() as db:
            db.execute(delete(episode))
        self.attempts.clear()

    def close(self) -> None:
        """Close the connections."""
        if self._engine is not None:
            self._engine.dispose()

    def _all(self) -> list[ObservedEpisode]:
        """As it is now: another thread adds to it."""
        return list(self.attempts.values())

    def _open(self) -> Engine:
        if self._engine is None:
            self._engine = make_engine(self.database_url)
        return self._engine

    def _note(self, row: object, now: float) -> None:
        values = {name: getattr(row, name) for name in COLUMNS}
        status: Status = values["status"]
        attempt = self.attempts.get(values["id"])
        if attempt is None:
            attempt = self.attempts[values["id"]] = ObservedEpisode(
                id=values["id"],
                root=values["root_id"],
                number=values["attempt"],
                status=Status.QUEUED,
                reason=None,
                detail=None,
                score=None,
                steps=0,
                started_after=self._seen_at,
            )
        if attempt.status is Status.QUEUED:
            attempt.started_after = now if status is Status.QUEUED else self._seen_at
        before = (attempt.status, attempt.score, attempt.reason)
        after = (status, values["score"], values["reason"])
        if attempt.ended_at is not None and before != after:
            attempt.changes_after_end.append(f"{before} -> {after}")
        if attempt.ended_at is None and status.terminal:
            attempt.ended_at = now
        attempt.status, attempt.score, attempt.reason = after
        attempt.detail, attempt.steps = values["detail"], values["steps"]
