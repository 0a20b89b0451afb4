"""MiniWoB++ in `deskhand bench gyms`: a reset in the page that is open (`miniwob.reset_ms`, asked
for by the client, and `miniwob.reset_session_ms`, within the host), one that loads the page, and
the steps/s of 8 sessions together, made by oracle episodes that must all end with score 1.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

from benchmarks.browser import cpu_seconds
from benchmarks.result import Figure, plain, sampled
from envs.actions import Done, Wait
from envs.client import HostClient, RemoteSession
from envs.gyms.registry import get_gym
from envs.observations import Observe

SESSIONS = 8
OBSERVE = Observe()
IN_A_ROW = 16
"""Episodes of one template on one session before the next template, as groups of attempts come in
training; a page is loaded for the first."""
RESETS = 40
"""In a row, of each template."""
MINIWOB = (
    "click-test", "click-button", "click-checkboxes", "click-link", "click-tab-2", "click-option",
    "choose-list", "enter-text", "enter-password", "login-user", "email-inbox", "search-engine",
    "simple-arithmetic", "read-table", "social-media", "navigate-tree", "choose-date-easy",
    "use-spinner", "multi-layouts", "click-collapsible-2",
)  # fmt: skip
"""Small pages and large ones, short tasks and long ones."""


@dataclass
class Samples:
    """What episodes measured; times in milliseconds."""

    reset: list[float] = field(default_factory=list)
    step: list[float] = field(default_factory=list)


async def miniwob(
    client: HostClient, figures: dict[str, Figure], seconds: float, sessions: int
) -> None:
    first = await client.open()
    await _resets(first, figures)
    streams = [first, *[await client.open() for _ in range(sessions - 1)]]
    try:
        await _stream_all(streams, 2.0)
        started, before = time.perf_counter(), sum(cpu_seconds().values())
        samples = await _stream_all(streams, seconds)
        wall = time.perf_counter() - started
        used = sum(cpu_seconds().values()) - before
    finally:
        for one in streams:
            await one.close()
    rate: Figure = {"p50": round(len(samples.step) / wall, 2), "n": len(samples.step)}
    figures["miniwob.steps_per_s"] = {**rate, "unit": "steps/s"}
    figures["miniwob.cpu_per_step_ms"] = plain(used / len(samples.step) * 1000, "ms")
    figures["miniwob.steps_per_s_act_tree_ms"] = sampled(samples.step, "ms")
    figures["miniwob.steps_per_s_reset_ms"] = sampled(samples.reset, "ms")


async def _resets(session: RemoteSession, figures: dict[str, Figure]) -> None:
    """One template after the other, each loaded once and then begun again in its page."""
    gym = get_gym("miniwob")
    asked: list[float] = []
    inside: list[float] = []
    loaded: list[float] = []
    for lap in range(2):  # the first fills the browser's cache
        asked, inside, loaded = [], [], []
        for template in MINIWOB:
            for seed in range(RESETS if lap else 2):
                started = time.perf_counter()
                reply = await session.reset(gym.make_task(template, seed), OBSERVE)
                elapsed = (time.perf_counter() - started) * 1000
                if reply.rung == "page":
                    asked.append(elapsed)
                    inside.append(reply.timings_ms["reset"])
                else:
                    loaded.append(elapsed)
    figures["miniwob.reset_ms"] = sampled(asked, "ms")
    figures["miniwob.reset_session_ms"] = sampled(inside, "ms")
    figures["miniwob.reset_load_ms"] = sampled(loaded, "ms")
    share = len(asked) / (len(asked) + len(loaded))
    figures["miniwob.reset_in_page_share"] = plain(share, "share")


async def _stream_all(streams: list[RemoteSession], seconds: float) -> Samples:
    samples, until = Samples(), time.perf_counter() + seconds
    await asyncio.gather(
        *(_stream(one, number, until, samples) for number, one in enumerate(streams))
    )
    return samples


async def _stream(session: RemoteSession, first: int, until: float, samples: Samples) -> None:
    """Episodes until the clock says stop; at least one."""
    number = 0
    while True:
        template = MINIWOB[(first * 5 + number // IN_A_ROW) % len(MINIWOB)]
        await _episode(session, template, number, samples)
        number += 1
        if time.perf_counter() >= until:
            return


async def _episode(session: RemoteSession, template: str, seed: int, samples: Samples) -> None:
    """One oracle episode. Raises RuntimeError if an action fails or the score is not 1."""
    gym = get_gym("miniwob")
    task = gym.make_task(template, seed)
    oracle = gym.oracle(task)
    started = time.perf_counter()
    observation = (await session.reset(task, OBSERVE)).observation
    samples.reset.append((time.perf_counter() - started) * 1000)
    for _ in range(task.limits.max_steps + 1):
        action = oracle.move(observation).action
        if isinstance(action, Done):
            verdict = await session.evaluate(action.answer)
            if verdict.score != 1:
                raise RuntimeError(f"{task.id}: the oracle scored {verdict.score}")
            return
        started = time.perf_counter()
        stepped = await session.step([action], OBSERVE)
        if not isinstance(action, Wait):
            samples.step.append((time.perf_counter() - started) * 1000)
        if not stepped.results[0].ok:
            raise RuntimeError(f"{task.id}: {action.type}: {stepped.results[0].message}")
        observation = stepped.observation
    raise RuntimeError(f"{task.id}: the oracle did not come to an end")
