"""The events of a task: its steps and changes of status, as they happen.

What is new is read from the database once for all clients (`Poller`); each client reads the steps
that it has not sent yet, when there are some.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass, field

import orjson
from sse_starlette import ServerSentEvent

from agent_server.api.models import TaskState
from agent_server.api.state import ApiState
from agent_server.store.queries import retryable
from agent_server.store.tables import Episode
from envs.contract.outcomes import Status

POLL_S = 0.2
LIMIT_S = 3600.0


@dataclass(frozen=True, slots=True)
class TaskNews:
    """What a client is told of: the newest episode, its status, and the size of its steps."""

    episode_id: str
    status: Status
    """As clients see it: queued while a retry follows."""
    size: int
    approval: str | None
    """Id of what waits for a person."""
    row: Episode = field(compare=False)


def load_news(state: ApiState, task_ids: Collection[str]) -> dict[str, TaskNews]:
    """News of these tasks, in three queries; unknown ids are left out."""
    rows = state.store.episodes.newest_of(task_ids)
    lost = [row.run_id for row in rows.values() if row.status is Status.INVALID]
    running = state.store.runs.running(lost) if lost else set()
    approvals = state.store.approvals.open_of(
        [row.root_id for row in rows.values() if row.status is Status.RUNNING]
    )
    waits_for = {root_id: waiting.id for root_id, waiting in approvals.items()}
    return {
        task_id: TaskNews(
            row.id,
            Status.QUEUED if _is_retried(row, running) else row.status,
            state.artifacts.steps_size(row.id),
            waits_for.get(row.root_id),
            row,
        )
        for task_id, row in rows.items()
    }


def _is_retried(row: Episode, running_runs: Collection[str]) -> bool:
    if row.status is not Status.INVALID or row.cancel_requested:
        return False
    return row.run_id in running_runs and retryable(row.reason, row.attempt)


async def task_event_stream(
    state: ApiState, task_id: str, last_sent: int
) -> AsyncIterator[ServerSentEvent]:
    """`step` for each step after `last_sent`, `status` at changes, `approval` when something waits
    for a person and when it no longer does, `end` with the final state."""
    stream = _Stream(state, last_sent)
    news_of_task = state.poller(load_news, POLL_S).follow(task_id, LIMIT_S)
    async with contextlib.aclosing(news_of_task) as feed:
        async for news in feed:
            for sent in await stream.events(news):
                yield sent
            if news.status.terminal:
                final = TaskState.of(news.row, retry_follows=False)
                yield ServerSentEvent(final.model_dump_json(), event="end")
                return


class _Stream:
    """What one client was sent."""

    def __init__(self, state: ApiState, last_sent: int) -> None:
        self._artifacts = state.artifacts
        self._last_sent = last_sent
        self._episode_id = self._last_status = ""
        self._last_approval: str | None = None
        self._offset = self._step_number = 0

    async def events(self, news: TaskNews) -> list[ServerSentEvent]:
        """What the client has not been sent yet."""
        if news.episode_id != self._episode_id:
            # The number that a client continues from is one of the first episode.
            self._last_sent = 0 if self._episode_id else self._last_sent
            self._episode_id, self._offset, self._step_number = news.episode_id, 0, 0
        steps, self._offset = await asyncio.to_thread(
            self._artifacts.read_steps, news.episode_id, self._offset
        )
        events = []
        for step in steps:
            self._step_number += 1
            if self._step_number > self._last_sent:
                data = step.model_dump(mode="json", exclude={"completion": {"prompt_ids"}})
                number = str(self._step_number)
                events.append(ServerSentEvent(orjson.dumps(data).decode(), event="step", id=number))
        is_first = news.row.attempt == 1
        self._last_sent = max(self._last_sent if is_first else 0, self._step_number)
        if news.approval != self._last_approval:
            self._last_approval = news.approval
            waiting = orjson.dumps({"approval": news.approval}).decode()
            events.append(ServerSentEvent(waiting, event="approval"))
        if news.status != self._last_status:
            self._last_status = news.status
            status = orjson.dumps({"status": news.status}).decode()
            events.append(ServerSentEvent(status, event="status"))
        return events
