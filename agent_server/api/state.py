"""State that the routes share: settings, database, dispatcher, artifacts, scripts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request

from agent_server.api.errors import ApiError
from agent_server.api.key_ring import OPERATOR, KeyRing
from agent_server.api.machine_metrics import Learner
from agent_server.api.models import TaskState
from agent_server.api.poller import Poller
from agent_server.queue.broker import Dispatcher
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from agent_server.store.profiles import Profiles
from agent_server.store.queries import retryable
from agent_server.store.scripts import ScriptFiles
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from agent_server.store.task_files import TaskFiles
from envs.contract.outcomes import Status

API_RUN = "api"
"""Run of the episodes that the HTTP API starts."""
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class ApiState:
    """Shared state of one application."""

    settings: Settings
    store: Store
    dispatcher: Dispatcher
    artifacts: Artifacts
    keys: KeyRing
    scripts: ScriptFiles
    learner: Learner
    own_port: int | None = None
    """Where the API listens, if that is known: no page for agents."""
    stopping: threading.Event = field(default_factory=threading.Event)
    """Set once the process was told to end."""
    _pollers: dict[Callable[..., Any], Poller[Any]] = field(default_factory=dict)

    @property
    def files(self) -> TaskFiles:
        """What came with tasks, and what they made."""
        return TaskFiles(self.artifacts)

    @property
    def profiles(self) -> Profiles:
        """Saved log-in state of browsers."""
        return Profiles(self.settings.artifacts, self.settings.profile_keys)

    def poller(self, load: Load[Value], every_s: float) -> Poller[Value]:
        """The one poller of what this function loads, for all clients that follow it by events."""
        if load not in self._pollers:
            self._pollers[load] = Poller(partial(load, self), every_s)
        return self._pollers[load]

    async def close(self) -> None:
        """End the pollers."""
        for poller in self._pollers.values():
            await poller.close()

    def newest(self, task_id: str) -> Episode:
        """The newest episode of a task's chain. Raises ApiError(404)."""
        row = self.store.episodes.latest(task_id)
        if row is None:
            raise ApiError(HTTPStatus.NOT_FOUND, f"there is no task {task_id[:80]!r}")
        return row

    def state_of_task(self, task_id: str) -> TaskState:
        """The task as clients see it. Raises ApiError(404)."""
        row = self.newest(task_id)
        return self.describe([row])[0]

    def describe(self, rows: Sequence[Episode]) -> list[TaskState]:
        """Newest episodes of tasks as clients see them."""
        may_wait = any(row.status in (Status.QUEUED, Status.INVALID) for row in rows)
        waiting = self._why_tasks_wait() if may_wait else None
        running = [row.root_id for row in rows if row.status is Status.RUNNING]
        approvals = self.store.approvals.open_of(running)
        return [
            TaskState.of(
                row,
                retry_follows=self.retry_follows(row),
                waiting=waiting,
                approval=approvals[row.root_id].id if row.root_id in approvals else None,
            )
            for row in rows
        ]

    def _why_tasks_wait(self) -> str | None:
        workers = self.store.workers.alive()
        if not workers:
            return "no worker is alive"
        problems = [f"{worker.id}: {worker.problem}" for worker in workers if worker.problem]
        if len(problems) == len(workers):
            return "; ".join(problems)[:1000]
        if self.dispatcher.is_cut_off:
            return "the broker takes no messages: it is away, or its disk is full"
        return None

    def retry_follows(self, row: Episode) -> bool:
        """Whether this newest episode of a task was lost and will be run again."""
        if row.status is not Status.INVALID or row.cancel_requested:
            return False
        run = self.store.runs.get(row.run_id)
        return retryable(row.reason, row.attempt) and run is not None and run.status == "running"


Load = Callable[[ApiState, Collection[str]], Mapping[str, Value]]
"""Gives the values of keys."""


async def state_of(request: Request) -> ApiState:
    """The state of the application that received the request."""
    # A coroutine, though it waits for nothing: FastAPI would call a function in a thread, and each
    # hop to a thread waits for its turn behind the requests that compute.
    state: ApiState = request.app.state.deskhand
    return state


State = Annotated[ApiState, Depends(state_of)]


async def key_name_of(request: Request) -> str | None:
    """The named key that a request was sent with; None: the operator's."""
    name: str = getattr(request.state, "key_name", OPERATOR)
    return None if name in ("", OPERATOR) else name


SentKey = Annotated[str | None, Depends(key_name_of)]
