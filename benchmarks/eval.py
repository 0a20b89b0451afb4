"""`deskhand bench eval`: what a task of an evaluation costs beside the agent's own steps.

Sixty bundled desktop tasks in turn on one desktop in a box of its own, over HTTP: reset with its
setup and a first picture and tree, then the verdict at once. `eval.overhead_ms` is the sum of both.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track

from agent_server.tasksets.files import load_tasks
from benchmarks.desktop import open_box
from benchmarks.figures import Figure, number, percentiles
from benchmarks.result import report
from envs.client import RemoteSession
from envs.contract.observations import Observe, ScreenshotRequest
from envs.contract.task import Task

TASKS, SIXTY = Path("tasksets/bundled/desktop"), "desktop_60.json"
OBSERVE = Observe(tree_chars=6000, screenshot=ScreenshotRequest())
PARTS = ("recycle", "setup", "observe", "evaluate")
"""Timings of a task, as the host names them, and the verdict as seen from here."""


def run(json: Path | None) -> None:
    """Measures, prints the figures and writes them to `json`. Raises TaskFileError."""
    tasks, console = load_tasks(TASKS, SIXTY), Console()
    figures = asyncio.run(measure(tasks, console))
    report(figures, console, json)


async def measure(tasks: Sequence[Task], console: Console) -> dict[str, Figure]:
    """Figures of all tasks in turn on one desktop."""
    samples: dict[str, list[float]] = {}
    async with open_box() as box:
        started = time.perf_counter()
        for task in track(tasks, "tasks", console=console, transient=True):
            for part, ms in (await _time_task(box.session, task)).items():
                samples.setdefault(part, []).append(ms)
        minutes = (time.perf_counter() - started) / 60
    figures: dict[str, Figure] = {"eval.overhead_ms": percentiles(samples["overhead"], "ms")}
    figures |= {f"eval.{part}_ms": percentiles(samples[part], "ms") for part in PARTS}
    figures["eval.tasks_per_min"] = number(len(tasks) / minutes, "tasks/min on one desktop")
    return figures


async def _time_task(session: RemoteSession, task: Task) -> dict[str, float]:
    """Milliseconds by part. Raises RuntimeError where a task is solved by doing nothing."""
    started = time.perf_counter()
    reply = await session.reset(task, OBSERVE)
    ready = time.perf_counter()
    verdict = await session.evaluate()
    ended = time.perf_counter()
    if verdict.success:
        raise RuntimeError(f"{task.id} is solved by doing nothing")
    parts = {part: reply.timings_ms[part] for part in PARTS if part in reply.timings_ms}
    return {
        **parts,
        "evaluate": (ended - ready) * 1000,
        "overhead": (ended - started) * 1000,
    }
