"""What may be asked of the episode table: accounting, groups, lists, news for a collector.

Nothing here changes a row. Reads take no lock that a writer would wait for.
"""

from __future__ import annotations

import base64
import binascii
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Engine, and_, case, func, or_, select

from agent_server.store.engine import read_only, rows_of, table_of
from agent_server.store.tables import Episode, Group
from envs.outcomes import RETRY_RULES, InvalidReason, Status

episode = table_of(Episode)
group = table_of(Group)

TERMINAL = [status for status in Status if status.terminal]
OVERLAP = timedelta(seconds=20)
"""Longer than a finish can take to commit, so that no episode slips in behind a cursor."""


class BadCursor(ValueError):
    """A page cursor that this server did not hand out."""


@dataclass(frozen=True, slots=True)
class Accounting:
    """Rows of a run by state. `dispatched` counts every attempt, `retried` those after a first."""

    dispatched: int = 0
    queued: int = 0
    running: int = 0
    scored: int = 0
    truncated: int = 0
    unjudged: int = 0
    invalid: dict[str, int] = field(default_factory=dict)
    cancelled: int = 0
    retried: int = 0

    @property
    def balanced(self) -> bool:
        """No attempt is open, and each one is in exactly one terminal state."""
        ends = self.scored + self.truncated + self.unjudged + self.cancelled
        return self.dispatched == ends + sum(self.invalid.values())


@dataclass(frozen=True, slots=True)
class GroupStatus:
    """Slots of a group by what became of the newest attempt of each."""

    group_id: str
    size: int
    arrived: tuple[str, ...] = ()
    cancelled: int = 0
    lost: int = 0

    @property
    def complete(self) -> bool:
        """Nothing more will come: every slot arrived, was cancelled, or is out of retries."""
        return len(self.arrived) + self.cancelled + self.lost >= self.size


@dataclass(frozen=True, slots=True)
class Slot:
    """One member of a group: the episode that counts, and what will become of it. `open`: more may
    come; `lost`: infrastructure took every attempt, or nothing could judge it."""

    state: Literal["open", "arrived", "cancelled", "lost"]
    episode_id: str
    success: bool | None
    reason: str | None = None
    """Why the episode that counts ended, if it has."""


@dataclass(slots=True)
class FinishedCursor:
    """Where a reader of finished episodes stands; `finished_since` moves it on."""

    since: datetime | None = None
    seen: dict[str, datetime] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Page:
    episodes: list[Episode]
    next_cursor: str | None


