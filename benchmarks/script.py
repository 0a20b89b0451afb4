"""`deskhand bench script`: speed of replays, and how often scripts hold on changed sites.

An oracle's episode of each template becomes a script, at a seed of the test split, in Chromium. It
is replayed without a model: as it was, on the disturbed site (0.5), on the disturbed site with
each other layout and another theme, and on another task of the template by its parameters, where
the script says of itself that nothing in it belongs to the recorded day. Held is what the gym's own
verdict calls a success. Where it did not hold, the same task is played once more with the gym's
oracle as the agent that takes over, and then by the mended script alone.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from agent_server.episodes.agent import Agent, Sampling
from agent_server.episodes.compact import CompactAgent
from agent_server.episodes.runner import run_episode
from agent_server.episodes.trajectory import EpisodeResult, Step
from agent_server.policy.oracle import OraclePolicy
from agent_server.scripts.make import CannotScript, make_script
from agent_server.scripts.mend import find_takeover, mend_script
from agent_server.scripts.model import Script, ScriptPlay
from agent_server.scripts.play import carry, make_script_task, read_play
from agent_server.scripts.replay import ScriptAgent
from agent_server.scripts.report import list_fixed
from benchmarks.figures import Figure, number, percentiles
from benchmarks.result import report
from envs.client import RemoteSession
from envs.contract.observations import Screenshot
from envs.contract.task import HELDOUT_SEED_BASE, Task
from envs.gyms.kit.appearance import LAYOUTS
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.registry import web_gyms
from envs.providers.local import local_host

STRENGTH = 0.5
CROSS_APP = "suite"
"""Its tasks are those of the other apps together."""


@dataclass(slots=True)
class _Steps:
    """A `StepSink` that keeps the steps."""

    steps: list[Step] = field(default_factory=list)

    def save_screenshot(self, index: int, screenshot: Screenshot) -> str:
        return ""

    def record_step(self, step: Step) -> None:
        self.steps.append(step)

    def save_evidence(self, data: bytes) -> None:
        return


@dataclass(slots=True)
class Tally:
    """What was counted, by kind of replay; what failed, one line each."""

    step_ms: list[float] = field(default_factory=list)
    held: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    helped: list[bool] = field(default_factory=list)
    mended: list[bool] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def run(json: Path | None, per_app: int, sessions: int) -> None:
    """Measures, prints the figures and the failures, and writes the figures to `json`."""
    console = Console()
    with console.status("scripts of all apps"):
        tally = asyncio.run(measure(per_app, sessions))
    for line in sorted(tally.failures):
        console.print(line, markup=False, highlight=False)
    report(make_figures(tally), console, json)


async def measure(per_app: int, sessions: int) -> Tally:
    """`per_app`: at most so many templates of each app, spread evenly over them."""
    gyms = [gym for gym in web_gyms().values() if isinstance(gym, AppGym) and gym.name != CROSS_APP]
    waiting = [(gym, template) for gym in gyms for template in spread(gym.templates, per_app)]
    tally = Tally()
    async with local_host(sessions + 1) as host:

        async def work() -> None:
            session = await host.open()
            while waiting:
                gym, template = waiting.pop(0)
                await _measure_template(session, gym, template, tally)
            await session.close()

        await asyncio.gather(*(work() for _ in range(sessions)))
    return tally


def spread(names: tuple[str, ...], count: int) -> list[str]:
    """At most `count` of them, evenly over the list."""
    if len(names) <= count:
        return list(names)
    return [names[index * len(names) // count] for index in range(count)]


async def _measure_template(
    session: RemoteSession, gym: AppGym[Any], template: str, tally: Tally
) -> None:
    task = gym.make_task(template, HELDOUT_SEED_BASE)
    recorded, steps = await _play(session, task, CompactAgent(task, OraclePolicy(task)))
    if not recorded.success:
        tally.counts["recorded without success"] += 1
        return
    try:
        script = make_script(template.replace("_", "-"), task, steps)
    except CannotScript as error:
        tally.counts["cannot be a script"] += 1
        tally.failures.append(f"{task.id}: {error}")
        return
    tally.counts["scripts"] += 1
    for kind, changed in _list_changes(gym, task, script):
        result, played = await _replay(session, changed, script)
        if kind == "same":
            tally.step_ms += [s.timings_ms["policy"] + s.timings_ms["env"] for s in played[:-1]]
        tally.held[kind].append(bool(result.success))
        if not result.success:
            tally.failures.append(f"{kind}: {changed.id}: {played[-1].thought or result.reason}")
            await _mend(session, changed, script, tally)


def _list_changes(gym: AppGym[Any], task: Task, script: Script) -> Iterator[tuple[str, Task]]:
    """Kinds of replays, each with its task."""
    play = ScriptPlay(script=script)
    longer = make_script_task(play, task.id, task.seed)
    disturbed = gym.disturb(longer, STRENGTH)
    yield "same", longer
    yield "disturbed", disturbed
    look = gym.make_world(task.seed).appearance
    for turn in range(1, LAYOUTS):
        other = {"layout": look.layout + turn, "theme": look.theme + turn}
        yield "look", Task.model_validate(disturbed.model_dump() | {"appearance": other})
    if not list_fixed(script):
        other_task = make_script_task(play, task.id, task.seed + 1)
        values = read_play(other_task).values
        if set(values) == set(script.examples):
            yield "seed", other_task
            yield "seed_disturbed", gym.disturb(other_task, STRENGTH)


async def _mend(session: RemoteSession, task: Task, script: Script, tally: Tally) -> None:
    """The oracle takes over where the script does not fit; then the mended one is on its own."""
    values = read_play(task).values
    other = CompactAgent(task, OraclePolicy(task))
    result, steps = await _play(
        session, task, ScriptAgent(ScriptPlay(script=script, values=values), other)
    )
    tally.helped.append(bool(result.success) and find_takeover(steps) is not None)
    if not tally.helped[-1]:
        tally.mended.append(False)
        return
    try:
        mended = mend_script(script, steps, script.examples | values)
    except CannotScript:
        tally.mended.append(False)
        return
    again, _ = await _replay(session, task, mended)
    tally.mended.append(bool(again.success))


async def _replay(
    session: RemoteSession, task: Task, script: Script
) -> tuple[EpisodeResult, list[Step]]:
    play = ScriptPlay(script=script, values=read_play(task).values)
    return await _play(session, carry(task, play), ScriptAgent(play))


async def _play(
    session: RemoteSession, task: Task, agent: Agent
) -> tuple[EpisodeResult, list[Step]]:
    sink = _Steps()
    result = await run_episode(
        task, session, agent, Sampling(), task.limits, sink, tree_chars=12_000, tree_options=30
    )
    return result, sink.steps


def make_figures(tally: Tally) -> dict[str, Figure]:
    """`held` is over all replays on changed sites; the parts of it beside. Raises ValueError where
    nothing was replayed."""
    changed = [held for kind, all_held in tally.held.items() if kind != "same" for held in all_held]
    figures = {
        "script.step_ms": percentiles(tally.step_ms, "ms"),
        "script.held": _share(changed),
        **{f"script.held_{kind}": _share(held) for kind, held in sorted(tally.held.items())},
        "script.scripts": number(tally.counts["scripts"], "scripts"),
        "script.cannot": number(tally.counts["cannot be a script"], "episodes"),
        "script.portable": _share([True] * len(tally.held["seed"]), tally.counts["scripts"]),
    }
    if tally.helped:
        figures["script.helped"] = _share(tally.helped)
        figures["script.mended"] = _share(tally.mended)
    return figures


def _share(held: Iterable[bool], of: int | None = None) -> Figure:
    values = list(held)
    count = len(values) if of is None else of
    figure = number(sum(values) / count if count else 0.0, "share")
    figure["n"] = count
    return figure
