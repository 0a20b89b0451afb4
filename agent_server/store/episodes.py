"""State changes of episodes, each one compare-and-set on (id, status, lease owner).

Guarantees: an episode reaches exactly one terminal status; a second delivery, a late worker or two
reapers at once change nothing twice. On PostgreSQL all times are the database's, so that clocks
that differ between machines cannot expire a lease.

A small task stands in the row of its episode. A large one is a row of `task_body`, named by its
SHA-256, and the episode's row holds a reference: SQLite writes the whole row at each change of
status, so a task of 30 MB there would be written again with every heartbeat.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import uuid4

import orjson
from sqlalchemy import (
    Connection,
    and_,
    case,
    exists,
    insert,
    literal,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from agent_server.episodes.trajectory import EpisodeResult
from agent_server.store.clock import StoreClock
from agent_server.store.engine import rows_of, table_of
from agent_server.store.queries import (
    EpisodeQueries,
    is_dead,
    is_free,
    may_be_retried,
    run,
)
from agent_server.store.quotas import QuotaStore
from agent_server.store.tables import URGENT, Episode, Group, TaskBody, utcnow
from agent_server.store.task_words import index_tasks
from envs.contract.outcomes import RETRY_RULES, InvalidReason, Status
from envs.contract.session import Verdict

episode = table_of(Episode)
group = table_of(Group)
task_body = table_of(TaskBody)

COPIED_BY_RETRY = (
    *("run_id", "phase", "purpose", "group_id", "slot", "root_id"),
    *("task", "policy", "sampling", "screenshots"),
    *("priority", "submitted_at", "pause_requested", "replay_of", "replay_steps", "key_name"),
)

INLINE_BYTES = 8192
"""Tasks of gyms are about 1 KB as JSON."""
SHOWN_CHARS = 4000
BODY_KEY = "body_sha256"
LEASE_TRIES = 5
STEP_BACK_S = 60.0
"""A time this far ahead is of a clock that was set back since."""


@dataclass(frozen=True, slots=True)
class Renewal:
    """Result of renewing leases: `kept` ones, and those whose cancellation is requested."""

    kept: frozenset[str]
    cancelled: frozenset[str]


def new_id(kind: str = "e") -> str:
    """A new random id; `kind` is its prefix."""
    return f"{kind}{uuid4().hex[:20]}"


class EpisodeStore(EpisodeQueries):
    """The episode table: state changes, and the queries of EpisodeQueries."""

    def __init__(self, clock: StoreClock, lease_s: float = 20.0) -> None:
        super().__init__(clock.engine)
        self.lease_s = lease_s
        self._clock = clock
        self._quotas = QuotaStore(clock)

    def create_groups(self, groups: Sequence[Group]) -> None:
        """Insert groups."""
        with self.engine.begin() as db:
            if groups:
                db.execute(insert(group), [row.model_dump() for row in groups])

    def create(self, episodes: Sequence[Episode]) -> list[str]:
        """Insert queued episodes; returns their ids in order. `Dispatcher.send` delivers them.
        Raises QuotaRefused, and inserts none, where one is beyond its key's limits."""
        values = []
        for row in episodes:
            if row.status is not Status.QUEUED or row.attempt != 1:
                raise ValueError(f"episode {row.id} is not new")
            fields = row.model_dump(exclude={"task"})
            values.append(fields | {"root_id": row.id, "submitted_at": row.created_at})
        if values:
            with self.engine.begin() as db:
                self._quotas.admit(db, (row.key_name for row in episodes))
                stored = store_bodies(db, (row.task for row in episodes))
                rows = [
                    fields | {"task": task} for fields, task in zip(values, stored, strict=True)
                ]
                db.execute(insert(episode), rows)
                index_tasks(db, [row for row in episodes if row.purpose == "api"])
        return [row.id for row in episodes]

    def lease(self, episode_id: str, owner: str) -> Episode | None:
        """Lease a queued episode to this owner, with its whole task; None if it is not queued any
        more."""
        started_at = self._clock.now()
        statement = (
            update(episode)
            .where(
                episode.c.id == episode_id,
                *is_free(started_at),
            )
            .values(
                status=Status.RUNNING,
                lease_owner=owner,
                lease_expires_at=self._clock.now(self.lease_s),
                started_at=started_at,
            )
            .returning(*episode.c)
        )
        with self.engine.begin() as db:
            rows = rows_of(Episode, db.execute(statement))
            for row in rows:
                row.task = load_task(db, row.task)
        return rows[0] if rows else None

    def load_whole_task(self, row: Episode) -> dict[str, Any]:
        """Also where its row has only a reference."""
        with self._reader.begin() as db:
            return load_task(db, row.task)

    def lease_first(self, episode_id: str, owner: str) -> Episode | None:
        """Lease this episode, or one that goes before it.

        A message is the right to run one episode. Of the tasks of the API that wait, the one with
        the highest priority takes the first message, whoever it names; and whose message was taken
        so takes the message of who took it."""
        for _ in range(LEASE_TRIES):
            urgent_id = self._find_urgent(episode_id)
            if urgent_id is None:
                break
            row = self.lease(urgent_id, owner)
            if row is not None:  # otherwise another worker was faster
                return row
        return self.lease(episode_id, owner)

    def _find_urgent(self, episode_id: str) -> str | None:
        """The id of an episode that goes before this one; None where it is this one's turn."""
        named = select(episode.c.run_id, episode.c.purpose, episode.c.status, episode.c.priority)
        with self._reader.begin() as db:
            row = db.execute(named.where(episode.c.id == episode_id)).one_or_none()
            if row is None or row.purpose != "api":
                return None
            lane = (episode.c.run_id == row.run_id, *is_free(self._clock.now()))
            waiting = select(episode.c.id).where(*lane).limit(1)
            urgent = waiting.where(
                # As the index of urgent episodes says it: SQLite compares the texts.
                text(URGENT),
                episode.c.priority > (row.priority if row.status is Status.QUEUED else 0),
            ).order_by(episode.c.priority.desc(), episode.c.submitted_at)
            first: str | None = db.execute(urgent).scalar_one_or_none()
            if first is None and row.status is not Status.QUEUED and row.priority > 0:
                first = db.execute(waiting.order_by(episode.c.submitted_at)).scalar_one_or_none()
            return first

    def renew(self, episode_ids: Iterable[str], owner: str) -> Renewal:
        """Extend the leases that this owner still holds; ids missing from `kept` are lost."""
        statement = (
            update(episode)
            .where(
                episode.c.id.in_(list(episode_ids)),
                episode.c.status == Status.RUNNING,
                episode.c.lease_owner == owner,
            )
            .values(lease_expires_at=self._clock.now(self.lease_s))
            .returning(episode.c.id, episode.c.cancel_requested)
        )
        with self.engine.begin() as db:
            rows = db.execute(statement).all()
        return Renewal(
            kept=frozenset(row.id for row in rows),
            cancelled=frozenset(row.id for row in rows if row.cancel_requested),
        )

    def finish(self, episode_id: str, owner: str, result: EpisodeResult) -> bool:
        """Record the result; False, without any change, if the lease was lost."""
        statement = (
            update(episode)
            .where(
                episode.c.id == episode_id,
                episode.c.status == Status.RUNNING,
                episode.c.lease_owner == owner,
            )
            .values(
                status=result.status,
                reason=None if result.reason is None else result.reason.value,
                detail=result.detail,
                score=result.score,
                success=result.success,
                verdict={} if result.verdict is None else result.verdict.model_dump(mode="json"),
                answer=result.answer,
                steps=result.steps,
                version_min=result.version_min,
                version_max=result.version_max,
                timings=result.timings,
                tokens=result.tokens,
                cost=result.cost,
                lease_expires_at=None,
                finished_at=self._clock.now(),
            )
        )
        with self.engine.begin() as db:
            return bool(db.execute(statement).rowcount)

    def cancel(self, episode_ids: Iterable[str]) -> int:
        """Cancel these episodes and their retries; returns how many ended at once. A running
        episode ends at its worker's next step, an invalid one is not retried."""
        ids = list(episode_ids)
        roots = select(episode.c.root_id).where(episode.c.id.in_(ids))
        return self._cancel(episode.c.root_id.in_(roots))

    def cancel_run(self, run_id: str, keep: Collection[str] = ()) -> int:
        """Cancel all episodes of a run, as `cancel` does, but for those of the groups to `keep`."""
        kept = and_(episode.c.group_id.is_not(None), episode.c.group_id.in_(list(keep)))
        return self._cancel(and_(episode.c.run_id == run_id, ~kept))

    def cancel_group(self, group_id: str) -> int:
        """Cancel all episodes of a group, as `cancel` does."""
        return self._cancel(episode.c.group_id == group_id)

    def _cancel(self, condition: Any) -> int:
        flag = (
            update(episode)
            .where(condition, episode.c.status.in_([Status.QUEUED, Status.RUNNING, Status.INVALID]))
            .values(cancel_requested=True)
        )
        end = (
            update(episode)
            .where(condition, episode.c.status == Status.QUEUED)
            .values(status=Status.CANCELLED, cancel_requested=True, finished_at=self._clock.now())
        )
        with self.engine.begin() as db:
            # Twice: the second statement also sees a retry that was being inserted by another
            # transaction while the first one waited for its row lock.
            db.execute(flag)
            db.execute(flag)
            return int(db.execute(end).rowcount)

    def expire_leases(self) -> list[str]:
        """End every running episode whose lease has expired; returns their ids."""
        # A lease from far ahead was written before the clock was set back.
        ended = or_(
            episode.c.lease_expires_at < self._clock.now(),
            episode.c.lease_expires_at > self._clock.now(2 * self.lease_s + STEP_BACK_S),
        )
        return self._end_lost(ended, "no heartbeat before the lease ended")

    def clock_time(self) -> float:
        """Seconds of the clock that leases go by."""
        return self._clock.read().timestamp()

    def end_running(self, run_id: str, started_before: datetime) -> list[str]:
        """End a run's running episodes whose workers are known to be gone, without waiting for
        their leases; returns their ids."""
        condition = and_(episode.c.run_id == run_id, episode.c.started_at < started_before)
        return self._end_lost(condition, "the run was started again")

    def _end_lost(self, condition: Any, detail: str) -> list[str]:
        cancelled = episode.c.cancel_requested
        statement = (
            update(episode)
            .where(episode.c.status == Status.RUNNING, condition)
            .values(
                status=case((cancelled, _status(Status.CANCELLED)), else_=_status(Status.INVALID)),
                reason=case((cancelled, None), else_=InvalidReason.WORKER_LOST.value),
                detail=case((cancelled, None), else_=detail),
                lease_expires_at=None,
                finished_at=self._clock.now(),
            )
            .returning(episode.c.id)
        )
        with self.engine.begin() as db:
            return list(db.execute(statement).scalars())

    def judge_again(self, episode_id: str, verdict: Verdict) -> bool:
        """Replace an existing verdict; returns whether there was one."""
        statement = (
            update(episode)
            .where(
                episode.c.id == episode_id,
                episode.c.status.in_([Status.SCORED, Status.TRUNCATED]),
            )
            .values(
                score=verdict.score,
                success=verdict.success,
                verdict=verdict.model_dump(mode="json"),
            )
        )
        with self.engine.begin() as db:
            return db.execute(statement).rowcount == 1

    def retry(self, episode_id: str) -> str | None:
        """Queue the retry of an invalid episode; returns its id, or None where the rules, a
        cancellation or an earlier retry forbid it."""
        with self.engine.begin() as db:
            rows = db.execute(
                select(episode)
                .where(episode.c.id == episode_id, may_be_retried())
                # A cancellation that comes now waits, then sees the new row as well.
                .with_for_update()
            )
            return next(iter(self._queue_next(db, rows_of(Episode, rows))), None)

    def retry_due(self, limit: int = 500) -> list[str]:
        """Queue the retry of every invalid episode whose delay has passed; returns the new
        ids."""
        due = or_(
            *(
                and_(
                    episode.c.reason == reason.value,
                    or_(
                        episode.c.finished_at <= self._clock.now(-rule.delay_s),
                        episode.c.finished_at > self._clock.now(STEP_BACK_S),
                    ),
                )
                for reason, rule in RETRY_RULES.items()
                if rule.max_retries
            )
        )
        with self.engine.begin() as db:
            rows = db.execute(
                select(episode).where(due, may_be_retried()).limit(limit).with_for_update()
            )
            return self._queue_next(db, rows_of(Episode, rows))

    def requeue(self, episode_ids: Iterable[str]) -> list[str]:
        """Queue one more attempt of each dead letter of a run that goes on, beyond what the retry
        rules allow; returns the new ids. Other chains are left as they are."""
        roots = select(episode.c.root_id).where(episode.c.id.in_(list(episode_ids)))
        goes_on = exists().where(run.c.id == episode.c.run_id, run.c.status == "running")
        with self.engine.begin() as db:
            rows = db.execute(
                select(episode)
                .where(episode.c.root_id.in_(roots), is_dead(), goes_on)
                .with_for_update()
            )
            return self._queue_next(db, rows_of(Episode, rows))

    def _queue_next(self, db: Connection, rows: list[Episode]) -> list[str]:
        values = [
            {name: getattr(row, name) for name in COPIED_BY_RETRY}
            | {
                "id": f"{row.root_id}.{row.attempt + 1}",
                "attempt": row.attempt + 1,
                "retry_of": row.id,
                "status": Status.QUEUED,
                "verdict": {},
                "timings": {},
                "steps": 0,
                "cancel_requested": False,
                "created_at": utcnow(),
            }
            for row in rows
        ]
        if not values:
            return []
        dialect = sqlite if db.dialect.name == "sqlite" else postgresql
        statement = dialect.insert(episode).on_conflict_do_nothing().returning(episode.c.id)
        return list(db.execute(statement, values).scalars())


