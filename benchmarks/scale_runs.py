"""Real episodes at so many sessions: what the model is calibrated with, and what it must foresee.

PostgreSQL, Redis, a worker, an env host with Chromium and the gym server run as they do in
production; the oracle answers, after `think_s` as if it were a model on another machine. All
episodes are submitted in one moment, so that most of them wait for a session.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from agent_server.queue.broker import Broker, Dispatcher
from agent_server.settings import Settings
from agent_server.stack.local_stack import Stack, StackConfig
from agent_server.store.engine import table_of
from agent_server.store.episodes import new_id
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Run
from benchmarks.faults.works import choose_works
from benchmarks.processes import cpu_seconds
from benchmarks.processors import busy_s
from envs.contract.outcomes import Status
from envs.contract.task import Task
from tasksets.registry import get_gym

KINDS = 40
"""Different tasks, by turns."""
LIMIT_S = 300.0
POLL_S = 0.25
RUN = "scale"
episode = table_of(Episode)


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One episode; seconds. `total_s`: from its lease to its end."""

    steps: int
    queued_s: float
    reset_s: float
    env_s: float
    evaluate_s: float
    policy_s: float
    total_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RealRun:
    """What `sessions` did. `cpu_s`: of our processes by kind, `other_cores`: processors that
    others used meanwhile, on average."""

    sessions: int
    think_s: float
    seconds: float
    cpu_s: dict[str, float]
    other_cores: float
    episodes: tuple[Played, ...]

    @property
    def steps_per_s(self) -> float:
        """From the first lease to the last end."""
        return sum(each.steps for each in self.episodes) / self.seconds


def run_really(settings: Settings, sessions: int, episodes: int, think_s: float) -> RealRun:
    """Plays so many episodes on database and broker of `settings`. Raises RuntimeError where one
    was not solved: the times of what went wrong mean nothing."""
    with tempfile.TemporaryDirectory(prefix="deskhand-bench-", ignore_cleanup_errors=True) as name:
        return asyncio.run(_run_stack(settings, Path(name), sessions, episodes, think_s))


async def _run_stack(
    settings: Settings, folder: Path, sessions: int, episodes: int, think_s: float
) -> RealRun:
    services = {"database_url": settings.database_url, "broker_url": settings.broker_url}
    config = StackConfig(
        run_dir=folder,
        concurrency=sessions,
        api=False,
        extra={**services, "policy_delay_s": think_s},
    )
    async with Stack(config) as stack:
        with _dispatcher(stack.settings) as dispatcher:
            warm_up = make_episodes(make_tasks(2 * sessions))
            await _play(dispatcher, warm_up)
            before, busy_before, since = cpu_seconds(), busy_s(), time.monotonic()
            rows = await _play(dispatcher, make_episodes(make_tasks(episodes)))
            wall_s = time.monotonic() - since
            spent = Counter(cpu_seconds())
            spent.subtract(before)
            worked_s = busy_s() - busy_before
    own_s = sum(spent.values())
    began = min(row.started_at for row in rows)
    ended = max(row.finished_at for row in rows)
    return RealRun(
        sessions=sessions,
        think_s=think_s,
        seconds=(ended - began).total_seconds(),
        cpu_s=dict(spent),
        other_cores=max(0.0, worked_s - own_s) / wall_s,
        episodes=tuple(_read_episode(row) for row in rows),
    )


@contextlib.contextmanager
def _dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    with Store.open(settings) as store, contextlib.closing(Broker(settings)) as broker:
        if store.runs.get(RUN) is None:
            store.runs.create(Run(id=RUN, kind="serve"))
        yield Dispatcher(store, broker)


def make_tasks(count: int) -> list[Task]:
    """Short tasks of the web gyms, the same ones each time."""
    works = choose_works("browser", 1, KINDS)
    bodies = [works[index % len(works)].body for index in range(count)]
    return [get_gym(body["gym"]).make_task(body["template"], body["seed"]) for body in bodies]


def make_episodes(tasks: list[Task], run_id: str = RUN) -> list[Episode]:
    """An episode of the oracle for each task."""
    return [
        Episode(
            id=new_id(),
            run_id=run_id,
            purpose="train",
            task=task.model_dump(mode="json"),
            policy="oracle",
        )
        for task in tasks
    ]


async def _play(dispatcher: Dispatcher, episodes: list[Episode]) -> list[Any]:
    """Rows of the episodes, once all have ended."""
    ids = await asyncio.to_thread(dispatcher.dispatch, episodes)
    async with asyncio.timeout(LIMIT_S):
        while await asyncio.to_thread(_count_open, dispatcher.store):
            await asyncio.sleep(POLL_S)
    columns: Any = episode.c
    with dispatcher.store.engine.connect() as db:
        rows = list(db.execute(select(episode).where(columns.id.in_(ids))))
    failed = [row for row in rows if not row.success]
    if failed:
        raise RuntimeError(f"{len(failed)} episodes failed, the first {failed[0].detail}")
    return rows


def _count_open(store: Store) -> int:
    columns: Any = episode.c
    is_open = columns.status.in_((Status.QUEUED, Status.RUNNING))
    with store.engine.connect() as db:
        return int(db.execute(select(func.count()).where(is_open)).scalar_one())


def _read_episode(row: Any) -> Played:
    timings = row.timings
    return Played(
        steps=row.steps,
        queued_s=(row.started_at - row.created_at).total_seconds(),
        reset_s=timings["reset_s"],
        env_s=timings["env_s"],
        evaluate_s=timings["evaluate_s"],
        policy_s=timings["policy_s"],
        total_s=(row.finished_at - row.started_at).total_seconds(),
    )
