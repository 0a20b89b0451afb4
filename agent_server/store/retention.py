"""Which rows need not be kept, and their end.

Guarantees: a verdict of an evaluation stays for ever; of a training run episodes go only when it
has finished; tasks of the API, whose run never ends, go as whole chains that ended long ago; a
large task goes when no episode refers to it. Each batch is one short transaction, which looks again
at what it deletes, so it may run beside workers and submissions.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine, Text, and_, cast, delete, exists, func, or_, select, text

from agent_server.store.engine import read_only, table_of
from agent_server.store.episodes import BODY_KEY
from agent_server.store.queries import TERMINAL
from agent_server.store.tables import (
    Approval,
    Delivery,
    Episode,
    FollowUp,
    Group,
    Run,
    TaskBody,
    TaskWord,
    utcnow,
)

approval = table_of(Approval)
episode = table_of(Episode)
group = table_of(Group)
run = table_of(Run)
task_word = table_of(TaskWord)
follow_up = table_of(FollowUp)
delivery = table_of(Delivery)
task_body = table_of(TaskBody)

PURPOSES = ("api", "imitate", "train")
"""What is pruned. The other purpose is `eval`."""
YOUNGEST = timedelta(hours=1)
"""What ended later may still be run again."""


class Retention:
    """Rows that ended before a moment."""

    def __init__(self, engine: Engine, before: datetime) -> None:
        self._engine = engine
        self._reader = read_only(engine)
        self._before = min(before, utcnow() - YOUNGEST)

    def old_episodes(self) -> list[str]:
        """Ids of all episodes that can go."""
        statement = select(episode.c.id).where(self._is_old()).order_by(episode.c.created_at)
        with self._reader.begin() as db:
            return list(db.execute(statement).scalars())

    def delete_episodes(self, episode_ids: Sequence[str]) -> list[str]:
        """Delete those that can still go; returns their ids."""
        # Whole chains: one episode less would make an open chain of the others.
        roots = select(episode.c.root_id).where(episode.c.id.in_(episode_ids), self._is_old())
        with self._engine.begin() as db:
            chains = list(db.execute(roots.distinct()).scalars())
            statement = delete(episode).where(episode.c.root_id.in_(chains), self._is_old())
            ids = list(db.execute(statement.returning(episode.c.id)).scalars())
            for table in (task_word, follow_up, delivery, approval):
                db.execute(delete(table).where(table.c.root_id.in_(chains), ~_has_episodes(table)))
            self._delete_empty_groups(db)
        return ids

    def unused_bodies(self) -> tuple[int, int]:
        """How many large tasks only such episodes refer to, and their size."""
        size = func.sum(func.length(cast(task_body.c.body, Text)))
        statement = select(func.count(), size).where(self._is_unused(~self._is_old()))
        with self._reader.begin() as db:
            count, length = db.execute(statement).one()
        return count, int(length or 0)

    def delete_unused_bodies(self) -> int:
        """Delete the large tasks that no episode refers to."""
        with self._engine.begin() as db:
            if db.dialect.name == "postgresql":
                # A submission stores no body that is there already: it must not lose it now.
                db.execute(text("LOCK TABLE task_body IN SHARE ROW EXCLUSIVE MODE"))
            statement = delete(task_body).where(self._is_unused(episode.c.id.is_not(None)))
            return int(db.execute(statement).rowcount)

    def existing(self, episode_ids: Sequence[str]) -> set[str]:
        """Those that have a row."""
        with self._reader.begin() as db:
            rows = db.execute(select(episode.c.id).where(episode.c.id.in_(episode_ids)))
            return set(rows.scalars())

    def _is_old(self) -> Any:
        """Condition: of a run that needs it no more, and the whole chain ended before."""
        chain = episode.alias()
        is_open = or_(
            chain.c.status.not_in(TERMINAL),
            chain.c.finished_at.is_(None),
            chain.c.finished_at >= self._before,
        )
        has_ended = and_(run.c.status == "finished", run.c.finished_at < self._before)
        return and_(
            episode.c.purpose.in_(PURPOSES),
            exists().where(
                run.c.id == episode.c.run_id, or_(has_ended, episode.c.purpose == "api")
            ),
            ~exists().where(chain.c.root_id == episode.c.root_id, is_open),
        )

    def _is_unused(self, is_kept: Any) -> Any:
        """Condition on a body: no episode of which `is_kept` holds refers to it."""
        reference = episode.c.task[BODY_KEY].as_string()
        return task_body.c.id.not_in(
            select(reference).where(reference.is_not(None), is_kept).scalar_subquery()
        )

    def _delete_empty_groups(self, db: Any) -> None:
        has_ended = exists().where(
            run.c.id == group.c.run_id, run.c.status == "finished", run.c.finished_at < self._before
        )
        has_members = exists().where(episode.c.group_id == group.c.id)
        is_evaluation = exists().where(run.c.id == group.c.run_id, run.c.kind == "eval")
        db.execute(delete(group).where(has_ended, ~has_members, ~is_evaluation))


def _has_episodes(table: Any) -> Any:
    return exists().where(episode.c.root_id == table.c.root_id)
