"""`deskhand bench browser`: act + tree, reset and steps/s of browser sessions, over HTTP.

Everything runs as it does in a run: gym server, host and Chromium in processes of their own, the
client here. The actions are those of the shop's oracle, so the mix is that of real episodes
(clicks that load pages, typing, drop-downs, check boxes), and every episode must end with score 1.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from rich.console import Console

from benchmarks.episode import elapsed_ms, time_oracle_episode
from benchmarks.figures import Figure, number, percentiles, rate
from benchmarks.page_floor import measure_shop_floor
from benchmarks.processes import cpu_seconds, host_memory_mib
from benchmarks.result import report
from envs.client import HostClient, RemoteSession
from envs.contract.observations import Observe, ScreenshotRequest
from envs.providers.local import local_host
from tasksets.registry import get_gym

GYM = "shop"
SESSIONS = 8
OBSERVE = Observe()
SCREENSHOTS = 30
WARM_UP_S = 2.0
PICTURE_FORMATS: tuple[Literal["jpeg", "webp"], ...] = ("jpeg", "webp")


@dataclass
class Samples:
    """Times of episodes in milliseconds; `loads` steps led to another URL, `stays` did not."""

    reset: list[float] = field(default_factory=list)
    act_tree: list[float] = field(default_factory=list)
    loads: list[float] = field(default_factory=list)
    stays: list[float] = field(default_factory=list)
    reset_levels: Counter[str] = field(default_factory=Counter)


def run(json: Path | None, seconds: float = 10.0, sessions: int = SESSIONS) -> None:
    """Measures, prints the figures and writes them to `json`."""
    console = Console()
    with console.status(f"one session, then {sessions}: about half a minute"):
        figures = asyncio.run(measure(seconds, sessions))
    report(figures, console, json)


async def measure(seconds: float = 10.0, sessions: int = SESSIONS) -> dict[str, Figure]:
    """Figures of one session, then of several at once; each part lasts `seconds`."""
    figures: dict[str, Figure] = {}
    started = time.perf_counter()
    async with local_host() as client:
        session = await client.open()
        warm_up = Samples()
        await _play_episode(session, get_gym(GYM).templates[0], 0, warm_up)
        figures["browser.cold_start_ms"] = number(elapsed_ms(started), "ms")
        await _play_until(session, time.perf_counter() + min(seconds, 3), warm_up, first=1)
        single = Samples()
        await _play_until(session, time.perf_counter() + seconds, single, first=0)
        figures["browser.act_tree_ms"] = percentiles(single.act_tree, "ms")
        figures["browser.act_tree_loads_ms"] = percentiles(single.loads, "ms")
        figures["browser.act_tree_stays_ms"] = percentiles(single.stays, "ms")
        figures["browser.reset_ms"] = percentiles(single.reset, "ms")
        figures["browser.reset_warm_share"] = number(
            single.reset_levels["warm"] / max(1, single.reset_levels.total()), "share"
        )
        await _measure_screenshots(session, figures)
        await _measure_sessions(client, session, sessions, seconds, figures)
        await session.close()
    return figures | await measure_shop_floor()


async def _play_episode(session: RemoteSession, template: str, seed: int, samples: Samples) -> None:
    gym = get_gym(GYM)
    timing = await time_oracle_episode(session, gym, gym.make_task(template, seed), OBSERVE)
    samples.reset.append(timing.reset_ms)
    samples.reset_levels[timing.reset_level] += 1
    for step in timing.steps:
        samples.act_tree.append(step.ms)
        (samples.loads if step.changed_url else samples.stays).append(step.ms)


async def _play_until(
    session: RemoteSession, deadline: float, samples: Samples, first: int
) -> None:
    """Episodes of all templates in turn until the deadline; at least one."""
    templates = get_gym(GYM).templates
    index = first
    while True:
        template = templates[index % len(templates)]
        await _play_episode(session, template, index // len(templates), samples)
        index += 1
        if time.perf_counter() >= deadline:
            return


async def _play_together(
    sessions: Sequence[RemoteSession], deadline: float, samples: Samples
) -> None:
    """All sessions at once; each begins at another template."""
    await asyncio.gather(
        *(
            _play_until(session, deadline, samples, first=7 * index)
            for index, session in enumerate(sessions)
        )
    )


async def _measure_screenshots(session: RemoteSession, figures: dict[str, Figure]) -> None:
    for picture_format in PICTURE_FORMATS:
        observe = Observe(tree=False, screenshot=ScreenshotRequest(format=picture_format))
        times = []
        for _ in range(SCREENSHOTS):
            started = time.perf_counter()
            await session.step([], observe)
            times.append(elapsed_ms(started))
        figures[f"browser.screenshot_{picture_format}_ms"] = percentiles(times, "ms")


async def _measure_sessions(
    client: HostClient,
    first: RemoteSession,
    count: int,
    seconds: float,
    figures: dict[str, Figure],
) -> None:
    """Throughput, CPU time and memory with `count` sessions at once."""
    others = [await client.open() for _ in range(count - 1)]
    sessions = [first, *others]
    try:
        await _play_together(sessions, time.perf_counter() + WARM_UP_S, Samples())
        samples, started, cpu_before = Samples(), time.perf_counter(), cpu_seconds()
        await _play_together(sessions, started + seconds, samples)
        wall_s = time.perf_counter() - started
        spent = {kind: s - cpu_before.get(kind, 0.0) for kind, s in cpu_seconds().items()}
    finally:
        for session in others:
            await session.close()
    steps = len(samples.act_tree)
    figures["browser.steps_per_s"] = rate(steps, wall_s, "steps/s")
    figures["browser.steps_per_s_act_tree_ms"] = percentiles(samples.act_tree, "ms")
    figures["browser.steps_per_s_reset_ms"] = percentiles(samples.reset, "ms")
    figures["browser.cpu_per_step_ms"] = number(sum(spent.values()) / steps * 1000, "ms")
    for kind, cpu_s in sorted(spent.items()):
        figures[f"browser.cpu_per_step_{kind}_ms"] = number(cpu_s / steps * 1000, "ms")
    figures["browser.memory_mib"] = number(host_memory_mib(), "MiB")
