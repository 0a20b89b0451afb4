"""Asks for groups of episodes and counts them home.

Guarantees: a group is home when arrived + cancelled + lost = its size, as the database says, and
comes home once, oldest first; one that is not home in time is cancelled and counted. Staleness is
the learner's version minus the oldest version that produced a token of the episode, time in queues
included: episodes beyond the bound are counted, and never handed out as data.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agent_server.dispatch import Dispatcher
from agent_server.policy.policy import Sampling
from agent_server.store.episodes import new_id
from agent_server.store.queries import FinishedCursor, GroupStatus
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Group, utcnow
from envs.tasks import Task
from trainer.config import CollectorConfig
from trainer.threads import in_thread

SWEEP_S = 5.0
"""How often all open groups are looked at: others may cancel episodes that had already ended."""


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
    """Over the episodes that were handed out to be trained on."""

    total: int = 0
    count: int = 0
    worst: int = 0
    refused: int = 0

    def add(self, lag: int) -> None:
        self.total += lag
        self.count += 1
        self.worst = max(self.worst, lag)

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0


@dataclass(slots=True)
class _Open:
    task: Task
    deadline: float


@dataclass(slots=True)
class Collector:
    """One a run. `phase` names are the keys of the report."""

    run_id: str
    store: Store
    dispatcher: Dispatcher
    config: CollectorConfig = field(default_factory=CollectorConfig)
    staleness: Staleness = field(default_factory=Staleness)
    _open: dict[str, _Open] = field(default_factory=dict)
    _cursor: FinishedCursor = field(default_factory=lambda: FinishedCursor(since=utcnow()))
    _home: dict[str, GroupStatus] = field(default_factory=dict)
    _swept: float = 0.0

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
        deadline = time.monotonic() + self.config.group_timeout_s
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
            self._open[group.id] = _Open(task, deadline)
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

    async def gather(
        self, wanted: int, version: int = 0, max_staleness: int | None = None
    ) -> list[FinishedGroup]:
        """The next `wanted` groups that come home (fewer when no more are out). `max_staleness`
        None: nothing is trained on by its version, so staleness is neither counted nor bounded."""
        home: list[FinishedGroup] = []
        while len(home) < wanted and self._open:
            done = await in_thread(self._poll, wanted - len(home), version, max_staleness)
            home += done
            if not done:
                await asyncio.sleep(self.config.poll_s)
        return home

    def abandon(self) -> int:
        """Cancels what is out, e.g. when a phase ends; the number of episodes cancelled at once."""
        cancelled = sum(self.store.episodes.cancel_group(key) for key in self._open)
        self._open.clear()
        self._home.clear()
        return cancelled

    def _poll(self, limit: int, version: int, max_staleness: int | None) -> list[FinishedGroup]:
        statuses = self.store.episodes.group_statuses(self._changed())
        self._home |= {status.group_id: status for status in statuses if status.complete}
        home: list[FinishedGroup] = []
        for key in [key for key in self._open if key in self._home][:limit]:
            status, entry = self._home.pop(key), self._open.pop(key)
            rows = self.store.episodes.get_many(status.arrived)
            fresh = [row for row in rows if self._is_fresh(row, version, max_staleness)]
            home.append(
                FinishedGroup(
                    id=key,
                    task=entry.task,
                    episodes=tuple(fresh),
                    lost=status.lost + status.cancelled,
                    stale=len(rows) - len(fresh),
                )
            )
        return home

    def _changed(self) -> Iterable[str]:
        """Groups that may have come home since the last look."""
        now = time.monotonic()
        for key, entry in self._open.items():
            if entry.deadline < now:
                self.store.episodes.cancel_group(key)
                entry.deadline = now + self.config.group_timeout_s
                self._swept = 0.0
        news = self.store.episodes.finished_since(self.run_id, self._cursor)
        if now - self._swept >= SWEEP_S:
            self._swept = now
            return list(self._open)
        return {row.group_id for row in news if row.group_id in self._open}

    def _is_fresh(self, row: Episode, version: int, max_staleness: int | None) -> bool:
        if max_staleness is None:
            return True
        lag = max(version - row.version_min, 0) if row.version_min is not None else 0
        if lag > max_staleness:
            self.staleness.refused += 1
            return False
        self.staleness.add(lag)
        return True
