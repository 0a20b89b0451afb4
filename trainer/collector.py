"""Asks for groups of episodes and counts them home.

A group is home when arrived + cancelled + lost = its size; the database says so. A group that is
not home in time is cancelled and counted. Staleness is the learner's version minus the oldest
version that produced a token of the episode, time in queues included: episodes beyond the bound
are handed out as stale, never as data.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from agent_server.dispatch import Dispatcher
from agent_server.policy.policy import Sampling
from agent_server.store.artifacts import Artifacts
from agent_server.store.episodes import new_id
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Group
from envs.tasks import Task

POLL_S = 0.15


@dataclass(frozen=True, slots=True)
class FinishedGroup:
    """`episodes` have a score; `stale` of them were left out, `lost` never came."""

    id: str
    task: Task
    episodes: tuple[Episode, ...]
    lost: int = 0
    stale: int = 0


@dataclass(slots=True)
class Staleness:
    """Over the episodes that were handed out as data."""

    total: int = 0
    count: int = 0
    worst: int = 0

    def add(self, lag: int) -> None:
        self.total += lag
        self.count += 1
        self.worst = max(self.worst, lag)

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0


@dataclass(slots=True)
class _Open:
    group_id: str
    task: Task
    deadline: float


@dataclass(slots=True)
class Collector:
    """One a run. `phase` names are the keys of the report."""

    run_id: str
    store: Store
    dispatcher: Dispatcher
    artifacts: Artifacts
    group_timeout_s: float = 420.0
    staleness: Staleness = field(default_factory=Staleness)
    _open: dict[str, _Open] = field(default_factory=dict)

    @property
    def in_flight(self) -> int:
        """Groups that are not home."""
        return len(self._open)

    def ask(
        self,
        phase: str,
        purpose: str,
        tasks: Sequence[Task],
        size: int,
        policy: str,
        sampling: Sampling,
        screenshots: int = 0,
    ) -> list[str]:
        """Dispatches one group of `size` episodes a task; `screenshots` of them record pictures."""
        groups, episodes = [], []
        for index, task in enumerate(tasks):
            group = Group(
                id=new_id("g"),
                run_id=self.run_id,
                phase=phase,
                template=task.template or "",
                seed=task.seed,
                size=size,
            )
            groups.append(group)
            self._open[group.id] = _Open(group.id, task, time.monotonic() + self.group_timeout_s)
            body = task.model_dump(mode="json")
            for slot in range(size):
                episodes.append(
                    Episode(
                        id=new_id(),
                        run_id=self.run_id,
                        phase=phase,
                        purpose=purpose,
                        group_id=group.id,
                        slot=slot,
                        task=body,
                        policy=policy,
                        sampling=sampling.model_dump(),
                        screenshots=index < screenshots and slot == 0,
                    )
                )
        self.store.episodes.create_groups(groups)
        self.dispatcher.dispatch(episodes)
        return [group.id for group in groups]

    async def gather(self, wanted: int, version: int, max_staleness: int) -> list[FinishedGroup]:
        """The next `wanted` groups that come home (fewer when no more are out)."""
        home: list[FinishedGroup] = []
        while len(home) < wanted and self._open:
            done = await asyncio.to_thread(self._poll, wanted - len(home), version, max_staleness)
            home += done
            if not done:
                await asyncio.sleep(POLL_S)
        return home

    def _poll(self, limit: int, version: int, max_staleness: int) -> list[FinishedGroup]:
        now = time.monotonic()
        for entry in self._open.values():
            if entry.deadline < now:
                self.store.episodes.cancel_group(entry.group_id)
                entry.deadline = now + self.group_timeout_s
        home: list[FinishedGroup] = []
        for status in self.store.episodes.group_statuses(list(self._open)):
            if not status.complete or len(home) >= limit:
                continue
            entry = self._open.pop(status.group_id)
            rows = self.store.episodes.get_many(status.arrived)
            fresh = []
            for row in rows:
                lag = version - row.version_min if row.version_min is not None else 0
                if lag <= max_staleness:
                    fresh.append(row)
                    self.staleness.add(max(lag, 0))
            home.append(
                FinishedGroup(
                    id=status.group_id,
                    task=entry.task,
                    episodes=tuple(fresh),
                    lost=status.lost + status.cancelled,
                    stale=len(rows) - len(fresh),
                )
            )
        return home

    def abandon(self) -> int:
        """Cancels what is out, e.g. when a phase ends; the number of episodes cancelled."""
        cancelled = sum(self.store.episodes.cancel_group(key) for key in self._open)
        self._open.clear()
        return cancelled
