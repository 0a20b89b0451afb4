"""Actions that wait for a person, each change one compare-and-set on (id, status).

Guarantees: one answer counts, the first; after the time is up, none does; an answer is acted on
once, also when its worker died between the two: the retry that comes to the same action on the same
page takes over what waits, or an answer that was not acted on yet. Times are by the clock that
leases go by.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Any
from uuid import uuid4

from sqlalchemy import insert, select, update

from agent_server.store.clock import StoreClock
from agent_server.store.engine import rows_of, table_of
from agent_server.store.tables import Approval

approval = table_of(Approval)
MAX_INPUTS = 2000
"""Of a person in one take-over."""
TAKEN_S = 600.0
"""Longest time that a person has control without an input."""


class ApprovalStatus(StrEnum):
    """How it stands with one."""

    WAITING = "waiting"
    APPROVED = "approved"
    REFUSED = "refused"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    TAKEN = "taken"
    RETURNED = "returned"

    @property
    def is_open(self) -> bool:
        """Whether a person may still do something."""
        return self in OPEN


OPEN = frozenset({ApprovalStatus.WAITING, ApprovalStatus.TAKEN})
ANSWERS: Mapping[ApprovalStatus, ApprovalStatus] = {
    ApprovalStatus.APPROVED: ApprovalStatus.WAITING,
    ApprovalStatus.REFUSED: ApprovalStatus.WAITING,
    ApprovalStatus.TAKEN: ApprovalStatus.WAITING,
    ApprovalStatus.RETURNED: ApprovalStatus.TAKEN,
}
"""What a person may say, and to what."""
TAKES_OVER = (ApprovalStatus.WAITING, ApprovalStatus.APPROVED, ApprovalStatus.REFUSED)
_LIGHT = [column for column in approval.c if column.name != "picture"]


class ApprovalStore:
    """The table of what waits."""

    def __init__(self, clock: StoreClock) -> None:
        self._clock = clock

    def ask(self, row: Approval) -> Approval:
        """Waits from now on for `row.wait_s`; or takes over what an earlier attempt of the task
        waited for. What else that attempt waited for is withdrawn."""
        same = (approval.c.root_id == row.root_id) & (approval.c.episode_id != row.episode_id)
        statement = (
            update(approval)
            .where(
                same,
                approval.c.fingerprint == row.fingerprint,
                approval.c.status.in_(TAKES_OVER),
                approval.c.used_at.is_(None),
            )
            .values(episode_id=row.episode_id, step=row.step, picture=row.picture)
            .returning(*_LIGHT)
        )
        values = row.model_dump() | {
            "id": f"a{uuid4().hex[:20]}",
            "created_at": self._clock.now(),
            "expires_at": self._clock.now(row.wait_s),
        }
        with self._clock.engine.begin() as db:
            rows = rows_of(Approval, db.execute(statement))
            stale = update(approval).where(same, approval.c.status.in_(OPEN))
            db.execute(stale.values(status=ApprovalStatus.WITHDRAWN))
            if not rows:
                new = insert(approval).values(**values).returning(*_LIGHT)
                rows = rows_of(Approval, db.execute(new))
        return rows[0]

    def look(self, approval_id: str) -> Approval:
        """How it stands, without its picture; ended first when its time is up."""
        late = (approval.c.id == approval_id) & (approval.c.expires_at <= self._clock.now())
        ends = (
            (ApprovalStatus.WAITING, ApprovalStatus.EXPIRED),
            (ApprovalStatus.TAKEN, ApprovalStatus.RETURNED),
        )
        statement = select(*_LIGHT).where(approval.c.id == approval_id)
        with self._clock.reader.begin() as db:
            (row,) = rows_of(Approval, db.execute(statement))
            is_late = bool(db.execute(select(approval.c.id).where(late)).first())
        if ApprovalStatus(row.status).is_open and is_late:
            with self._clock.engine.begin() as db:
                for before, after in ends:
                    change = update(approval).where(late, approval.c.status == before)
                    db.execute(change.values(status=after, decided_at=self._clock.now()))
                (row,) = rows_of(Approval, db.execute(statement))
        return row

    def answer(
        self, approval_id: str, status: ApprovalStatus, words: str = "", by: str = ""
    ) -> bool:
        """A person's word; False, without any change, where it comes too late."""
        change = (
            update(approval)
            .where(
                approval.c.id == approval_id,
                approval.c.status == ANSWERS[status],
                approval.c.expires_at > self._clock.now(),
            )
            .values(status=status, words=words, decided_by=by, decided_at=self._clock.now())
        )
        if status is ApprovalStatus.TAKEN:
            change = change.values(expires_at=self._clock.now(TAKEN_S))
        with self._clock.engine.begin() as db:
            return bool(db.execute(change).rowcount)

    def use(self, approval_id: str, episode_id: str) -> bool:
        """Whether this episode may act on the answer now: only once, and only its present owner."""
        change = update(approval).where(
            approval.c.id == approval_id,
            approval.c.episode_id == episode_id,
            approval.c.used_at.is_(None),
        )
        with self._clock.engine.begin() as db:
            return bool(db.execute(change.values(used_at=self._clock.now())).rowcount)

    def add_inputs(self, approval_id: str, actions: Sequence[Mapping[str, Any]]) -> bool:
        """What a person who took over wants done; False where nobody has control any more."""
        condition = (approval.c.id == approval_id) & (approval.c.status == ApprovalStatus.TAKEN)
        statement = select(approval.c.inputs).where(condition).with_for_update()
        with self._clock.engine.begin() as db:
            inputs = db.execute(statement).scalar_one_or_none()
            if inputs is None or len(inputs) + len(actions) > MAX_INPUTS:
                return False
            change = update(approval).where(condition)
            change = change.values(inputs=[*inputs, *actions], expires_at=self._clock.now(TAKEN_S))
            return bool(db.execute(change).rowcount)

    def show(self, approval_id: str, picture: bytes | None, inputs_done: int) -> None:
        """What the person's inputs led to."""
        change = update(approval).where(approval.c.id == approval_id)
        values: dict[str, Any] = {"inputs_done": inputs_done}
        if picture is not None:
            values |= {"picture": picture, "picture_number": approval.c.picture_number + 1}
        with self._clock.engine.begin() as db:
            db.execute(change.values(values))

    def withdraw(self, episode_id: str) -> None:
        """The episode has ended: nothing of it waits."""
        change = update(approval).where(
            approval.c.episode_id == episode_id, approval.c.status.in_(OPEN)
        )
        with self._clock.engine.begin() as db:
            db.execute(change.values(status=ApprovalStatus.WITHDRAWN))

    def of_task(self, root_id: str) -> list[Approval]:
        """All of a task, oldest first, without pictures."""
        return self._select(approval.c.root_id == root_id)

    def open_of(self, root_ids: Collection[str]) -> dict[str, Approval]:
        """What waits now, by task."""
        if not root_ids:
            return {}
        rows = self._select(self._is_open() & approval.c.root_id.in_(list(root_ids)))
        return {row.root_id: row for row in rows}

    def list_open(self, limit: int = 200) -> list[Approval]:
        """What waits now in all tasks, the longest first."""
        return self._select(self._is_open(), limit)

    def picture(self, root_id: str, approval_id: str) -> bytes | None:
        """Its newest picture; None where there is none."""
        statement = select(approval.c.picture).where(
            approval.c.root_id == root_id, approval.c.id == approval_id
        )
        with self._clock.reader.begin() as db:
            picture: bytes | None = db.execute(statement).scalar_one_or_none()
        return picture

    def _is_open(self) -> Any:
        return approval.c.status.in_(OPEN) & (approval.c.expires_at > self._clock.now())

    def _select(self, condition: Any, limit: int = 1000) -> list[Approval]:
        statement = select(*_LIGHT).where(condition).order_by(approval.c.created_at).limit(limit)
        with self._clock.reader.begin() as db:
            return rows_of(Approval, db.execute(statement))
