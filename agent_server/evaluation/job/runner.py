"""Runs an evaluation job in its folder until every trial has ended, once or again after a stop.

Guarantees: one process a folder (the stack's lock); a trial with a verdict is never run again; all
others are, also lost and cancelled ones; retries within a job follow `envs/contract/outcomes.py`; a
job without progress ends with one sentence.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from rich.console import Console

from agent_server.agents.config import AgentSpec
from agent_server.evaluation.job.plan import (
    AGENT_FILE,
    STOPPED_FILE,
    VERSUS_FILE,
    AgentStamp,
    Evaluation,
    Stopped,
    read_planned_tasks,
)
from agent_server.evaluation.job.progress import JobProgress
from agent_server.evaluation.job.stamp import (
    differing_surroundings,
    policy_stamp,
    versus_stamp,
)
from agent_server.evaluation.job.submission import count_ended, create_run, submit_missing_trials
from agent_server.queue.broker import Broker, Dispatcher
from agent_server.queue.reaper import Reaper
from agent_server.settings import Settings
from agent_server.stack.local_stack import BOX, Stack, StackConfig, desktop_concurrency
from agent_server.stack.running import run_until_failure
from agent_server.stack.served_version import serve_version
from agent_server.store.queries import GroupMember
from agent_server.store.store import Store
from agent_server.store.tables import utcnow
from envs.contract.outcomes import InvalidReason
from envs.contract.task import Task
from envs.io.atomic_write import write_whole

POLL_S = 0.5
PATIENCE_S = 900.0
"""Longest time without a start or an end of an episode, beyond the longest time limit of a task."""
PAGE_TREE_CHARS, DESKTOP_TREE_CHARS = 1600, 6000
"""Office windows hold more than pages do."""

JobEnd = Literal["finished", "cancelled"]
Interval = Callable[[int, int], tuple[float, float]]


class JobStalled(Exception):
    """Nothing happened for a long time; the message says for how long and where to look."""


class AgentDenied(Exception):
    """The agent's endpoint refuses every request; the message says why and how far the job is."""


class NothingToCancel(Exception):
    """No trial of the evaluation waits or runs; the message says why."""


class PolicyChanged(Exception):
    """The version or class to evaluate differs from the one that the job began with."""


async def run_job(folder: Path, console: Console, interval: Interval) -> JobEnd:
    """Run the job of a folder to its end. `interval`: of a rate, from solved and all trials, for
    jobs that stop when it is narrow. Raises RunBusy, ChildFailed, PolicyChanged, AgentDenied,
    JobStalled, SwapFailed, each one sentence."""
    evaluation = Evaluation.read(folder)
    tasks = read_planned_tasks(folder)
    if _is_complete(evaluation, folder):
        return "finished"
    _check_policy(evaluation, folder)
    for line in differing_surroundings(evaluation.stamp, evaluation.spec, list(tasks.values())):
        console.print(f"note: since this evaluation began, {line}", style="yellow", markup=False)
    started_at = utcnow()
    config = _stack_config(evaluation, folder, tasks)
    console.print(_start_sentence(config), highlight=False, soft_wrap=True)
    async with Stack(config) as stack:
        seconds = (utcnow() - started_at).total_seconds()
        console.print(f"ready after {seconds:.0f} s; episodes begin", highlight=False)
        with Store.open(stack.settings) as store:
            if stack.swapper is not None and evaluation.spec.model is not None:
                version = Path(evaluation.spec.model)
                await serve_version(stack.swapper, store.runs, version, evaluation.run_id)
            dispatcher = Dispatcher(store, Broker(stack.settings))
            job = Job(evaluation, tasks, dispatcher, folder, interval)
            job.open_run(started_at)
            with Reaper(job.dispatcher, stack.settings):
                return await run_until_failure(job.wait_for_trials(console), stack.failure)


def cancel_job(folder: Path) -> tuple[int, int]:
    """Cancel every trial that has not ended. Returns how many episodes were cancelled at once, and
    how many are running and end at their next step; a process that runs the job ends by itself.
    Raises NotAnEvaluation, NothingToCancel."""
    evaluation = Evaluation.read(folder)
    with Store.open(Settings(run_dir=folder)) as store:
        run = store.runs.get(evaluation.run_id)
        if run is None:
            raise NothingToCancel(f"{folder} has not begun: nothing to cancel")
        if run.status == "finished":
            raise NothingToCancel(f"{folder} has ended: nothing to cancel")
        store.runs.set_status(evaluation.run_id, "interrupted")
        waiting = store.episodes.cancel_run(evaluation.run_id)
        return waiting, store.episodes.accounting(evaluation.run_id).running


