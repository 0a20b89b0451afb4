"""Submits groups of episodes and collects them when they are complete.

Guarantees: a group is complete when arrived + cancelled + lost = its size, as the database says,
and is handed out once, oldest first; one that is not complete in time is cancelled and counted.
Which groups are open is plain data, with which a later process goes on collecting them.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Iterable, Mapping, Sequence
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
    """`episodes` have a score; `stale` more were left out, `lost` more never came. `number`: its
    place in the order of submission."""

    id: str
    number: int = 0
    task: Task
    episodes: tuple[Episode, ...]
    lost: int = 0
    stale: int = 0


@dataclass(slots=True)
class Staleness:
    """The learner's version minus the oldest version that produced a token of the episode, time
    in queues included: over the episodes that were handed out to be trained on, `steps` long in
    all. `refused` were too old when they ended, `cancelled` of groups that were too old before."""

    total: int = 0
    count: int = 0
    worst: int = 0
    refused: int = 0
    cancelled: int = 0
    steps: int = 0

    def add(self, staleness: int, steps: int) -> None:
        """Counts one episode that is trained on."""
        self.total += staleness
        self.count += 1
        self.worst = max(self.worst, staleness)
        self.steps += steps

    @property
    def mean(self) -> float:
        """Versions an episode; 0 where there was none."""
        return self.total / self.count if self.count else 0.0


@dataclass(slots=True)
class OpenGroup:
    """A group that is not complete, or was not handed out yet. `oldest`: the policy version that
    was live when the first of its episodes began; None: none has begun."""

    number: int
    task: Task
    deadline: float
    oldest: int | None = None
    cancelled: bool = False


@dataclass(slots=True)
class Collector:
    """One for each run. `phase` names are the keys of the report."""

    run_id: str
    store: Store
    dispatcher: Dispatcher
    config: CollectorConfig = field(default_factory=CollectorConfig)
    staleness: Staleness = field(default_factory=Staleness)
    open_groups: dict[str, OpenGroup] = field(default_factory=dict)
    """by id, in the order of submission"""
    _submitted: int = 0
    _cursor: FinishedCursor = field(default_factory=lambda: FinishedCursor(since=utcnow()))
    _completed: dict[str, GroupStatus] = field(default_factory=dict)
    _last_sweep: float = -math.inf

    @property
    def in_flight(self) -> int:
        """Groups that were submitted and not handed out."""
        return len(self.open_groups)

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
            self._open(group.id, task)
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

    async def gather(self, count: int) -> list[FinishedGroup]:
        """The next `count` groups that are complete, fewer when no more are in flight."""
        groups: list[FinishedGroup] = []
        while len(groups) < count and self.open_groups:
            batch = await self.collect(count - len(groups))
            groups += batch
            if not batch:
                await asyncio.sleep(self.config.poll_s)
        return groups

    async def collect(self, limit: int | None = None) -> list[FinishedGroup]:
        """Groups that are complete now, at most `limit`, oldest first. A group leaves
        `open_groups` in the moment in which it is returned."""
        groups = await in_thread(self._complete_groups, dict(self.open_groups), limit)
        for group in groups:
            self.open_groups.pop(group.id, None)
        return groups

    async def note_starts(self, version: int) -> None:
        """Notes which groups have begun; those that had not before are of the live `version`.
        Called often, and before each swap."""
        waiting = [key for key, entry in self.open_groups.items() if entry.oldest is None]
        if not waiting:
            return
        for status in await in_thread(self.store.episodes.group_statuses, waiting):
            if status.begun and status.group_id in self.open_groups:
                self.open_groups[status.group_id].oldest = version

    def cancel_group(self, group_id: str) -> None:
        """Cancels what is left of an open group; what has arrived of it is handed out."""
        self.open_groups[group_id].cancelled = True
        self.store.episodes.cancel_group(group_id)

    def cancel_in_flight(self) -> int:
        """Cancels all open groups; returns the number of episodes that were cancelled at once."""
        cancelled = sum(self.store.episodes.cancel_group(key) for key in self.open_groups)
        self.open_groups.clear()
        self._completed.clear()
        return cancelled

    def adopt(self, group_id: str, task: Task, oldest: int | None = None) -> None:
        """Goes on collecting a group that an earlier process submitted; to be called in the order
        of submission."""
        self._open(group_id, task).oldest = oldest
        self._last_sweep = -math.inf

    def _open(self, group_id: str, task: Task) -> OpenGroup:
        self._submitted += 1
        deadline = time.monotonic() + self.config.group_timeout_s
        entry = self.open_groups[group_id] = OpenGroup(self._submitted, task, deadline)
        return entry

    def _complete_groups(
        self, open_groups: Mapping[str, OpenGroup], limit: int | None
    ) -> list[FinishedGroup]:
        changed = self._changed_groups(open_groups)
        statuses = self.store.episodes.group_statuses(changed)
        self._completed |= {status.group_id: status for status in statuses if status.complete}
        # In the order of submission: the oldest complete groups go first, and a later one waits in
        # `_completed` for the next call.
        ready = [group_id for group_id in open_groups if group_id in self._completed]
        return [
            self._finished_group(open_groups[group_id], self._completed.pop(group_id))
            for group_id in ready[:limit]
        ]

    def _finished_group(self, entry: OpenGroup, status: GroupStatus) -> FinishedGroup:
        if entry.cancelled:
            self.staleness.cancelled += status.cancelled
        rows = self.store.episodes.get_many(status.arrived)
        return FinishedGroup(
            id=status.group_id,
            number=entry.number,
            task=entry.task,
            episodes=tuple(sorted(rows, key=lambda row: row.slot)),
            lost=status.lost + status.cancelled,
        )

    def _changed_groups(self, open_groups: Mapping[str, OpenGroup]) -> Iterable[str]:
        """Groups that may have become complete since the last call; cancels overdue ones."""
        now = time.monotonic()
        for group_id, entry in open_groups.items():
            if entry.deadline < now:
                self.store.episodes.cancel_group(group_id)
                entry.deadline = now + self.config.group_timeout_s
                self._last_sweep = -math.inf
        finished = self.store.episodes.finished_since(self.run_id, self._cursor)
        if now - self._last_sweep >= SWEEP_S:
            self._last_sweep = now
            return list(open_groups)
        ended = {row.group_id for row in finished}
        return [group_id for group_id in open_groups if group_id in ended]
