"""What a named key may use, and what it has used of it today.

Guarantees: what a key used is counted once, whoever counts at the same time; no episode beyond the
cap or the number of a day is created, whatever number of API processes admit at once; a budget that
is used up ends the key's episodes before their next step, so that what runs over it is at most one
step of each. A day is one of UTC. Episodes that an older version of Deskhand creates or runs while
versions are replaced are not counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime, time, timedelta
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection, func, select
from sqlalchemy.dialects import postgresql, sqlite

from agent_server.store.clock import StoreClock
from agent_server.store.engine import table_of
from agent_server.store.tables import ApiKey, Episode, KeyUse
from envs.contract.outcomes import Status

api_key = table_of(ApiKey)
episode = table_of(Episode)
key_use = table_of(KeyUse)

IN_FLIGHT = (Status.QUEUED, Status.RUNNING)
TRY_AGAIN_S = 5
"""When the cap is reached: an episode may end at any time."""


class Quota(BaseModel):
    """The limits of a key; None: no limit. All but `in_flight` are of a day."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    in_flight: int | None = Field(None, ge=1, description="episodes that wait or run at once")
    episodes: int | None = Field(None, ge=1, description="episodes a day; retries are free")
    steps: int | None = Field(None, ge=1, description="steps a day")
    tokens: int | None = Field(None, ge=1, description="tokens of prompts and answers a day")
    seconds: float | None = Field(None, gt=0, description="seconds that episodes run, a day")
    cost: float | None = Field(
        None, gt=0, description="a day, at the prices of the agents' files, in their currency"
    )

    @property
    def budgets(self) -> dict[str, float]:
        """The limits of a day that running episodes use up."""
        names = [entry.name for entry in fields(Use)]
        return {name: value for name in names if (value := getattr(self, name)) is not None}


@dataclass(frozen=True, slots=True)
class Use:
    """What episodes used. Values only grow while an episode runs."""

    steps: int = 0
    tokens: int = 0
    seconds: float = 0.0
    cost: float = 0.0

    def minus(self, earlier: Use) -> Use:
        """What was used since."""
        return Use(**{name: value - getattr(earlier, name) for name, value in asdict(self).items()})


@dataclass(frozen=True, slots=True)
class Standing:
    """A key's limits beside what counts against them now, by the names of `Quota`."""

    key_name: str
    quota: Quota
    used: Mapping[str, float]

    def describe(self) -> str:
        """`3 of 4 in flight, 1,200 of 5,000 tokens`; what has no limit and was not used is left
        out."""
        parts = []
        for name in Quota.model_fields:
            limit, used = getattr(self.quota, name), self.used.get(name, 0)
            if limit is not None or used:
                of = "" if limit is None else f" of {limit:,g}"
                parts.append(f"{used:,g}{of} {name.replace('_', ' ')}")
        return ", ".join(parts)


class QuotaRefused(Exception):
    """A key may not have these episodes now; the message says which limit and what to do."""

    def __init__(self, detail: str, retry_after_s: int) -> None:
        super().__init__(detail)
        self.retry_after_s = retry_after_s


class QuotaStore:
    """The limits of keys and the table of their use."""

    def __init__(self, clock: StoreClock) -> None:
        self._clock = clock

    def admit(self, db: Connection, key_names: Iterable[str | None]) -> None:
        """Count new episodes of these keys, in the transaction that creates them. Raises
        QuotaRefused."""
        for name, count in Counter(filter(None, key_names)).items():
            now = self._clock.read_on(db)
            # First the count: its row is locked until the end, so that others wait to be admitted.
            used = _add(db, name, now, episodes=count)
            quota = _quota_of(db, name)
            if quota.in_flight is not None:
                _check_in_flight(db, name, quota.in_flight, count)
            if quota.episodes is not None and used["episodes"] > quota.episodes:
                raise _used_up(name, "episodes", used["episodes"] - count, quota.episodes, now)
            for budget, limit in quota.budgets.items():
                if used[budget] >= limit:
                    raise _used_up(name, budget, used[budget], limit, now)

    def charge(self, name: str, use: Use) -> str | None:
        """Count what an episode used; a sentence, if a budget of the key is used up now."""
        with self._clock.engine.begin() as db:
            now = self._clock.read_on(db)
            used = _add(db, name, now, **asdict(use))
            budgets = _quota_of(db, name).budgets
        for budget, limit in budgets.items():
            if used[budget] >= limit:
                return str(_used_up(name, budget, used[budget], limit, now))
        return None

    def standings(self, key_names: Collection[str]) -> dict[str, Standing]:
        """How these keys stand today; unknown ones are left out."""
        names = list(key_names)
        with self._clock.reader.begin() as db:
            today = key_use.c.day == _day(self._clock.read_on(db))
            quotas = db.execute(
                select(api_key.c.name, api_key.c.quota).where(api_key.c.name.in_(names))
            ).all()
            uses = db.execute(select(key_use).where(key_use.c.key_name.in_(names), today))
            used = {row["key_name"]: dict(row) for row in uses.mappings()}
            counts = db.execute(
                select(episode.c.key_name, func.count())
                .where(episode.c.key_name.in_(names), episode.c.status.in_(IN_FLIGHT))
                .group_by(episode.c.key_name)
            )
            in_flight: dict[str, int] = dict(map(tuple, counts))
        return {
            name: Standing(
                name,
                Quota.model_validate(quota or {}),
                {
                    limit: in_flight.get(name, 0)
                    if limit == "in_flight"
                    else used.get(name, {}).get(limit, 0)
                    for limit in Quota.model_fields
                },
            )
            for name, quota in quotas
        }


def _check_in_flight(db: Connection, name: str, limit: int, count: int) -> None:
    statement = select(func.count()).where(
        episode.c.key_name == name, episode.c.status.in_(IN_FLIGHT)
    )
    running = db.execute(statement).scalar_one()
    if running + count > limit:
        detail = (
            f"the key {name} may have {limit} episodes in flight, has {running} and asked for "
            f"{count} more: wait until some have ended, or cancel some"
        )
        raise QuotaRefused(detail, TRY_AGAIN_S)


def _used_up(name: str, what: str, used: float, limit: float, now: datetime) -> QuotaRefused:
    midnight = datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time(), UTC)
    detail = (
        f"the key {name} has used {used:,g} of its {limit:,g} {what} of today: wait until "
        f"{midnight:%Y-%m-%d %H:%M} UTC, or have its limit raised (deskhand keys limit {name})"
    )
    return QuotaRefused(detail, max(1, round((midnight - now).total_seconds())))


def _quota_of(db: Connection, name: str) -> Quota:
    stored = db.execute(select(api_key.c.quota).where(api_key.c.name == name)).scalar_one_or_none()
    return Quota.model_validate(stored or {})


def _add(db: Connection, name: str, now: datetime, **values: float) -> dict[str, float]:
    """Adds to the key's row of today; what it says then."""
    dialect = sqlite if db.dialect.name == "sqlite" else postgresql
    statement = dialect.insert(key_use).values(key_name=name, day=_day(now), **values)
    added: Any = {column: key_use.c[column] + value for column, value in values.items()}
    row = db.execute(
        statement.on_conflict_do_update(index_elements=["key_name", "day"], set_=added).returning(
            *key_use.c
        )
    )
    return dict(row.mappings().one())


def _day(now: datetime) -> str:
    return f"{now.astimezone(UTC):%Y-%m-%d}"
