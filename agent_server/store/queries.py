"""Read-only queries on the episode table: accounting, groups, pages, newly finished episodes.

Reads take no lock that a writer would wait for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, Unpack

from sqlalchemy import Engine, and_, case, exists, func, or_, select

from agent_server.store.engine import make_row, read_only, rows_of, table_of
from agent_server.store.pages import (
    Filters,
    Page,
    decode_cursor,
    encode_cursor,
    is_after,
    make_conditions,
)
from agent_server.store.tables import Episode, Group, Run
from envs.contract.outcomes import RETRY_RULES, InvalidReason, Status

episode = table_of(Episode)
group = table_of(Group)
run = table_of(Run)

TERMINAL = [status for status in Status if status.terminal]
MEMBER = ("id", "group_id", "slot", "attempt", "status", "reason", "cancel_requested", "started_at")
OVERLAP = timedelta(seconds=20)
"""Longer than a finish can take to commit, so that no episode slips in behind a cursor."""


@dataclass(frozen=True, slots=True)
class Accounting:
    """Episodes of a run by state. `dispatched` counts all episodes, `retried` those after the
    first."""

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
    def is_balanced(self) -> bool:
        """Whether no episode is open and each is in exactly one terminal state."""
        ends = self.scored + self.truncated + self.unjudged + self.cancelled
        return self.dispatched == ends + sum(self.invalid.values())


@dataclass(frozen=True, slots=True)
class GroupStatus:
    """Members of a group by the state of the newest episode of each; `begun`: one was started."""

    group_id: str
    size: int
    arrived: tuple[str, ...] = ()
    cancelled: int = 0
    lost: int = 0
    begun: bool = False

    @property
    def complete(self) -> bool:
        """Whether nothing more will come: each member arrived, was cancelled or lost."""
        return len(self.arrived) + self.cancelled + self.lost >= self.size


@dataclass(frozen=True, slots=True)
class GroupMember:
    """One member of a group: the episode that counts, and its state.

    `open`: an episode runs or will run; `arrived`: has a verdict; `lost`: no retry is left, or
    nothing could judge it."""

    state: Literal["open", "arrived", "cancelled", "lost"]
    episode_id: str
    success: bool | None
    reason: str | None = None
    """Why the episode that counts ended, if it has ended."""


@dataclass(slots=True)
class FinishedCursor:
    """Position of a reader of finished episodes; `finished_since` moves it."""

    since: datetime | None = None
    seen: dict[str, datetime] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class QueueState:
    """Episodes of all runs that have not ended. `running`: by the worker that holds the lease;
    `oldest`: since when the one that waits longest could have run."""

    queued: int
    running: dict[str, int]
    oldest: datetime | None


class EpisodeQueries:
    """Queries on the episodes of one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._reader = read_only(engine)

    def get(self, episode_id: str) -> Episode | None:
        """The episode of this id, or None."""
        rows = self._rows(select(episode).where(episode.c.id == episode_id))
        return rows[0] if rows else None

    def get_many(self, episode_ids: Iterable[str]) -> list[Episode]:
        """The episodes of these ids, in no particular order; unknown ids are left out."""
        return self._rows(select(episode).where(episode.c.id.in_(list(episode_ids))))

    def chain(self, episode_id: str) -> list[Episode]:
        """All episodes of the chain that this one belongs to, oldest first."""
        root = select(episode.c.root_id).where(episode.c.id == episode_id)
        return self._rows(
            select(episode).where(episode.c.root_id.in_(root)).order_by(episode.c.attempt)
        )

    def latest(self, episode_id: str) -> Episode | None:
        """The newest episode of the chain, with the time at which the first one was created."""
        chain = self.chain(episode_id)
        if not chain:
            return None
        chain[-1].created_at = chain[0].created_at
        return chain[-1]

    def newest_of(self, episode_ids: Iterable[str]) -> dict[str, Episode]:
        """The newest episode of the chain of each of these episodes; unknown ids are left out."""
        member = episode.alias()
        statement = (
            select(member.c.id.label("member_id"), *episode.c)
            .join(episode, episode.c.root_id == member.c.root_id)
            .where(member.c.id.in_(list(episode_ids)), is_newest())
        )
        with self._reader.begin() as db:
            rows = [dict(row) for row in db.execute(statement).mappings()]
        return {row.pop("member_id"): make_row(Episode, row) for row in rows}

    def accounting(self, run_id: str, phase: str | None = None) -> Accounting:
        """Count the episodes of a run, or of one phase of it, by state."""
        conditions = [episode.c.run_id == run_id]
        if phase is not None:
            conditions.append(episode.c.phase == phase)
        retried = func.sum(case((episode.c.attempt > 1, 1), else_=0))
        statement = (
            select(episode.c.status, episode.c.reason, func.count(), retried)
            .where(*conditions)
            .group_by(episode.c.status, episode.c.reason)
        )
        counts: dict[Status, int] = defaultdict(int)
        invalid: dict[str, int] = defaultdict(int)
        retry_count = 0
        with self._reader.begin() as db:
            for status, reason, count, retries in db.execute(statement):
                counts[status] += count
                retry_count += retries
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
            retried=retry_count,
        )

    def group_status(self, group_id: str) -> GroupStatus:
        """The status of one group. Raises KeyError."""
        statuses = self.group_statuses([group_id])
        if not statuses:
            raise KeyError(f"no group {group_id!r}")
        return statuses[0]

    def group_statuses(self, group_ids: Iterable[str]) -> list[GroupStatus]:
        """The status of many groups in one query; unknown ids are left out."""
        ids = list(group_ids)
        columns = [episode.c[name] for name in MEMBER]
        with self._reader.begin() as db:
            sizes = db.execute(select(group.c.id, group.c.size).where(group.c.id.in_(ids))).all()
            rows = db.execute(
                select(*columns).where(episode.c.group_id.in_(ids)).order_by(episode.c.attempt)
            ).all()
        newest: dict[str, dict[int, Any]] = defaultdict(dict)
        for row in rows:
            newest[row.group_id][row.slot] = row
        return [_group_status(group_id, size, newest[group_id]) for group_id, size in sizes]

    def members(self, run_id: str) -> dict[tuple[str, int], GroupMember]:
        """All members of a run's groups that were dispatched, by (group id, member number).

        An episode with a verdict counts before all others; without one, the newest counts.
        A member may have been dispatched again after it was lost."""
        statement = (
            select(*(episode.c[name] for name in (*MEMBER, "success")))
            .where(episode.c.run_id == run_id, episode.c.group_id.is_not(None))
            .order_by(episode.c.created_at, episode.c.attempt)
        )
        members: dict[tuple[str, int], GroupMember] = {}
        with self._reader.begin() as db:
            for row in db.execute(statement):
                key = (row.group_id, row.slot)
                if key not in members or members[key].state != "arrived":
                    members[key] = GroupMember(_member_state(row), row.id, row.success, row.reason)
        return members

    def finished_since(
        self, run_id: str, cursor: FinishedCursor, phase: str | None = None
    ) -> list[Episode]:
        """Terminal episodes that this cursor has not returned yet, each exactly once."""
        conditions = [episode.c.run_id == run_id, episode.c.finished_at.is_not(None)]
        if phase is not None:
            conditions.append(episode.c.phase == phase)
        if cursor.since is not None:
            conditions.append(episode.c.finished_at >= cursor.since - OVERLAP)
        keys = select(episode.c.id, episode.c.finished_at).where(*conditions)
        with self._reader.begin() as db:
            ended = {row.id: row.finished_at for row in db.execute(keys)}
            fresh = {key: at for key, at in ended.items() if key not in cursor.seen}
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

    def with_score(self, run_id: str, phase: str) -> list[Episode]:
        """All episodes of a phase that were judged."""
        return self._rows(
            select(episode).where(
                episode.c.run_id == run_id,
                episode.c.phase == phase,
                episode.c.status == Status.SCORED,
            )
        )

    def page(
        self,
        *,
        status: Sequence[Status] = (),
        limit: int = 50,
        cursor: str | None = None,
        newest_only: bool = False,
        dead_only: bool = False,
        **filters: Unpack[Filters],
    ) -> Page:
        """One page, newest first. Rows that appear meanwhile do not move the pages. Without
        `newest_only`: every episode; with it: the newest of each chain, at the time at which the
        first one was created, so that a retry moves nothing; and one that will be retried counts as
        queued. `dead_only`: those that `is_dead`, which implies the former. Raises BadCursor."""
        newest_only = newest_only or dead_only
        place = None if cursor is None else decode_cursor(cursor)
        created_at, key = episode.c.created_at, episode.c.id
        conditions = make_conditions(filters)
        if newest_only:
            conditions.append(is_newest())
            created_at, key = episode.c.submitted_at, episode.c.root_id
            if status:
                conditions.append(_appears_as(list(status)))
        elif status:
            conditions.append(episode.c.status.in_(list(status)))
        if dead_only:
            conditions.append(is_dead())
        if place is not None:
            conditions.append(is_after(created_at, key, place))
        rows = self._rows(
            select(episode)
            .where(*conditions)
            .order_by(created_at.desc(), key.desc())
            .limit(limit + 1)
        )
        if newest_only:
            for row in rows:
                row.created_at = row.submitted_at
        has_more = len(rows) > limit
        rows = rows[:limit]
        if not has_more:
            return Page(rows, None)
        last = rows[-1]
        return Page(rows, encode_cursor(last.created_at, last.root_id if newest_only else last.id))

    def waiting(self, older_than: datetime, limit: int = 500) -> list[str]:
        """Queued episodes that could have run since `older_than`, oldest first."""
        statement = (
            select(episode.c.id)
            .where(
                episode.c.status == Status.QUEUED,
                ~episode.c.pause_requested,
                func.coalesce(episode.c.not_before, episode.c.created_at) <= older_than,
            )
            .order_by(episode.c.created_at)
            .limit(limit)
        )
        with self._reader.begin() as db:
            return list(db.execute(statement).scalars())

    def overtaken(self, by_s: float, limit: int = 500) -> list[str]:
        """Queued episodes that could have run `by_s` before one that has started meanwhile: the
        queue is in order, so their messages are lost."""
        could_run = func.coalesce(episode.c.not_before, episode.c.created_at)
        newest = select(func.max(episode.c.created_at)).where(episode.c.started_at.is_not(None))
        with self._reader.begin() as db:
            started: datetime | None = db.execute(newest).scalar_one()
            if started is None:
                return []
            statement = (
                select(episode.c.id)
                .where(
                    episode.c.status == Status.QUEUED,
                    ~episode.c.pause_requested,
                    could_run < started - timedelta(seconds=by_s),
                )
                .order_by(episode.c.created_at)
                .limit(limit)
            )
            return list(db.execute(statement).scalars())

    def queue_state(self) -> QueueState:
        """How much waits, and what each worker holds."""
        could_run = func.coalesce(episode.c.not_before, episode.c.created_at)
        queued = select(func.count(), func.min(could_run)).where(episode.c.status == Status.QUEUED)
        held = (
            select(episode.c.lease_owner, func.count())
            .where(episode.c.status == Status.RUNNING)
            .group_by(episode.c.lease_owner)
        )
        with self._reader.begin() as db:
            count, oldest = db.execute(queued).one()
            running = {owner or "": number for owner, number in db.execute(held)}
        return QueueState(count, running, oldest)

    def _rows(self, statement: Any) -> list[Episode]:
        with self._reader.begin() as db:
            return rows_of(Episode, db.execute(statement))


