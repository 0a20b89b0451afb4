"""`deskhand bench eval`: what a task of an evaluation costs beside the agent's own steps.

Sixty bundled desktop tasks in turn on one desktop in a box of its own, over HTTP: reset with its
setup and a first picture and tree, then the verdict at once. `eval.overhead_ms` is both together.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track

from agent_server.task_files import load_tasks
from benchmarks.desktop import box
from benchmarks.result import Figure, Result, plain, result, sampled, show, write
from envs.client import RemoteSession
from envs.observations import Observe, ScreenshotRequest
from envs.tasks import Task

TASKS, SIXTY = Path("envs/tasks/desktop"), "desktop_60.json"
OBSERVE = Observe(tree_chars=6000, screenshot=ScreenshotRequest())
PARTS = ("recycle", "setup", "observe", "evaluate")


def run(json: Path | None) -> None:
    """Raises TaskFileError."""
    chosen, console = load_tasks(TASKS, SIXTY), Console()
    measured = asyncio.run(measure(chosen, console))
    show(measured, console)
    if json is not None:
        write(json, measured)


async def measure(tasks: Sequence[Task], console: Console) -> Result:
    samples: dict[str, list[float]] = {}
    async with box() as found:
        started = time.perf_counter()
        for task in track(tasks, "tasks", console=console, transient=True):
            for part, elapsed_ms in (await _task(found.session, task)).items():
                samples.setdefault(part, []).append(elapsed_ms)
        minutes = (time.perf_counter() - started) / 60
    figures: dict[str, Figure] = {"eval.overhead_ms": sampled(samples["overhead"], "ms")}
    figures |= {f"eval.{part}_ms": sampled(samples[part], "ms") for part in PARTS}
    figures["eval.tasks_per_min"] = plain(len(tasks) / minutes, "tasks/min on one desktop")
    return result(figures)


async def _task(session: RemoteSession, task: Task) -> dict[str, float]:
    """Milliseconds by part. Raises RuntimeError where nothing was done and it counts as solved."""
    started = time.perf_counter()
    reply = await session.reset(task, OBSERVE)
    ready = time.perf_counter()
    verdict = await session.evaluate()
    ended = time.perf_counter()
    if verdict.success:
        raise RuntimeError(f"{task.id} is solved by doing nothing")
    told = {part: reply.timings_ms[part] for part in PARTS if part in reply.timings_ms}
    return {
        **told,
        "evaluate": (ended - ready) * 1000,
        "overhead": (ended - started) * 1000,
    }
