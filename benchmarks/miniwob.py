"""MiniWoB++ in `deskhand bench gyms`: resets, and the steps/s of 8 sessions at once.

`miniwob.reset_ms` is a reset in the page that is open, as the client sees it,
`miniwob.reset_session_ms` the same within the host, `miniwob.reset_load_ms` one that loads the
page. All episodes are the oracle's and must end with score 1.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.episode import elapsed_ms, time_oracle_episode
from benchmarks.figures import Figure, number, percentiles, rate
from benchmarks.processes import cpu_seconds
from envs.client import HostClient, RemoteSession
from envs.contract.actions import Wait
from envs.contract.observations import Observe
from tasksets.registry import get_gym

SESSIONS = 8
SECONDS = 10.0
WARM_UP_S = 2.0
OBSERVE = Observe()
EPISODES_IN_A_ROW = 16
"""Episodes of one template on one session before the next template, as groups of episodes come in
training; a page is loaded for the first."""
RESETS_IN_A_ROW = 40
LOAD_LAPS = 4
"""Further loads of each page: one a page is too few for a median over pages of all sizes."""
TEMPLATES = (
    "click-test",
    "click-button",
    "click-checkboxes",
    "click-link",
    "click-tab-2",
    "click-option",
    "choose-list",
    "enter-text",
    "enter-password",
    "login-user",
    "email-inbox",
    "search-engine",
    "simple-arithmetic",
    "read-table",
    "social-media",
    "navigate-tree",
    "choose-date-easy",
    "use-spinner",
    "multi-layouts",
    "click-collapsible-2",
)
"""Small pages and large ones, short tasks and long ones."""


@dataclass
class Samples:
    """Times of episodes in milliseconds."""

    reset: list[float] = field(default_factory=list)
    step: list[float] = field(default_factory=list)


async def measure(
    client: HostClient, seconds: float = SECONDS, sessions: int = SESSIONS
) -> dict[str, Figure]:
    """Resets of one session, then `seconds` of episodes in all sessions. Closes them."""
    first = await client.open()
    figures = await _measure_resets(first)
    opened = [first, *[await client.open() for _ in range(sessions - 1)]]
    try:
        await _play_together(opened, WARM_UP_S)
        started, cpu_before = time.perf_counter(), sum(cpu_seconds().values())
        samples = await _play_together(opened, seconds)
        wall_s = time.perf_counter() - started
        cpu_s = sum(cpu_seconds().values()) - cpu_before
    finally:
        for session in opened:
            await session.close()
    steps = len(samples.step)
    figures["miniwob.steps_per_s"] = rate(steps, wall_s, "steps/s")
    figures["miniwob.cpu_per_step_ms"] = number(cpu_s / steps * 1000, "ms")
    figures["miniwob.steps_per_s_act_tree_ms"] = percentiles(samples.step, "ms")
    figures["miniwob.steps_per_s_reset_ms"] = percentiles(samples.reset, "ms")
    return figures


async def _measure_resets(session: RemoteSession) -> dict[str, Figure]:
    """Each template in turn: its page is loaded once, then begun again in place."""
    # A first, short lap fills the browser's cache: loading is measured from there.
    await _reset_lap(session, resets=2)
    in_page, in_page_host, loads = await _reset_lap(session, RESETS_IN_A_ROW)
    in_page_share = number(len(in_page) / (len(in_page) + len(loads)), "share")
    for _ in range(LOAD_LAPS):
        loads += (await _reset_lap(session, resets=1))[2]
    return {
        "miniwob.reset_ms": percentiles(in_page, "ms"),
        "miniwob.reset_session_ms": percentiles(in_page_host, "ms"),
        "miniwob.reset_load_ms": percentiles(loads, "ms"),
        "miniwob.reset_in_page_share": in_page_share,
    }


async def _reset_lap(
    session: RemoteSession, resets: int
) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds of resets in the open page as the client and as the host see them, and of
    resets that loaded the page."""
    gym = get_gym("miniwob")
    in_page: list[float] = []
    in_page_host: list[float] = []
    loads: list[float] = []
    for template in TEMPLATES:
        for seed in range(resets):
            started = time.perf_counter()
            reply = await session.reset(gym.make_task(template, seed), OBSERVE)
            ms = elapsed_ms(started)
            if reply.reset_level == "page":
                in_page.append(ms)
                in_page_host.append(reply.timings_ms["reset"])
            else:
                loads.append(ms)
    return in_page, in_page_host, loads


async def _play_together(sessions: Sequence[RemoteSession], seconds: float) -> Samples:
    samples, deadline = Samples(), time.perf_counter() + seconds
    await asyncio.gather(
        *(_play_until(session, index, deadline, samples) for index, session in enumerate(sessions))
    )
    return samples


async def _play_until(
    session: RemoteSession, session_index: int, deadline: float, samples: Samples
) -> None:
    """Episodes until the deadline; at least one. Each session begins at another template."""
    gym = get_gym("miniwob")
    episode = 0
    while True:
        place = session_index * 5 + episode // EPISODES_IN_A_ROW
        task = gym.make_task(TEMPLATES[place % len(TEMPLATES)], episode)
        timing = await time_oracle_episode(session, gym, task, OBSERVE)
        samples.reset.append(timing.reset_ms)
        samples.step += [step.ms for step in timing.steps if not isinstance(step.action, Wait)]
        episode += 1
        if time.perf_counter() >= deadline:
            return