def may_be_retried() -> Any:
    """Condition: invalid, not cancelled, retries left, its run still running, not retried yet."""
    return and_(
        episode.c.status == Status.INVALID,
        ~episode.c.cancel_requested,
        or_(
            *(
                and_(episode.c.reason == reason.value, episode.c.attempt <= rule.max_retries)
                for reason, rule in RETRY_RULES.items()
            )
        ),
        exists().where(run.c.id == episode.c.run_id, run.c.status == "running"),
        is_newest(),
    )


def _appears_as(status: list[Status]) -> Any:
    """Condition: the newest of a chain has one of these, and will not be retried; one that will be
    is queued."""
    waits = may_be_retried()
    if Status.QUEUED not in status:
        return and_(episode.c.status.in_(status), ~waits)
    # The index is by status: it serves a list of them, not an alternative.
    either = episode.c.status.in_({*status, Status.INVALID})
    return and_(either, or_(and_(episode.c.status.in_(status), ~waits), waits))


def is_free(moment: Any) -> tuple[Any, ...]:
    """Conditions: queued, and nothing keeps a worker from it at this moment."""
    return (
        episode.c.status == Status.QUEUED,
        ~episode.c.cancel_requested,
        ~episode.c.pause_requested,
        or_(episode.c.not_before.is_(None), episode.c.not_before <= moment),
    )


