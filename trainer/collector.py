"""Submits groups of episodes and collects them when they are complete.

Guarantees: a group is complete when arrived + cancelled + lost = its size, as the database says,
and is handed out once, oldest first; one that is not complete in time is cancelled and counted.
Staleness is the learner's version minus the oldest version that produced a token of the episode,
time in queues included: episodes beyond the bound are counted, and never handed out as data.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agent_server.episodes.agent import Sampling
from agent_server.queue.broker import Dispatcher
from agent_server.store.episodes import new_id
from agent_server.store.queries import FinishedCursor, GroupStatus
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Group, utcnow
from envs.contract.task import Task
from trainer.config import CollectorConfig
from trainer.threads import in_thread

SWEEP_S = 5.0
"""Seconds between two looks at all open groups: others may cancel episodes that had already ended,
which no newly finished episode tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedGroup:
    """`episodes` have a score; `stale` more were left out, `lost` more never came."""

    id: str
    task: Task
    episodes: tuple[Episode, ...]
    lost: int = 0
    stale: int = 0


@dataclass(slots=True)
class Staleness:
    """Over the episodes that were handed out to be trained on; `refused` were not."""

    total: int = 0
    count: int = 0
    worst: int = 0
    refused: int = 0

    def add(self, staleness: int) -> None:
        """Counts one episode that is trained on."""
        self.total += staleness
        self.count += 1
        self.worst = max(self.worst, staleness)

    @property
    def mean(self) -> float:
        """Versions an episode; 0 where there was none."""
        return self.total / self.count if self.count else 0.0


@dataclass(slots=True)
class _OpenGroup:
    task: Task
    deadline: float


@dataclass(slots=True)
class Collector:
    """One for each run. `phase` names are the keys of the report."""

    run_id: str
    store: Store
    dispatcher: Dispatcher
    config: CollectorConfig = field(default_factory=CollectorConfig)
    staleness: Staleness = field(default_factory=Staleness)
    _open: dict[str, _OpenGroup] = field(default_factory=dict)
    _cursor: FinishedCursor = field(default_factory=lambda: FinishedCursor(since=utcnow()))
    _completed: dict[str, GroupStatus] = field(default_factory=dict)
    _last_sweep: float = 0.0

    @property
    def in_flight(self) -> int:
        """Groups that were submitted and not handed out."""
        return len(self._open)

    def submit(
        self,
        *,
        phase: str,
        purpose: str,
        tasks: Sequence[Task],
        size: int,
        policy: str,
        sampling: Sampling,
        screenshots: int = 0,
    ) -> list[str]:
        """Dispatches one group of `size` episodes for each task; the first episodes of the first
        `screenshots` groups record pictures. Returns the groups' ids."""
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
            self._open[group.id] = _OpenGroup(task, deadline)
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
        self, count: int, version: int = 0, max_staleness: int | None = None
    ) -> list[FinishedGroup]:
        """The next `count` groups that are complete, fewer when no more are in flight.

        `max_staleness` None: nothing is trained on by its version, so staleness is neither counted
        nor bounded."""
        groups: list[FinishedGroup] = []
        while len(groups) < count and self._open:
            batch = await in_thread(self._poll, count - len(groups), version, max_staleness)
            groups += batch
            if not batch:
                await asyncio.sleep(self.config.poll_s)
        return groups

    def cancel_in_flight(self) -> int:
        """Cancels all open groups; returns the number of episodes that were cancelled at once."""
        cancelled = sum(self.store.episodes.cancel_group(group_id) for group_id in self._open)
        self._open.clear()
        self._completed.clear()
        return cancelled

    def _poll(self, limit: int, version: int, max_staleness: int | None) -> list[FinishedGroup]:
        statuses = self.store.episodes.group_statuses(self._changed_groups())
        self._completed |= {status.group_id: status for status in statuses if status.complete}
        groups: list[FinishedGroup] = []
        # `_open` is in the order of submission: the oldest complete groups go first, and a later
        # one waits in `_completed` for the next call.
        ready = [group_id for group_id in self._open if group_id in self._completed]
        for group_id in ready[:limit]:
            status, entry = self._completed.pop(group_id), self._open.pop(group_id)
            rows = self.store.episodes.get_many(status.arrived)
            fresh = [row for row in rows if self._is_fresh(row, version, max_staleness)]
            groups.append(
                FinishedGroup(
                    id=group_id,
                    task=entry.task,
                    episodes=tuple(fresh),
                    lost=status.lost + status.cancelled,
                    stale=len(rows) - len(fresh),
                )
            )
        return groups

    def _changed_groups(self) -> Iterable[str]:
        """Groups that may have become complete since the last call; cancels overdue ones."""
        now = time.monotonic()
        for group_id, entry in self._open.items():
            if entry.deadline < now:
                self.store.episodes.cancel_group(group_id)
                entry.deadline = now + self.config.group_timeout_s
                self._last_sweep = 0.0
        finished = self.store.episodes.finished_since(self.run_id, self._cursor)
        if now - self._last_sweep >= SWEEP_S:
            self._last_sweep = now
            return list(self._open)
        return {row.group_id for row in finished if row.group_id in self._open}

    def _is_fresh(self, row: Episode, version: int, max_staleness: int | None) -> bool:
        if max_staleness is None:
            return True
        # An oracle's episode has no version. A version above the learner's is one that was
        # rejected after it had produced tokens.
        staleness = max(version - row.version_min, 0) if row.version_min is not None else 0
        if staleness > max_staleness:
            self.staleness.refused += 1
            return False
        self.staleness.add(staleness)
        return True
