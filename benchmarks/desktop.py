"""`deskhand bench desktop`: latency, reset, memory and number of desktops, over HTTP.

Each desktop is a box of its own with its host inside, as in a run. LibreOffice Calc is open with a
workbook of 200 rows where a figure's name says Calc. An action that fails ends the benchmark.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from benchmarks.episode import elapsed_ms
from benchmarks.figures import Figure, number, percentiles
from benchmarks.processes import pss_mb
from benchmarks.result import report
from envs.client import HostClient, RemoteSession
from envs.contract.actions import Action, Click, Key, Target, Tool, Type
from envs.contract.observations import Observe, ScreenshotRequest
from envs.contract.outcomes import EpisodeFault
from envs.contract.session import StepReply
from envs.contract.task import Task
from envs.providers.boxes import DockerConfig
from envs.providers.docker import DockerProvider
from envs.providers.local import free_port, wait_healthy
from envs.providers.sandbox import start_sandboxed_desktop

NO_OBSERVATION = Observe(tree=False)
JPEG = Observe(tree=False, screenshot=ScreenshotRequest())
TREE = Observe(tree_chars=6000)
START_S = 60.0
REPEATS = 60
LATE_S = 0.2
"""What a click changes is drawn by then, many times over."""
CONTAINERS = 5
DESKTOPS = 16
DESKTOPS_S = 60
WARM_UP_S = 15
"""So long desktops are used before that counts: LibreOffice still works on its start."""
ON_TIME_SHARE = 0.95
"""Share of its one action a second that a desktop must do in time to count as alive."""
EMPTY = Task(id="bench/empty", instruction="nothing", env="desktop")
_ROWS = [["Item", "Amount"], *([f"Item {n}", n * 7 % 90] for n in range(200))]
_PATH = "/home/user/Documents/bench.xlsx"
CALC = Task(
    id="bench/calc",
    instruction="nothing",
    env="desktop",
    config=[
        {"type": "workbook", "parameters": {"path": _PATH, "sheets": {"Sheet1": _ROWS}}},
        {"type": "open", "parameters": {"path": _PATH}},
    ],
)


@dataclass
class Box:
    """A desktop of its own, with the id of its outermost process."""

    session: RemoteSession
    pid: int
    cold_ms: float
    """from nothing to the first observation with a picture"""


def run(json: Path | None, desktops: int = DESKTOPS, seconds: float = DESKTOPS_S) -> None:
    """Measures, prints the figures and writes them to `json`."""
    console = Console()
    console.print(f"desktop benchmark: about {2 * desktops + WARM_UP_S + seconds + 90:.0f} seconds")
    figures = asyncio.run(measure(desktops, seconds, console))
    report(figures, console, json)


async def measure(
    desktops: int = DESKTOPS, seconds: float = DESKTOPS_S, console: Console | None = None
) -> dict[str, Figure]:
    """Figures of a container, of one desktop, and of many at once for `seconds`."""
    figures: dict[str, Figure] = {}
    await measure_containers(figures, console or Console())
    await measure_one(figures)
    await measure_many(desktops, seconds, figures)
    return figures


@contextlib.asynccontextmanager
async def open_box() -> AsyncIterator[Box]:
    """Starts a desktop in a box and leaves nothing of it behind."""
    started = time.perf_counter()
    port, token = free_port(), secrets.token_urlsafe(24)
    url = f"http://127.0.0.1:{port}"
    async with start_sandboxed_desktop(port, token) as process:
        await wait_healthy(f"{url}/v1/health", process, START_S)
        async with HostClient(url, token) as client:
            session = await client.open("desktop")
            await session.reset(EMPTY, JPEG)
            yield Box(session, process.pid, elapsed_ms(started))
            await session.close()


async def time_step(session: RemoteSession, actions: list[Action], observe: Observe) -> float:
    """Milliseconds of one round trip. Raises RuntimeError if an action fails."""
    started = time.perf_counter()
    reply: StepReply = await session.step(actions, observe)
    ms = elapsed_ms(started)
    for result in reply.results:
        if not result.ok:
            raise RuntimeError(f"{actions}: {result.message}")
    return ms


def random_click(rng: random.Random) -> Click:
    """A click on a cell of the sheet."""
    return Click(target=Target(x=rng.randint(60, 1100), y=rng.randint(200, 600)))


async def measure_one(figures: dict[str, Figure]) -> None:
    """Latencies, memory and resets of one desktop with Calc open."""
    rng = random.Random(0)
    async with open_box() as box:
        session = box.session
        figures["desktop.cold_start_box_ms"] = number(box.cold_ms, "ms")
        await session.reset(CALC, TREE)
        for _ in range(5):
            await time_step(session, [random_click(rng)], JPEG)
        clicks = [await time_step(session, [random_click(rng)], JPEG) for _ in range(REPEATS)]
        figures["desktop.act_jpeg_ms"] = percentiles(clicks, "ms")
        await _measure_drawing(session, rng, figures)
        typing: list[Action] = [Type(text="12"), Key(keys=("enter",))]
        type_times = [await time_step(session, typing, JPEG) for _ in range(REPEATS // 2)]
        figures["desktop.type_jpeg_ms"] = percentiles(type_times, "ms")
        pictures = [await time_step(session, [], JPEG) for _ in range(REPEATS)]
        figures["desktop.screenshot_jpeg_ms"] = percentiles(pictures, "ms")
        trees = [await time_step(session, [], TREE) for _ in range(REPEATS // 2)]
        figures["desktop.tree_calc_ms"] = percentiles(trees, "ms")
        figures["desktop.pss_mb"] = number(pss_mb(box.pid), "MB")
        await _measure_tools(session, figures)
        await _measure_resets(session, figures)


async def _measure_drawing(
    session: RemoteSession, rng: random.Random, figures: dict[str, Figure]
) -> None:
    """How long Calc itself takes to draw what a click changes, which bounds a step with a picture;
    and the share of clicks whose picture shows all of it."""
    drawn: list[float] = []
    final = 0
    for _ in range(REPEATS):
        reply = await session.step([random_click(rng)], JPEG)
        drawn.append(reply.timings_ms["drawn"])
        await asyncio.sleep(LATE_S)
        later = await session.step([], JPEG)
        final += later.observation.screenshot == reply.observation.screenshot
    figures["desktop.floor_drawn_ms"] = percentiles(drawn, "ms")
    figures["desktop.picture_final"] = number(final / REPEATS, "share")


async def _measure_tools(session: RemoteSession, figures: dict[str, Figure]) -> None:
    """Calls of Calc's tools; the first one, which connects to LibreOffice, does not count."""
    read = Tool(name="calc.read_range", arguments={"range": "A1:B20"})
    await time_step(session, [read], NO_OBSERVATION)
    calls: list[Action] = [
        Tool(name="calc.set_cell", arguments={"cell": f"D{row + 1}", "value": row})
        for row in range(REPEATS)
    ]
    writes = [await time_step(session, [call], NO_OBSERVATION) for call in calls]
    figures["desktop.tool_ms"] = percentiles(writes, "ms")
    reads = [await time_step(session, [read], NO_OBSERVATION) for _ in range(REPEATS)]
    figures["desktop.tool_read_ms"] = percentiles(reads, "ms")


