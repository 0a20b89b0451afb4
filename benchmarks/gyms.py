"""`deskhand bench gyms`: reset and act + tree in the kit's apps, and the gym server's memory.

Everything runs as it does in a run: gym server, host and Chromium in processes of their own, the
client here, one session at a time. The actions are those of the oracles of all apps, and every
episode must end with score 1.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from rich.console import Console

from benchmarks.miniwob import SESSIONS as MINIWOB_SESSIONS
from benchmarks.miniwob import miniwob
from benchmarks.result import Figure, plain, result, sampled, show, write
from envs.actions import Done, Infeasible
from envs.client import RemoteSession
from envs.gyms.kit.gym import AppGym
from envs.gyms.miniwob.assets import installed
from envs.gyms.registry import web_gyms
from envs.observations import Observe
from envs.providers.local import local_host
from envs.tasks import Task

SEEDS = (0, 1)
SESSIONS = 16
MINIWOB_S = 10.0
OBSERVE = Observe(tree_chars=6000, tree_options=30)


@dataclass
class Samples:
    """Milliseconds."""

    reset: list[float] = field(default_factory=list)
    act_tree: list[float] = field(default_factory=list)


def run(json: Path | None) -> None:
    console = Console()
    with console.status("episodes of all apps"):
        measured = result(asyncio.run(_measure()))
    show(measured, console)
    if json is not None:
        write(json, measured)


async def _measure() -> dict[str, Figure]:
    kit = [gym for gym in web_gyms().values() if isinstance(gym, AppGym)]
    samples = Samples()
    async with local_host(SESSIONS + 1) as host:
        session = await host.open()
        for gym in kit:
            for template in gym.templates:
                for seed in SEEDS:
                    await _episode(gym, gym.make_task(template, seed), session, samples)
        await session.close()
        memory = await _memory(kit, [await host.open() for _ in range(SESSIONS)])
    figures = {
        "gyms.reset_ms": sampled(samples.reset, "ms"),
        "gyms.act_tree_ms": sampled(samples.act_tree, "ms"),
        "gyms.host_mb": plain(memory, "MB"),
        "gyms.apps": plain(len(kit), "apps"),
        "gyms.templates": plain(
            sum(len(gym.templates) for gym in web_gyms().values()), "templates"
        ),
    }
    if installed():
        async with local_host() as host:
            await miniwob(host, figures, MINIWOB_S, MINIWOB_SESSIONS)
    return figures


async def _episode(gym: AppGym, task: Task, session: RemoteSession, samples: Samples) -> None:
    """Raises RuntimeError if an action fails or the score is not 1."""
    oracle = gym.oracle(task)
    started = time.perf_counter()
    observation = (await session.reset(task, OBSERVE)).observation
    samples.reset.append((time.perf_counter() - started) * 1000)
    for _ in range(task.limits.max_steps + 1):
        action = oracle.move(observation).action
        if isinstance(action, Done | Infeasible):
            answer = action.answer if isinstance(action, Done) else None
            verdict = await session.evaluate(answer, isinstance(action, Infeasible))
            if not verdict.success:
                raise RuntimeError(f"{task.id}: the oracle scored {verdict.score}")
            return
        started = time.perf_counter()
        reply = await session.step([action], OBSERVE)
        samples.act_tree.append((time.perf_counter() - started) * 1000)
        if not reply.results[0].ok:
            raise RuntimeError(f"{task.id}: {reply.results[0]}")
        observation = reply.observation
    raise RuntimeError(f"{task.id}: no end")


async def _memory(kit: list[AppGym], sessions: list[RemoteSession]) -> float:
    """PSS of the gym server and the host's own process, each session in another task."""
    for index, session in enumerate(sessions):
        gym = kit[index % len(kit)]
        task = gym.make_task(gym.templates[index % len(gym.templates)], 100 + index)
        await session.reset(task, OBSERVE)
    total = 0
    for child in psutil.Process().children():
        total += child.memory_full_info().pss
    for session in sessions:
        await session.close()
    return total / 2**20