class EpisodeQueries:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._reader = read_only(engine)

    def get(self, episode_id: str) -> Episode | None:
        rows = self._rows(select(episode).where(episode.c.id == episode_id))
        return rows[0] if rows else None

    def get_many(self, episode_ids: Iterable[str]) -> list[Episode]:
        return self._rows(select(episode).where(episode.c.id.in_(list(episode_ids))))

    def attempts(self, episode_id: str) -> list[Episode]:
        """All attempts of the chain that this one belongs to, oldest first."""
        root = select(episode.c.root_id).where(episode.c.id == episode_id)
        return self._rows(
            select(episode).where(episode.c.root_id.in_(root)).order_by(episode.c.attempt)
        )

    def latest(self, episode_id: str) -> Episode | None:
        """The newest attempt of the chain."""
        chain = self.attempts(episode_id)
        return chain[-1] if chain else None

    def accounting(self, run_id: str, phase: str | None = None) -> Accounting:
        which = [episode.c.run_id == run_id]
        if phase is not None:
            which.append(episode.c.phase == phase)
        retried = func.sum(case((episode.c.attempt > 1, 1), else_=0))
        statement = (
            select(episode.c.status, episode.c.reason, func.count(), retried)
            .where(*which)
            .group_by(episode.c.status, episode.c.reason)
        )
        counts: dict[Status, int] = defaultdict(int)
        invalid: dict[str, int] = defaultdict(int)
        again = 0
        with self._reader.begin() as db:
            for status, reason, count, retries in db.execute(statement):
                counts[status] += count
                again += retries
                if status is Status.INVALID:
                    invalid[reason] += count
        return Accounting(
            dispatched=sum(counts.values()),
            queued=counts[Status.QUEUED],
            running=counts[Status.RUNNING],
            scored=counts[Status.SCORED],
            truncated=counts[Status.TRUNCATED],
            invalid=dict(sorted(invalid.items())),
            unjudged=counts[Status.UNJUDGED],
            cancelled=counts[Status.CANCELLED],
            retried=again,
        )

    def group_status(self, group_id: str) -> GroupStatus:
        found = self.group_statuses([group_id])
        if not found:
            raise KeyError(f"no group {group_id!r}")
        return found[0]

    def group_statuses(self, group_ids: Iterable[str]) -> list[GroupStatus]:
        """One query for many groups; unknown ids are left out."""
        ids = list(group_ids)
        columns = [
            episode.c[name]
            for name in (
                "id",
                "group_id",
                "slot",
                "attempt",
                "status",
                "reason",
                "cancel_requested",
            )
        ]
        with self._reader.begin() as db:
            sizes = db.execute(select(group.c.id, group.c.size).where(group.c.id.in_(ids))).all()
            rows = db.execute(
                select(*columns).where(episode.c.group_id.in_(ids)).order_by(episode.c.attempt)
            ).all()
        newest: dict[str, dict[int, Any]] = defaultdict(dict)
        for row in rows:
            newest[row.group_id][row.slot] = row
        return [_group_status(group_id, size, newest[group_id]) for group_id, size in sizes]

    def slots(self, run_id: str) -> dict[tuple[str, int], Slot]:
        """By (group, slot), of all members that were asked for. One with a verdict counts before
        all others; without one, the newest does. A member may have been asked for again."""
        names = ("id", "group_id", "slot", "attempt", "status", "reason", "cancel_requested",
                 "success")  # fmt: skip
        statement = (
            select(*(episode.c[name] for name in names))
            .where(episode.c.run_id == run_id, episode.c.group_id.is_not(None))
            .order_by(episode.c.created_at, episode.c.attempt)
        )
        found: dict[tuple[str, int], Slot] = {}
        with self._reader.begin() as db:
            for row in db.execute(statement):
                key = (row.group_id, row.slot)
                if key not in found or found[key].state != "arrived":
                    found[key] = Slot(_slot_state(row), row.id, row.success, row.reason)
        return found

    def finished_since(
        self, run_id: str, cursor: FinishedCursor, phase: str | None = None
    ) -> list[Episode]:
        """Terminal episodes that this cursor has not returned yet, each exactly once."""
        which = [episode.c.run_id == run_id, episode.c.finished_at.is_not(None)]
        if phase is not None:
            which.append(episode.c.phase == phase)
        if cursor.since is not None:
            which.append(episode.c.finished_at >= cursor.since - OVERLAP)
        keys = select(episode.c.id, episode.c.finished_at).where(*which)
        with self._reader.begin() as db:
            fresh = {
                row.id: row.finished_at for row in db.execute(keys) if row.id not in cursor.seen
            }
            if not fresh:
                return []
            statement = (
                select(episode)
                .where(episode.c.id.in_(list(fresh)))
                .order_by(episode.c.finished_at, episode.c.id)
            )
            rows = rows_of(Episode, db.execute(statement))
        cursor.seen |= fresh
        cursor.since = max(cursor.seen.values())
        oldest = cursor.since - OVERLAP
        cursor.seen = {key: at for key, at in cursor.seen.items() if at >= oldest}
        return rows

    def page(
        self,
        *,
        run_id: str | None = None,
        phase: str | None = None,
        purpose: str | None = None,
        group_id: str | None = None,
        status: Sequence[Status] = (),
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page:
        """Newest first. Rows that appear while a reader turns pages move nothing."""
        wanted = {"run_id": run_id, "phase": phase, "purpose": purpose, "group_id": group_id}
        which = [episode.c[name] == value for name, value in wanted.items() if value is not None]
        if status:
            which.append(episode.c.status.in_(list(status)))
        if cursor is not None:
            created_at, last_id = _decode(cursor)
            which.append(
                or_(
                    episode.c.created_at < created_at,
                    and_(episode.c.created_at == created_at, episode.c.id < last_id),
                )
            )
        rows = self._rows(
            select(episode)
            .where(*which)
            .order_by(episode.c.created_at.desc(), episode.c.id.desc())
            .limit(limit + 1)
        )
        more = len(rows) > limit
        rows = rows[:limit]
        return Page(rows, _encode(rows[-1]) if more else None)

    def waiting(self, older_than: datetime, limit: int = 500) -> list[str]:
        """Queued episodes that could have run since `older_than`, oldest first."""
        statement = (
            select(episode.c.id)
            .where(
                episode.c.status == Status.QUEUED,
                func.coalesce(episode.c.not_before, episode.c.created_at) <= older_than,
            )
            .order_by(episode.c.created_at)
            .limit(limit)
        )
        with self._reader.begin() as db:
            return list(db.execute(statement).scalars())

    def _rows(self, statement: Any) -> list[Episode]:
        with self._reader.begin() as db:
            return rows_of(Episode, db.execute(statement))


def retryable(reason: str | None, attempt: int) -> bool:
    """Whether the rules give an invalid episode of this attempt number another one."""
    return reason is not None and attempt <= RETRY_RULES[InvalidReason(reason)].max_retries


def _slot_state(row: Any) -> Literal["open", "arrived", "cancelled", "lost"]:
    if not row.status.terminal:
        return "open"
    if row.status.has_score:
        return "arrived"
    if row.status is Status.CANCELLED:
        return "cancelled"
    again = row.status is Status.INVALID and not row.cancel_requested
    return "open" if again and retryable(row.reason, row.attempt) else "lost"


def _group_status(group_id: str, size: int, newest: dict[int, Any]) -> GroupStatus:
    states = [(_slot_state(newest[slot]), newest[slot].id) for slot in sorted(newest)]
    return GroupStatus(
        group_id=group_id,
        size=size,
        arrived=tuple(key for state, key in states if state == "arrived"),
        cancelled=sum(state == "cancelled" for state, _ in states),
        lost=sum(state == "lost" for state, _ in states),
    )


def _encode(row: Episode) -> str:
    return base64.urlsafe_b64encode(f"{row.created_at.isoformat()}|{row.id}".encode()).decode()


def _decode(cursor: str) -> tuple[datetime, str]:
    try:
        at, _, episode_id = base64.urlsafe_b64decode(cursor.encode()).decode().partition("|")
        created_at = datetime.fromisoformat(at)
        if created_at.tzinfo is None or not episode_id:
            raise ValueError(at)
        return created_at.astimezone(UTC), episode_id
    except (binascii.Error, OverflowError, ValueError) as error:
        raise BadCursor("the cursor is not one that this server handed out") from error
