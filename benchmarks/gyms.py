"""`deskhand bench gyms`: reset and act + tree in the kit's apps, and the gym server's memory.

Everything runs as it does in a run: gym server, host and Chromium in processes of their own, the
client here, one session at a time. The actions are those of the oracles of all apps, and every
episode must end with score 1. Where MiniWoB++ and applications of others are installed, their
figures are measured too.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil
from rich.console import Console

from benchmarks import applications, miniwob
from benchmarks.episode import elapsed_ms, time_oracle_episode
from benchmarks.figures import Figure, number, percentiles
from benchmarks.page_floor import measure_gyms_floor
from benchmarks.result import report
from envs.client import RemoteSession
from envs.contract.observations import Observe
from envs.contract.task import Task
from envs.gyms.apps.miniwob.assets import is_installed
from envs.gyms.generated.catalogue import find_gym, read_catalogue
from envs.gyms.generated.families import WITHOUT_SNAPSHOTS
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.registry import kit_gyms, web_gyms
from envs.providers.local import local_host

SEEDS = (0, 1)
SESSIONS = 16
OBSERVE = Observe(tree_chars=6000, tree_options=30)


def run(json: Path | None) -> None:
    """Measures, prints the figures and writes them to `json`."""
    console = Console()
    with console.status("episodes of all apps"):
        figures = asyncio.run(measure())
    report(figures, console, json)


async def measure() -> dict[str, Figure]:
    """Figures of all apps, and of MiniWoB++ where it is installed."""
    apps = kit_gyms()
    resets: list[float] = []
    steps: list[float] = []
    forks: list[float] = []
    async with local_host(SESSIONS + 1) as host:
        session = await host.open()
        for gym in apps:
            for template in gym.templates:
                for seed in SEEDS:
                    task = gym.make_task(template, seed)
                    timing = await time_oracle_episode(session, gym, task, OBSERVE)
                    resets.append(timing.reset_ms)
                    steps += [step.ms for step in timing.steps]
                    forks.append(await _time_fork(session, gym, task))
        generated_forks = [
            await _time_fork(session, gym, gym.make_task(template, SEEDS[0]))
            for gym in _list_generated_gyms()
            for template in gym.templates
        ]
        await session.close()
        memory = await _memory_mib(apps, [await host.open() for _ in range(SESSIONS)])
    figures = {
        "gyms.reset_ms": percentiles(resets, "ms"),
        "gyms.act_tree_ms": percentiles(steps, "ms"),
        "gyms.fork_ms": percentiles(forks, "ms"),
        "gyms.generated_fork_ms": percentiles(generated_forks, "ms"),
        "gyms.host_mb": number(memory, "MB"),
        "gyms.apps": number(len(apps), "apps"),
        "gyms.templates": number(
            sum(len(gym.templates) for gym in web_gyms().values()), "templates"
        ),
    }
    figures |= await measure_gyms_floor(apps)
    if is_installed():
        async with local_host() as host:
            figures |= await miniwob.measure(host)
    async with local_host() as host:
        figures |= await applications.measure(host)
    return figures


def _list_generated_gyms() -> list[AppGym[Any]]:
    """One of each family of markup whose states can be kept."""
    names = {row.family: row.name for row in reversed(read_catalogue().values())}
    kept = (name for family, name in names.items() if family not in WITHOUT_SNAPSHOTS)
    gyms = [find_gym(name) for name in kept]
    return [gym for gym in gyms if gym is not None]


async def _time_fork(session: RemoteSession, gym: AppGym, task: Task) -> float:
    """Milliseconds of a snapshot after the oracle's first step and of putting it back after a fresh
    start, with its observation. Raises RuntimeError if the page is another one then."""
    first = (await session.reset(task, OBSERVE)).observation
    action = gym.oracle(task).move(first).action
    before = (await session.step([action], OBSERVE)).observation
    started = time.perf_counter()
    state = await session.snapshot()
    snapshot_ms = elapsed_ms(started)
    await session.reset(task, OBSERVE)
    started = time.perf_counter()
    restored = await session.restore(state.id, OBSERVE)
    if restored.observation.hash != before.hash:
        raise RuntimeError(f"{task.id}: another page after restore")
    return snapshot_ms + elapsed_ms(started)


async def _memory_mib(apps: Sequence[AppGym], sessions: Sequence[RemoteSession]) -> float:
    """Proportional set size of the gym server and the host's own process, without the browser,
    while each session is in another task. Closes the sessions."""
    for index, session in enumerate(sessions):
        gym = apps[index % len(apps)]
        template = gym.templates[index % len(gym.templates)]
        await session.reset(gym.make_task(template, 100 + index), OBSERVE)
    total = sum(child.memory_full_info().pss for child in psutil.Process().children())
    for session in sessions:
        await session.close()
    return float(total) / 2**20