def _is_complete(evaluation: Evaluation, folder: Path) -> bool:
    """Whether every trial has a verdict, so that nothing has to be started."""
    with Store.open(Settings(run_dir=folder)) as store:
        members = store.episodes.members(evaluation.run_id).values()
    arrived = sum(member.state == "arrived" for member in members)
    return arrived == len(evaluation.planned_trials())


def _check_policy(evaluation: Evaluation, folder: Path) -> None:
    """Raises PolicyChanged."""
    spec, stamp = evaluation.spec, evaluation.stamp
    stamped, current = stamp.policy, policy_stamp(spec)
    for before, now in ((stamped, current), (stamp.versus, versus_stamp(spec))):
        if before is None or now is None or before.agent is None or now.agent is None:
            continue
        if before.agent != now.agent:
            change = _find_change(before.agent, now.agent)
            raise PolicyChanged(
                f"{now.name} has changed since {folder} began ({change}): evaluate it in a run of "
                "its own, with another --name"
            )
    if current.sha256 != stamped.sha256:
        raise PolicyChanged(
            f"the weights in {current.folder} have changed since {folder} began (SHA-256 "
            f"{stamped.sha256} then, {current.sha256} now): evaluate them in a run of their own, "
            "with another --name"
        )


def _find_change(before: AgentStamp, now: AgentStamp) -> str:
    """The plan keeps what the agent's file said: what is left is code."""
    if before.dialect == "python":
        return f"the source of {now.endpoint}"
    if before.prompt_sha256 != now.prompt_sha256:
        return "the system prompt of this version of Deskhand; the agent's file may set its own"
    return f"what Deskhand {version('deskhand')} makes of its file"


def _stack_config(evaluation: Evaluation, folder: Path, tasks: dict[str, Task]) -> StackConfig:
    spec = evaluation.spec
    on_desktop = [tasks[task.id].env == "desktop" for task in evaluation.tasks]
    concurrency = spec.concurrency
    if all(on_desktop):
        concurrency = desktop_concurrency(concurrency, spec.desktops)
    return StackConfig(
        run_dir=folder,
        policy_dir=None if spec.model is None else Path(spec.model),
        concurrency=concurrency,
        desktops=spec.desktops if any(on_desktop) else 0,
        desktop_provider=spec.provider,
        desktop_image=spec.image,
        screen=spec.screen_for(tasks.values()),
        tree_chars=DESKTOP_TREE_CHARS if any(on_desktop) else PAGE_TREE_CHARS,
        api=False,
        extra=_extra_settings(evaluation, folder),
    )


def _start_sentence(config: StackConfig) -> str:
    """What is being started: it can take minutes, in which nothing else is printed."""
    parts = ["a browser"] if config.hosts else []
    if config.desktops and config.desktop_provider == BOX:
        width, height = config.screen
        parts.append(
            f"{_count_desktops(config)} of {width} x {height} (the first of a machine makes the "
            "home folder: a minute or two)"
        )
    elif config.desktops:
        minutes = " (without KVM: minutes)" if config.desktop_provider == "qemu" else ""
        parts.append(f"{_count_desktops(config)} of {config.desktop_provider}{minutes}")
    if config.policy_dir is not None:
        parts.append("the policy server (a minute)")
    return f"starting {', '.join(parts)}; logs: {config.run_dir / 'logs'}"


def _count_desktops(config: StackConfig) -> str:
    return f"{config.desktops} desktop{'s' if config.desktops > 1 else ''}"


def _extra_settings(evaluation: Evaluation, folder: Path) -> dict[str, Any]:
    """Worker settings that only an evaluation has; writes the agents' descriptions for them."""
    spec = evaluation.spec
    settings: dict[str, Any] = {"films": "true"} if spec.record else {}
    if spec.agent is not None:
        settings["agent"] = str(_write_agent(folder / AGENT_FILE, spec.agent))
    if spec.versus_agent is not None:
        settings["agents"] = (_write_agent(folder / VERSUS_FILE, spec.versus_agent),)
    return settings


def _write_agent(path: Path, agent: AgentSpec) -> Path:
    write_whole(path, [agent.model_dump_json(indent=2).encode(), b"\n"])
    return path.resolve()