async def _measure_resets(session: RemoteSession, figures: dict[str, Figure]) -> None:
    """Resets to the empty desktop, and to the workbook opened again, in turn."""
    empty: list[float] = []
    calc: list[float] = []
    for task, times in ((CALC, calc), (EMPTY, empty)) * 10:
        started = time.perf_counter()
        reply = await session.reset(task, JPEG)
        times.append(elapsed_ms(started))
        if reply.reset_level != "warm":
            raise RuntimeError(f"a warm reset was expected, not {reply.reset_level}")
    figures["desktop.reset_ms"] = percentiles(empty, "ms")
    figures["desktop.reset_opens_calc_ms"] = percentiles(calc, "ms")


async def measure_many(count: int, seconds: float, figures: dict[str, Figure]) -> None:
    """`count` desktops with Calc open, one click and picture a second each."""
    async with contextlib.AsyncExitStack() as stack:
        boxes = [await stack.enter_async_context(open_box()) for _ in range(count)]
        for box in boxes:
            await box.session.reset(CALC, NO_OBSERVATION)
        await asyncio.gather(*(_click_every_second(box, WARM_UP_S, []) for box in boxes))
        times: list[float] = []
        shares = await asyncio.gather(*(_click_every_second(box, seconds, times) for box in boxes))
        alive = sum(share >= ON_TIME_SHARE for share in shares)
        figures["desktop.alive"] = number(alive, "desktops")
        figures["desktop.alive_act_jpeg_ms"] = percentiles(times, "ms")
        total = sum(pss_mb(box.pid) for box in boxes)
        figures["desktop.alive_pss_mb"] = number(total / count, "MB a desktop")


async def _click_every_second(box: Box, seconds: float, times: list[float]) -> float:
    """Adds milliseconds to `times`; returns the share of actions that were done in their second."""
    rng = random.Random(box.pid)
    # Desktops begin at random moments of the second: the load is spread as it is in a run.
    start, on_time = time.perf_counter() + rng.random(), 0
    for second in range(int(seconds)):
        await asyncio.sleep(max(0.0, start + second - time.perf_counter()))
        times.append(await time_step(box.session, [random_click(rng)], JPEG))
        on_time += time.perf_counter() <= start + second + 1
    return on_time / int(seconds)


async def measure_containers(figures: dict[str, Figure], console: Console) -> None:
    """From no container to the first picture of a desktop in one. Prints that it is not measured
    where there is no Docker Engine (DOCKER_HOST), or no image on it (`make test-docker` builds
    it)."""
    times: list[float] = []
    try:
        for _ in range(CONTAINERS):
            started = time.perf_counter()
            async with DockerProvider(DockerConfig()) as provider, provider.lease() as client:
                session = await client.open("desktop")
                await session.reset(EMPTY, JPEG)
                times.append(elapsed_ms(started))
                await session.close()
    except EpisodeFault as fault:
        console.print(f"desktop.cold_start_ms is not measured: {fault.detail}", highlight=False)
        return
    figures["desktop.cold_start_ms"] = percentiles(times, "ms")
