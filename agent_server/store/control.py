"""What the owner of a task wants of it while it runs: pause, resume, follow-ups.

Guarantees: what is asked for holds for the whole chain, so a retry is paused too and reads all
follow-ups from the first; nothing is taken for a task that has ended. Cancelling is a change of
status and belongs to `episodes.py`.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, insert, select, update

from agent_server.episodes.control import Orders
from agent_server.store.clock import StoreClock
from agent_server.store.engine import table_of
from agent_server.store.tables import Episode, FollowUp
from envs.contract.outcomes import Status

episode = table_of(Episode)
follow_up = table_of(FollowUp)

MAX_FOLLOW_UPS = 50
"""Of one task."""
OPEN = (Status.QUEUED, Status.RUNNING, Status.INVALID)
"""An invalid one may be run again."""


class TooManyFollowUps(ValueError):
    """The task has MAX_FOLLOW_UPS already."""


class ControlStore:
    """What owners ask for, and what a worker reads of it before each step."""

    def __init__(self, clock: StoreClock) -> None:
        self._clock = clock

    def set_paused(self, root_id: str, is_paused: bool) -> bool:
        """Whether there was anything of the chain that has not ended."""
        statement = (
            update(episode)
            .where(episode.c.root_id == root_id, episode.c.status.in_(OPEN))
            .values(pause_requested=is_paused)
        )
        with self._clock.engine.begin() as db:
            # Twice, as for a cancellation: a retry may be inserted while the first one waits.
            db.execute(statement)
            return bool(db.execute(statement).rowcount)

    def add_follow_up(self, root_id: str, text: str) -> None:
        """Adds to what the task's agent reads. Raises TooManyFollowUps."""
        count = select(func.count()).where(follow_up.c.root_id == root_id)
        with self._clock.engine.begin() as db:
            if db.execute(count).scalar_one() >= MAX_FOLLOW_UPS:
                raise TooManyFollowUps(f"a task takes at most {MAX_FOLLOW_UPS} follow-ups")
            values = {"root_id": root_id, "text": text, "created_at": self._clock.now()}
            db.execute(insert(follow_up).values(**values))

    def read(self, episode_id: str, after: int) -> tuple[Orders, int]:
        """Orders to a running episode, with the follow-ups after the id `after`; and the id of the
        last one."""
        row_statement = select(
            episode.c.root_id, episode.c.pause_requested, episode.c.cancel_requested
        ).where(episode.c.id == episode_id)
        with self._clock.reader.begin() as db:
            row: Any = db.execute(row_statement).one_or_none()
            if row is None:
                return Orders(), after
            texts = db.execute(
                select(follow_up.c.id, follow_up.c.text)
                .where(follow_up.c.root_id == row.root_id, follow_up.c.id > after)
                .order_by(follow_up.c.id)
            ).all()
        orders = Orders(
            is_paused=row.pause_requested,
            is_cancelled=row.cancel_requested,
            follow_ups=tuple(entry.text for entry in texts),
        )
        return orders, max((entry.id for entry in texts), default=after)