class Job:
    """A job whose workers run. `stage`: the part of the plan that runs now: all of it, or, with
    `until_width`, so many trials of each task as have been needed yet."""

    def __init__(
        self,
        evaluation: Evaluation,
        tasks: dict[str, Task],
        dispatcher: Dispatcher,
        folder: Path,
        interval: Interval,
    ) -> None:
        self.evaluation, self.tasks, self.dispatcher = evaluation, tasks, dispatcher
        self.store, self.folder, self.interval = dispatcher.store, folder, interval
        until = evaluation.spec.until_width
        self.stage = evaluation if until is None else evaluation.with_trials(1)
        self.total = len(evaluation.planned_trials())

    def open_run(self, started_at: datetime) -> None:
        """Create the run or open it again, and submit the missing trials."""
        run_id = self.evaluation.run_id
        if self.store.runs.get(run_id) is None:
            create_run(self.evaluation, self.tasks, self.store)
        else:
            # The lock says that no other process runs this job: its episodes are lost.
            self.store.episodes.end_running(run_id, started_at)
            self.store.runs.set_status(run_id, "running")
        submit_missing_trials(self.stage, self.tasks, self.dispatcher)

    def next_stage(self, members: Mapping[tuple[str, int], GroupMember]) -> bool:
        """Begin another trial of each task; False where the plan has no more, or the interval is
        narrow enough, which is written to the folder."""
        until, trials = self.evaluation.spec.until_width, self.stage.spec.trials
        if until is None or trials >= self.evaluation.spec.trials:
            return False
        width = max(self._width(policy, members) for policy in self.stage.spec.contenders)
        if width <= until:
            stopped = Stopped(trials=trials, width=width)
            write_whole(self.folder / STOPPED_FILE, [stopped.model_dump_json().encode(), b"\n"])
            self.total = len(self.stage.planned_trials())
            return False
        self.stage = self.evaluation.with_trials(trials + 1)
        submit_missing_trials(self.stage, self.tasks, self.dispatcher)
        return True

    def _width(self, policy: str, members: Mapping[tuple[str, int], GroupMember]) -> float:
        """Of the interval of the policy's rate after this stage."""
        planned = self.stage.planned_trials(policy)
        own = [members.get((trial.group_id, trial.trial)) for trial in planned]
        low, high = self.interval(sum(bool(member and member.success) for member in own), len(own))
        return high - low

    async def wait_for_trials(self, console: Console) -> JobEnd:
        """Wait until every trial has ended, and close the run. Raises JobStalled, AgentDenied."""
        status: Literal["finished", "interrupted", "failed"] = "interrupted"
        try:
            end = await self._watch(console)
            status = "finished" if end == "finished" else "interrupted"
            return end
        except (JobStalled, AgentDenied):
            status = "failed"
            raise
        finally:
            self.store.runs.set_status(self.evaluation.run_id, status)

    async def _watch(self, console: Console) -> JobEnd:
        patience_s = self._patience_s()
        members = list((await self._members()).values())
        progress_at, counts = time.monotonic(), await self._counts()
        with JobProgress(console, self.total, count_ended(members)) as progress:
            while True:
                by_trial = await self._members()
                members = list(by_trial.values())
                progress.update(members)
                self._stop_if_denied(members)
                ended = count_ended(members)
                if ended >= len(self.stage.planned_trials()):
                    cancelled = any(member.state == "cancelled" for member in members)
                    if cancelled:
                        return "cancelled"
                    if not await asyncio.to_thread(self.next_stage, by_trial):
                        return "finished"
                previous, counts = counts, await self._counts()
                if counts != previous:
                    progress_at = time.monotonic()
                elif time.monotonic() - progress_at > patience_s:
                    raise JobStalled(
                        f"no episode began or ended for {patience_s:.0f} s; {ended} of "
                        f"{self.total} have ended. See logs/, then `deskhand eval resume`"
                    )
                await asyncio.sleep(POLL_S)

    def _patience_s(self) -> float:
        tasks = (self.tasks[task.id] for task in self.evaluation.tasks)
        limits = (self.evaluation.spec.apply_to(task).limits for task in tasks)
        return PATIENCE_S + max(limit.max_seconds for limit in limits)

    async def _members(self) -> Mapping[tuple[str, int], GroupMember]:
        return await asyncio.to_thread(self.store.episodes.members, self.evaluation.run_id)

    async def _counts(self) -> object:
        """Changes whenever an episode begins or ends."""
        return await asyncio.to_thread(self.store.episodes.accounting, self.evaluation.run_id)

    def _stop_if_denied(self, members: Collection[GroupMember]) -> None:
        """An endpoint that denies one trial denies all. Raises AgentDenied."""
        denied = [member for member in members if member.reason == InvalidReason.POLICY_DENIED]
        if not denied:
            return
        (row,) = self.store.episodes.get_many([denied[0].episode_id])
        arrived = sum(member.state == "arrived" for member in members)
        raise AgentDenied(
            f"stopped, since every request would be refused: {row.detail} ({arrived} of "
            f"{self.total} trials have a verdict; `deskhand eval resume` runs the others)"
        )
