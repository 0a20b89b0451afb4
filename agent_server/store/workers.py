"""The workers that are alive, and what each can do: who submits a task learns what can never run.

Guarantees: a worker that stops leaves; one that dies is forgotten after `ALIVE_S` by the clock that
the leases go by.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.dialects import postgresql, sqlite

from agent_server.store.clock import StoreClock
from agent_server.store.engine import rows_of, table_of
from agent_server.store.tables import Worker

worker = table_of(Worker)

ALIVE_S = 60.0
"""Several heartbeats: a worker that is late once does not vanish."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a worker can run: kinds of environments, names of policies and agents, and how many
    episodes at once."""

    envs: tuple[str, ...]
    policies: tuple[str, ...]
    slots: int


class WorkerStore:
    """The table of workers."""

    def __init__(self, clock: StoreClock) -> None:
        self._clock = clock

    def report(self, owner: str, offer: Offer, problem: str | None) -> None:
        """The worker is alive; `problem`: why it takes no episode now."""
        values: dict[str, Any] = {
            "envs": list(offer.envs),
            "policies": list(offer.policies),
            "slots": offer.slots,
            "problem": problem,
            "seen_at": self._clock.now(),
        }
        engine = self._clock.engine
        dialect = sqlite if engine.dialect.name == "sqlite" else postgresql
        statement = dialect.insert(worker).values(id=owner, **values)
        with engine.begin() as db:
            db.execute(statement.on_conflict_do_update(index_elements=["id"], set_=values))
            db.execute(delete(worker).where(worker.c.seen_at < self._clock.now(-ALIVE_S)))

    def leave(self, owner: str) -> None:
        """The worker has stopped."""
        with self._clock.engine.begin() as db:
            db.execute(delete(worker).where(worker.c.id == owner))

    def alive(self) -> list[Worker]:
        """Workers that were seen lately, by name."""
        condition = worker.c.seen_at >= self._clock.now(-ALIVE_S)
        with self._clock.reader.begin() as db:
            return rows_of(Worker, db.execute(select(worker).where(condition).order_by("id")))

    def count_slots(self) -> int | None:
        """Episodes that all workers can run at once. None: no worker is alive, or one does not
        say."""
        slots = [entry.slots for entry in self.alive()]
        return sum(slots) if slots and all(slots) else None