def is_dead() -> Any:
    """Condition: infrastructure lost it, and nothing runs it again by itself (a dead letter)."""
    return and_(
        episode.c.status == Status.INVALID,
        ~episode.c.cancel_requested,
        is_newest(),
        ~may_be_retried(),
    )


def is_newest() -> Any:
    """Condition: the newest of its chain."""
    later = episode.alias()
    return ~exists().where(
        later.c.root_id == episode.c.root_id, later.c.attempt == episode.c.attempt + 1
    )


def retryable(reason: str | None, attempt: int) -> bool:
    """Whether the retry rules allow another retry."""
    return reason is not None and attempt <= RETRY_RULES[InvalidReason(reason)].max_retries


def _member_state(row: Any) -> Literal["open", "arrived", "cancelled", "lost"]:
    if not row.status.terminal:
        return "open"
    if row.status.has_score:
        return "arrived"
    if row.status is Status.CANCELLED:
        return "cancelled"
    will_retry = row.status is Status.INVALID and not row.cancel_requested
    return "open" if will_retry and retryable(row.reason, row.attempt) else "lost"


def _group_status(group_id: str, size: int, newest: dict[int, Any]) -> GroupStatus:
    states = [(_member_state(newest[slot]), newest[slot].id) for slot in sorted(newest)]
    return GroupStatus(
        group_id=group_id,
        size=size,
        arrived=tuple(key for state, key in states if state == "arrived"),
        cancelled=sum(state == "cancelled" for state, _ in states),
        lost=sum(state == "lost" for state, _ in states),
        begun=any(row.started_at for row in newest.values()),
    )
