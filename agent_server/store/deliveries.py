"""Webhook deliveries: one row for each task and target, from the task's submission to the answer.

Guarantees: a delivery that was stored with its task is sent after the task has ended, whatever
process dies meanwhile (at least once, always with the same id); of several senders one has it at a
time, and no target takes up a sender alone; what fails is tried again after the delays of
RETRY_DELAYS_S, and then given up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Literal

from sqlalchemy import select, update
from sqlalchemy.dialects import postgresql, sqlite

from agent_server.store.clock import StoreClock
from agent_server.store.engine import rows_of, table_of
from agent_server.store.queries import TERMINAL, is_newest, may_be_retried
from agent_server.store.tables import Delivery, Episode

delivery = table_of(Delivery)
episode = table_of(Episode)

RETRY_DELAYS_S = (5.0, 30.0, 120.0, 600.0, 3600.0, 6 * 3600.0, 24 * 3600.0)
"""After each try that failed; then it is given up."""
AT_ONCE_EACH = 8
"""So many messages one sender sends to one target at a time."""
CLAIM_S = 60.0
"""So long one sender has a delivery: more than a try takes."""
State = Literal["waiting", "due", "delivered", "failed"]


class DeliveryStore:
    """The table of deliveries."""

    def __init__(self, clock: StoreClock) -> None:
        self._clock = clock

    def create(self, root_id: str, targets: Sequence[str]) -> None:
        """For a task that begins; a second call changes nothing."""
        if not targets:
            return
        now = self._clock.read()
        rows = [
            {
                "id": f"msg_{root_id}_{number}",
                "root_id": root_id,
                "target": target,
                "state": "waiting",
                "tries": 0,
                "next_at": now,
                "created_at": now,
            }
            for number, target in enumerate(targets)
        ]
        dialect = sqlite if self._clock.engine.dialect.name == "sqlite" else postgresql
        with self._clock.engine.begin() as db:
            db.execute(dialect.insert(delivery).on_conflict_do_nothing(), rows)

    def of_task(self, root_id: str) -> list[Delivery]:
        """In the order of the task's targets."""
        statement = select(delivery).where(delivery.c.root_id == root_id).order_by(delivery.c.id)
        with self._clock.reader.begin() as db:
            return rows_of(Delivery, db.execute(statement))

    def release_ended(self) -> None:
        """Makes due what waited for a task that has ended and will not be run again."""
        has_ended = (
            select(episode.c.id)
            .where(
                episode.c.root_id == delivery.c.root_id,
                episode.c.status.in_(TERMINAL),
                is_newest(),
                ~may_be_retried(),
            )
            .exists()
        )
        waiting = select(delivery.c.id).where(delivery.c.state == "waiting", has_ended)
        with self._clock.reader.begin() as db:
            ids = list(db.execute(waiting).scalars())
        if ids:
            self._change(delivery.c.id.in_(ids), state="due", next_at=self._clock.now())

    def claim_due(self, limit: int, busy: Sequence[str] = ()) -> list[Delivery]:
        """Takes deliveries whose time has come; they are this sender's for CLAIM_S. `busy`: targets
        that it sends to now, once for each; one that has AT_ONCE_EACH gets nothing more."""
        now = self._clock.read()
        of_target = Counter(busy)
        full = [target for target, count in of_target.items() if count >= AT_ONCE_EACH]
        statement = (
            select(delivery)
            .where(
                delivery.c.state == "due",
                delivery.c.next_at <= now,
                delivery.c.target.not_in(full),
            )
            .order_by(delivery.c.next_at)
            .limit(max(0, limit))
        )
        with self._clock.reader.begin() as db:
            rows = rows_of(Delivery, db.execute(statement))
        claimed = []
        for row in rows:
            if of_target[row.target] < AT_ONCE_EACH and self._claim(row):
                of_target[row.target] += 1
                claimed.append(row)
        return claimed

    def _claim(self, row: Delivery) -> bool:
        # Compare and set: of two senders that saw the row, the second finds another time in it.
        unchanged = (delivery.c.id == row.id) & (delivery.c.next_at == row.next_at)
        row.tries += 1
        return self._change(
            unchanged & (delivery.c.state == "due"),
            tries=row.tries,
            next_at=self._clock.read() + timedelta(seconds=CLAIM_S),
        )

    def finish(self, row: Delivery, status: int | None, error: str | None) -> None:
        """What became of a claimed try; `error`: why it failed."""
        values: dict[str, Any] = {"status": status, "error": error and error[:500]}
        if error is None:
            values |= {"state": "delivered", "delivered_at": self._clock.now()}
        elif row.tries > len(RETRY_DELAYS_S):
            values["state"] = "failed"
        else:
            values["next_at"] = self._clock.now(RETRY_DELAYS_S[row.tries - 1])
        self._change((delivery.c.id == row.id) & (delivery.c.tries == row.tries), **values)

    def send_again(self, delivery_id: str) -> bool:
        """Makes a delivery due once more, with all its tries; whether its task has ended."""
        has_ended = (delivery.c.id == delivery_id) & (delivery.c.state != "waiting")
        return self._change(has_ended, state="due", tries=0, next_at=self._clock.now())

    def _change(self, condition: Any, **values: Any) -> bool:
        with self._clock.engine.begin() as db:
            return bool(db.execute(update(delivery).where(condition).values(**values)).rowcount)
