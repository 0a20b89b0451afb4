"""The tables: runs, groups, episodes, large tasks, follow-ups, words of tasks, workers, keys and
their use, policy versions. The database is the truth.

One `Episode` row is one dispatch and reaches exactly one terminal status. A retry is a new row that
names the row it replaces in `retry_of` and the first of its chain in `root_id`, so that dispatched
= scored + truncated + unjudged + invalid + cancelled whenever nothing is running. (root_id,
attempt) is unique: no row can be retried twice. A group member is (group_id, slot); its newest row
counts.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    DateTime,
    Enum,
    Index,
    LargeBinary,
    String,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

from envs.contract.outcomes import Status


def utcnow() -> datetime:
    """The current time, aware, in UTC."""
    return datetime.now(UTC)


class UtcDateTime(TypeDecorator[datetime]):
    """Aware UTC datetimes on every backend; SQLite drops the zone, so it is put back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:
        """To UTC."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        """Aware, in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


WordColumn = String().with_variant(String(collation="C"), "postgresql")
"""Compared byte by byte everywhere, so that an index finds what begins with some letters."""
URGENT = "priority > 0"
"""Of an index of the few episodes that others wait for."""
OWNED = "key_name IS NOT NULL"
"""Of an index of the episodes that count against a key's limits."""


class Run(SQLModel, table=True):
    """One training, evaluation or serving run."""

    __tablename__ = "run"

    id: str = Field(primary_key=True)
    kind: str = Field(description="train | eval | serve")
    preset: str = ""
    seed: int = Field(default=0, sa_type=BigInteger)
    status: str = Field(default="running", description="running | finished | failed | interrupted")
    config: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    created_at: datetime = Field(
        default_factory=utcnow, sa_column=Column(UtcDateTime, nullable=False)
    )
    finished_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))


class Group(SQLModel, table=True):
    """Episodes of one task that are compared with each other."""

    __tablename__ = "group"

    id: str = Field(primary_key=True)
    run_id: str = Field(index=True)
    phase: str
    template: str
    seed: int = Field(sa_type=BigInteger)
    size: int
    created_at: datetime = Field(
        default_factory=utcnow, sa_column=Column(UtcDateTime, nullable=False)
    )


class Episode(SQLModel, table=True):
    """One run of an agent on a task, from dispatch to its terminal status."""

    __tablename__ = "episode"
    __table_args__ = (
        Index("ix_episode_run_phase_status", "run_id", "phase", "status"),
        Index("ix_episode_status_lease", "status", "lease_expires_at"),
        Index("ix_episode_run_finished", "run_id", "finished_at"),
        Index("ix_episode_run_submitted", "run_id", "submitted_at"),
        Index("ix_episode_run_status_submitted", "run_id", "status", "submitted_at"),
        Index("ix_episode_run_policy_submitted", "run_id", "policy", "submitted_at"),
        Index(
            "ix_episode_urgent",
            *("run_id", "status", "priority", "submitted_at"),
            sqlite_where=text(URGENT),
            postgresql_where=text(URGENT),
        ),
        Index(
            "ix_episode_key_status",
            *("key_name", "status"),
            sqlite_where=text(OWNED),
            postgresql_where=text(OWNED),
        ),
        UniqueConstraint("root_id", "attempt", name="uq_episode_root_attempt"),
    )

    id: str = Field(primary_key=True)
    run_id: str
    phase: str = ""
    purpose: str = Field(description="api | imitate | train | eval")
    group_id: str | None = Field(default=None, index=True)
    slot: int = 0
    attempt: int = 1
    retry_of: str | None = None
    root_id: str = Field(
        default="", description="id of the first of the chain; the row's own id for it"
    )
    task: dict[str, Any] = Field(
        sa_column=Column(JSON, nullable=False),
        description="the whole task, or a reference to a large one (store/episodes.py)",
    )
    policy: str = Field(
        default="live",
        description="live | oracle | noop | infeasible | random, or the name of an agent",
    )
    sampling: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    screenshots: bool = False
    priority: int = Field(
        default=0,
        sa_column_kwargs={"server_default": "0"},
        description="tasks of the API with more of it are run before others",
    )
    key_name: str | None = Field(
        default=None, description="the named key that submitted it; None: the operator's, or none"
    )
    replay_of: str | None = Field(default=None, description="episode whose first steps it repeats")
    replay_steps: int = Field(default=0, sa_column_kwargs={"server_default": "0"})

    status: Status = Field(
        default=Status.QUEUED,
        sa_column=Column(
            Enum(
                Status, native_enum=False, length=16, values_callable=lambda s: [v.value for v in s]
            ),
            nullable=False,
        ),
    )
    reason: str | None = Field(default=None, description="EndReason or InvalidReason")
    detail: str | None = None
    score: float | None = None
    success: bool | None = None
    verdict: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    answer: str | None = None
    steps: int = 0
    version_min: int | None = Field(default=None, description="oldest policy version of any token")
    version_max: int | None = None
    timings: dict[str, float] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    tokens: int | None = Field(default=None, description="of prompts and answers; None: uncounted")
    cost: float | None = Field(default=None, description="at the prices of the agent's file")

    lease_owner: str | None = None
    lease_expires_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    cancel_requested: bool = False
    pause_requested: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    not_before: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    created_at: datetime = Field(
        default_factory=utcnow, sa_column=Column(UtcDateTime, nullable=False)
    )
    submitted_at: datetime = Field(
        default_factory=utcnow,
        sa_column=Column(UtcDateTime, nullable=False, server_default="1970-01-01 00:00:00"),
        description="when the first of the chain was created",
    )
    started_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    finished_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))