def _status(status: Status) -> Any:
    return literal(status, episode.c.status.type)


def make_reference(task: dict[str, Any]) -> dict[str, Any]:
    """The task itself if it is small, else a reference with its id and instruction."""
    data = orjson.dumps(task)
    if len(data) <= INLINE_BYTES or BODY_KEY in task:
        return task
    return {
        BODY_KEY: hashlib.sha256(data).hexdigest(),
        "name": str(task.get("id", ""))[:SHOWN_CHARS],
        "shown": str(task.get("instruction", ""))[:SHOWN_CHARS],
    }


def store_bodies(db: Connection, tasks: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Store the large ones of these tasks; returns what goes into the rows of their episodes."""
    references: dict[int, dict[str, Any]] = {}
    bodies: dict[str, dict[str, Any]] = {}
    stored = []
    for task in tasks:  # trials of one task share the object
        if id(task) not in references:
            references[id(task)] = make_reference(task)
        reference = references[id(task)]
        if reference is not task:
            bodies[reference[BODY_KEY]] = task
        stored.append(reference)
    if bodies:
        dialect = sqlite if db.dialect.name == "sqlite" else postgresql
        statement = dialect.insert(task_body).on_conflict_do_nothing()
        db.execute(statement, [{"id": key, "body": body} for key, body in bodies.items()])
    return stored


def load_task(db: Connection, stored: dict[str, Any]) -> dict[str, Any]:
    """The whole task of an episode's row; the reference, no task, where its body is gone."""
    key = stored.get(BODY_KEY)
    if key is None:
        return stored
    body: dict[str, Any] | None = db.execute(
        select(task_body.c.body).where(task_body.c.id == key)
    ).scalar_one_or_none()
    return stored if body is None else body


def describe_task(stored: dict[str, Any]) -> tuple[str, str]:
    """Id and instruction of what an episode's row holds."""
    if BODY_KEY in stored:
        return stored["name"], stored["shown"]
    return stored.get("id", ""), stored.get("instruction", "")
