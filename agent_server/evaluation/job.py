"""Runs an evaluation job in its folder, to its end, once or again after it was interrupted.

Guarantees: one process a folder (the stack's lock); a trial that has a verdict is never asked for
again; the others are, also those that infrastructure took for good or that were cancelled; retries
within a job are those of `envs/outcomes.py`; a job that stands still ends with one sentence.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Collection, Coroutine
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from rich.console import Console

from agent_server.agents.config import AgentSpec
from agent_server.broker import Broker
from agent_server.dispatch import Dispatcher, Reaper
from agent_server.evaluation.asking import ask, create_run, ended
from agent_server.evaluation.plan import AGENT, Evaluation, read_planned_tasks
from agent_server.evaluation.progress import JobProgress
from agent_server.evaluation.stamp import policy_stamp
from agent_server.settings import Settings
from agent_server.stack import Stack, StackConfig, desktop_concurrency
from agent_server.store.queries import Slot
from agent_server.store.store import Store
from agent_server.store.tables import utcnow
from envs.outcomes import InvalidReason
from envs.tasks import Task
from envs.whole_file import write_whole

POLL_S = 0.5
PATIENCE_S = 900.0
"""How long nothing may begin or end, beyond the longest time limit of a task."""
PAGE_TREE_CHARS, DESKTOP_TREE_CHARS = 1600, 6000
"""Office windows hold more than pages do."""

End = Literal["finished", "cancelled"]


class JobStuck(Exception):
    """Nothing happened for a long time; the message says for how long and where to look."""


class AgentDenied(Exception):
    """The agent's endpoint takes no request at all; the message says why and how far the job is."""


class PolicyChanged(Exception):
    """The version or class to evaluate is not the one that the job began with."""


async def run_job(folder: Path, console: Console) -> End:
    """Raises RunBusy, ChildFailed, PolicyChanged, AgentDenied, JobStuck, each one sentence."""
    evaluation = Evaluation.read(folder)
    tasks = read_planned_tasks(folder)
    if _all_arrived(evaluation, folder):
        return "finished"
    _check_policy(evaluation, folder)
    began = utcnow()
    async with Stack(_stack_config(evaluation, folder, tasks)) as stack:
        if stack.swapper is not None and evaluation.asked.model is not None:
            await stack.swapper.swap(Path(evaluation.asked.model))
        with Store.open(stack.settings) as store:
            job = _Job(evaluation, tasks, Dispatcher(store, Broker(stack.settings)))
            job.begin(began)
            with Reaper(job.dispatcher, stack.settings):
                return await _until_failed(job.work(console), stack)


async def _until_failed(work: Coroutine[Any, Any, End], stack: Stack) -> End:
    """What the work gives, unless a part of the stack fails for good first."""
    task = asyncio.create_task(work)
    failed = stack.failed
    assert failed is not None
    try:
        waited: set[asyncio.Future[Any]] = {task, failed}
        await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        if failed.done():
            failed.result()
        return await task
    finally:
        if not task.done():
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


def cancel_job(folder: Path) -> int:
    """Cancels what has not ended; the number of episodes cancelled at once. A process that runs the
    job ends by itself. Raises NotAnEvaluation."""
    evaluation = Evaluation.read(folder)
    with Store.open(Settings(run_dir=folder)) as store:
        store.runs.set_status(evaluation.run_id, "interrupted")
        return store.episodes.cancel_run(evaluation.run_id)


def _all_arrived(evaluation: Evaluation, folder: Path) -> bool:
    """Then there is nothing to start anything for."""
    with Store.open(Settings(run_dir=folder)) as store:
        slots = store.episodes.slots(evaluation.run_id).values()
    return sum(slot.state == "arrived" for slot in slots) == len(evaluation.cells())


def _check_policy(evaluation: Evaluation, folder: Path) -> None:
    began_with, now = evaluation.stamp.policy, policy_stamp(evaluation.asked)
    if now.agent != began_with.agent:
        raise PolicyChanged(
            f"the source of {now.name} is not what it was when {folder} began; evaluate it in a "
            "run of its own"
        )
    if now.sha256 != began_with.sha256:
        raise PolicyChanged(
            f"{now.folder} holds other weights than when {folder} began; evaluate them in a run of "
            "their own"
        )


