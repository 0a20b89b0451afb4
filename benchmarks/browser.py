"""`deskhand bench browser`: act + tree, reset and steps/s of browser sessions, over HTTP.

Everything runs as it does in a run: gym server, host and Chromium in processes of their own, the
client here. The actions are those of the shop's oracle, so the mix is that of real episodes
(clicks that load pages, typing, drop-downs, check boxes), and every episode must end with score 1.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from rich.console import Console

from benchmarks.result import Figure, Result, plain, result, sampled, show, write
from envs.actions import Done, Infeasible, Note
from envs.client import HostClient, RemoteSession
from envs.gyms.registry import get_gym
from envs.observations import Observe, ScreenshotRequest
from envs.providers.local import local_host

GYM = "shop"
SESSIONS = 8
OBSERVE = Observe()


@dataclass
class Samples:
    """What episodes measured, in milliseconds."""

    reset: list[float] = field(default_factory=list)
    act_tree: list[float] = field(default_factory=list)
    by_kind: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    rungs: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    steps: int = 0


async def episode(session: RemoteSession, template: str, seed: int, samples: Samples) -> None:
    """One oracle episode. Raises RuntimeError if an action fails or the score is not 1."""
    gym = get_gym(GYM)
    task = gym.make_task(template, seed)
    oracle = gym.oracle(task)
    started = time.perf_counter()
    reply = await session.reset(task, OBSERVE)
    samples.reset.append((time.perf_counter() - started) * 1000)
    samples.rungs[reply.rung] += 1
    observation = reply.observation
    for _ in range(task.limits.max_steps + 1):
        action = oracle.move(observation).action
        if isinstance(action, Done | Infeasible):
            answer = action.answer if isinstance(action, Done) else None
            verdict = await session.evaluate(answer, isinstance(action, Infeasible))
            if verdict.score != 1:
                raise RuntimeError(f"{task.id}: the oracle scored {verdict.score}")
            return
        if isinstance(action, Note):
            continue
        url = observation.url
        started = time.perf_counter()
        stepped = await session.step([action], OBSERVE)
        elapsed = (time.perf_counter() - started) * 1000
        if not stepped.results[0].ok:
            raise RuntimeError(f"{task.id}: {action.type}: {stepped.results[0].message}")
        observation = stepped.observation
        samples.act_tree.append(elapsed)
        samples.by_kind["loads" if observation.url != url else "stays"].append(elapsed)
        samples.steps += 1
    raise RuntimeError(f"{task.id}: the oracle did not come to an end")


async def _stream(session: RemoteSession, first: int, until: float, samples: Samples) -> None:
    """Episodes one after the other until the clock says stop; at least one."""
    templates = get_gym(GYM).templates
    number = first
    while True:
        template = templates[number % len(templates)]
        await episode(session, template, number // len(templates), samples)
        number += 1
        if time.perf_counter() >= until:
            return


async def measure(seconds: float = 10.0, sessions: int = SESSIONS) -> Result:
    figures: dict[str, Figure] = {}
    started = time.perf_counter()
    async with local_host() as client:
        session = await client.open()
        warm_up = Samples()
        await episode(session, get_gym(GYM).templates[0], 0, warm_up)
        figures["browser.cold_start_ms"] = plain((time.perf_counter() - started) * 1000, "ms")
        await _stream(session, 1, time.perf_counter() + min(seconds, 3), warm_up)
        single = Samples()
        await _stream(session, 0, time.perf_counter() + seconds, single)
        figures["browser.act_tree_ms"] = sampled(single.act_tree, "ms")
        for kind, values in sorted(single.by_kind.items()):
            figures[f"browser.act_tree_{kind}_ms"] = sampled(values, "ms")
        figures["browser.reset_ms"] = sampled(single.reset, "ms")
        figures["browser.reset_warm_share"] = plain(
            single.rungs["warm"] / max(1, sum(single.rungs.values())), "share"
        )
        await _screenshots(session, figures)
        await _many(client, session, sessions, seconds, figures)
        await session.close()
    return result(figures)


async def _screenshots(session: RemoteSession, figures: dict[str, Figure]) -> None:
    for kind in ("jpeg", "webp"):
        observe = Observe(
            tree=False,
            screenshot=ScreenshotRequest(format="jpeg" if kind == "jpeg" else "webp"),
        )
        times = []
        for _ in range(30):
            started = time.perf_counter()
            await session.step([], observe)
            times.append((time.perf_counter() - started) * 1000)
        figures[f"browser.screenshot_{kind}_ms"] = sampled(times, "ms")


async def _many(
    client: HostClient,
    first: RemoteSession,
    sessions: int,
    seconds: float,
    figures: dict[str, Figure],
) -> None:
    others = [await client.open() for _ in range(sessions - 1)]
    streams = [first, *others]
    try:
        await asyncio.gather(
            *(
                _stream(one, 7 * i, time.perf_counter() + 2, Samples())
                for i, one in enumerate(streams)
            )
        )
        samples, started, cpu = Samples(), time.perf_counter(), cpu_seconds()
        until = started + seconds
        await asyncio.gather(
            *(_stream(one, 7 * i, until, samples) for i, one in enumerate(streams))
        )
        wall = time.perf_counter() - started
        used = {name: spent - cpu.get(name, 0.0) for name, spent in cpu_seconds().items()}
    finally:
        for one in others:
            await one.close()
    figures["browser.steps_per_s"] = {
        "p50": round(samples.steps / wall, 2), "n": samples.steps, "unit": "steps/s"
    }  # fmt: skip
    figures["browser.steps_per_s_act_tree_ms"] = sampled(samples.act_tree, "ms")
    figures["browser.steps_per_s_reset_ms"] = sampled(samples.reset, "ms")
    figures["browser.cpu_per_step_ms"] = plain(sum(used.values()) / samples.steps * 1000, "ms")
    for name, spent in sorted(used.items()):
        figures[f"browser.cpu_per_step_{name}_ms"] = plain(spent / samples.steps * 1000, "ms")
    figures["browser.memory_mib"] = plain(_memory_mib(), "MiB")


def _processes() -> list[tuple[str, psutil.Process]]:
    """This process and all below it, by the part each plays."""
    me = psutil.Process()
    named: list[tuple[str, psutil.Process]] = [("client", me)]
    for process in me.children(recursive=True):
        try:
            line = " ".join(process.cmdline())
        except psutil.Error:
            continue
        kind = next(
            (
                name
                for mark, name in (
                    ("envs.gyms.server", "gyms"),
                    ("envs.host", "host"),
                    ("--type=renderer", "renderer"),
                    ("--type=gpu-process", "gpu"),
                    ("--type=utility", "utility"),
                    ("chrom", "chromium"),
                )
                if mark in line
            ),
            "other",
        )
        named.append((kind, process))
    return named


def cpu_seconds() -> dict[str, float]:
    """Spent so far by this process and all below it, by the part each plays."""
    spent: dict[str, float] = defaultdict(float)
    for name, process in _processes():
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        spent[name] += times.user + times.system
    return dict(spent)


def _memory_mib() -> float:
    """Proportional set size of the host and its browser, with the sessions open."""
    total = 0
    for name, process in _processes():
        if name in ("client", "gyms"):
            continue
        try:
            total += process.memory_full_info().pss
        except psutil.Error:
            continue
    return total / 2**20


def run(json: Path | None, seconds: float = 10.0, sessions: int = SESSIONS) -> None:
    console = Console()
    with console.status(f"one session, then {sessions}: about half a minute"):
        measured = asyncio.run(measure(seconds, sessions))
    show(measured, console)
    if json is not None:
        write(json, measured)