class FollowUp(SQLModel, table=True):
    """What the owner of a task told its agent while it ran."""

    __tablename__ = "follow_up"

    id: int | None = Field(default=None, primary_key=True)
    root_id: str = Field(index=True)
    text: str
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))


class TaskWord(SQLModel, table=True):
    """A word of a task of the API, by which it is found."""

    __tablename__ = "task_word"

    word: str = Field(sa_column=Column(WordColumn, primary_key=True))
    root_id: str = Field(primary_key=True, index=True)


class Delivery(SQLModel, table=True):
    """What one target of a webhook is told of one task."""

    __tablename__ = "delivery"
    __table_args__ = (Index("ix_delivery_state_next", "state", "next_at"),)

    id: str = Field(primary_key=True, description="the webhook-id of all its tries")
    root_id: str = Field(index=True)
    target: str = Field(description="a name of the operator's file, or an address")
    state: Literal["waiting", "due", "delivered", "failed"] = Field(sa_type=String)
    tries: int = 0
    status: int | None = None
    error: str | None = None
    next_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    delivered_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))


class TaskBody(SQLModel, table=True):
    """A large task, once for all episodes that refer to it."""

    __tablename__ = "task_body"

    id: str = Field(primary_key=True, description="SHA-256 of the task as JSON")
    body: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class Approval(SQLModel, table=True):
    """Actions of an episode that wait, or waited, for a person's word."""

    __tablename__ = "approval"

    id: str = Field(primary_key=True)
    root_id: str = Field(index=True, description="the task: id of the first of its chain")
    episode_id: str = Field(description="the episode that waits; a retry takes over what waits")
    step: int
    fingerprint: str = Field(description="of actions and page: a retry asks the same")
    status: str = Field(
        default="waiting",
        index=True,
        description="waiting -> approved | refused | expired | withdrawn | taken -> returned",
    )
    reasons: list[dict[str, str]] = Field(sa_column=Column(JSON, nullable=False))
    actions: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    summary: str = Field(description="the actions in words")
    thought: str = ""
    url: str = ""
    wait_s: float = 0.0
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    expires_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    decided_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    decided_by: str = Field(default="", description="name of the key that answered")
    words: str = ""
    used_at: datetime | None = Field(
        default=None,
        sa_column=Column(UtcDateTime),
        description="the worker acted on the answer",
    )
    inputs: list[dict[str, Any]] = Field(
        default_factory=list, sa_column=Column(JSON, nullable=False)
    )
    inputs_done: int = Field(default=0, description="those that the worker carried out")
    picture: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    picture_number: int = Field(default=0, description="grows with each new picture")


class Worker(SQLModel, table=True):
    """A worker that is alive."""

    __tablename__ = "worker"

    id: str = Field(primary_key=True, description="its name as owner of leases")
    envs: list[str] = Field(sa_column=Column(JSON, nullable=False))
    policies: list[str] = Field(sa_column=Column(JSON, nullable=False))
    slots: int = Field(
        default=0,
        sa_column_kwargs={"server_default": "0"},
        description="episodes that it can run at once; 0: a worker before schema 0009",
    )
    problem: str | None = Field(default=None, description="why it takes no episode now")
    seen_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))


class ApiKey(SQLModel, table=True):
    """A named key of the HTTP API, by its SHA-256."""

    __tablename__ = "api_key"

    name: str = Field(primary_key=True)
    digest: str = Field(unique=True)
    scope: str = Field(description="read | run")
    per_minute: int | None = Field(default=None, description="requests; None: no limit")
    quota: dict[str, Any] | None = Field(
        default=None, sa_column=Column(JSON(none_as_null=True)), description="see store/quotas.py"
    )
    created_at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False))
    expires_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))
    revoked_at: datetime | None = Field(default=None, sa_column=Column(UtcDateTime))


class KeyUse(SQLModel, table=True):
    """What the episodes of a named key used on one day."""

    __tablename__ = "key_use"

    key_name: str = Field(primary_key=True)
    day: str = Field(primary_key=True, description="2026-11-24, in UTC")
    episodes: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    steps: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    tokens: int = Field(default=0, sa_type=BigInteger, sa_column_kwargs={"server_default": "0"})
    seconds: float = Field(default=0.0, sa_column_kwargs={"server_default": "0"})
    cost: float = Field(default=0.0, sa_column_kwargs={"server_default": "0"})


class AuditEntry(SQLModel, table=True):
    """One request that changed something, or was refused, and whose key it had."""

    __tablename__ = "audit_entry"

    id: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_column=Column(UtcDateTime, nullable=False, index=True))
    key: str = Field(description="the key's name; empty: none that is known")
    client: str
    method: str
    path: str
    status: int


class PolicyVersion(SQLModel, table=True):
    """One published set of weights. `status`: published | requested -> live | rejected."""

    __tablename__ = "policy_version"

    id: int | None = Field(default=None, primary_key=True)
    run_id: str = Field(index=True)
    version: int
    parent: int | None = None
    path: str
    sha256: str
    phase: str = ""
    status: str = "published"
    verify: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    pause_ms: float | None = None
    created_at: datetime = Field(
        default_factory=utcnow, sa_column=Column(UtcDateTime, nullable=False)
    )