def _stack_config(evaluation: Evaluation, folder: Path, tasks: dict[str, Task]) -> StackConfig:
    asked = evaluation.asked
    on_desktops = any(tasks[task.id].env == "desktop" for task in evaluation.tasks)
    only = all(tasks[task.id].env == "desktop" for task in evaluation.tasks)
    return StackConfig(
        run_dir=folder,
        policy_dir=None if asked.model is None else Path(asked.model),
        concurrency=desktop_concurrency(asked.concurrency, asked.desktops)
        if only
        else asked.concurrency,
        desktops=asked.desktops if on_desktops else 0,
        tree_chars=DESKTOP_TREE_CHARS if on_desktops else PAGE_TREE_CHARS,
        api=False,
        extra={} if asked.agent is None else {"agent": str(_agent_file(asked.agent, folder))},
    )


def _agent_file(spec: AgentSpec, folder: Path) -> Path:
    """Written for the workers."""
    path = folder.resolve() / AGENT
    write_whole(path, [spec.model_dump_json(indent=2).encode(), b"\n"])
    return path


class _Job:
    def __init__(
        self, evaluation: Evaluation, tasks: dict[str, Task], dispatcher: Dispatcher
    ) -> None:
        self.evaluation, self.tasks, self.dispatcher = evaluation, tasks, dispatcher
        self.store = dispatcher.store
        self.cells = evaluation.cells()

    def begin(self, since: datetime) -> None:
        """Makes the run, or opens it again; asks for what is missing."""
        run_id = self.evaluation.run_id
        if self.store.runs.get(run_id) is None:
            create_run(self.evaluation, self.tasks, self.store)
        else:
            self.store.episodes.end_running(run_id, since)
            self.store.runs.set_status(run_id, "running")
        ask(self.evaluation, self.tasks, self.dispatcher)

    async def work(self, console: Console) -> End:
        """Until every trial has ended. Raises JobStuck, AgentDenied."""
        run_id = self.evaluation.run_id
        status: Literal["finished", "interrupted", "failed"] = "interrupted"
        try:
            end = await self._watch(console)
            status = "finished" if end == "finished" else "interrupted"
            return end
        except (JobStuck, AgentDenied):
            status = "failed"
            raise
        finally:
            self.store.runs.set_status(run_id, status)

    async def _watch(self, console: Console) -> End:
        run_id = self.evaluation.run_id
        patience_s = PATIENCE_S + max(
            self.evaluation.asked.as_run(self.tasks[task.id]).limits.max_seconds
            for task in self.evaluation.tasks
        )
        slots = await asyncio.to_thread(self.store.episodes.slots, run_id)
        moved, changed = time.monotonic(), self._counts()
        with JobProgress(console, len(self.cells), ended(slots.values())) as progress:
            while True:
                slots = await asyncio.to_thread(self.store.episodes.slots, run_id)
                progress.update(slots.values())
                self._stop_if_denied(slots.values())
                if ended(slots.values()) >= len(self.cells):
                    cancelled = any(slot.state == "cancelled" for slot in slots.values())
                    return "cancelled" if cancelled else "finished"
                counts = await asyncio.to_thread(self._counts)
                if counts != changed:
                    moved, changed = time.monotonic(), counts
                elif time.monotonic() - moved > patience_s:
                    raise JobStuck(
                        f"no episode began or ended for {patience_s:.0f} s; of {len(self.cells)} "
                        f"{ended(slots.values())} ended. See logs/, then `deskhand eval resume`"
                    )
                await asyncio.sleep(POLL_S)

    def _stop_if_denied(self, slots: Collection[Slot]) -> None:
        """What was denied to one trial is denied to all. Raises AgentDenied."""
        denied = [slot for slot in slots if slot.reason == InvalidReason.POLICY_DENIED]
        if not denied:
            return
        (row,) = self.store.episodes.get_many([denied[0].episode_id])
        arrived = sum(slot.state == "arrived" for slot in slots)
        raise AgentDenied(
            f"stopped, since every request would be refused: {row.detail} ({arrived} of "
            f"{len(self.cells)} trials have a verdict; `deskhand eval resume` asks for the others)"
        )

    def _counts(self) -> object:
        return self.store.episodes.accounting(self.evaluation.run_id)
