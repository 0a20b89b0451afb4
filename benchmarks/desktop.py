"""`deskhand bench desktop`: latency, reset, memory and number of desktops, over HTTP.

Each desktop is a box of its own with its host inside, as in a run; LibreOffice Calc is open with a
workbook of 200 rows where a figure says Calc. An action that fails ends the benchmark.
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

import psutil
from rich.console import Console

from benchmarks.result import Figure, Result, plain, result, sampled, show, write
from envs.actions import Action, Click, Key, Target, Tool, Type
from envs.client import HostClient, RemoteSession
from envs.observations import Observe, ScreenshotRequest
from envs.outcomes import EpisodeFault
from envs.providers.boxes import DockerConfig
from envs.providers.docker import DockerProvider
from envs.providers.local import free_port, wait_healthy
from envs.providers.sandbox import sandboxed_desktop
from envs.session import StepReply
from envs.tasks import Task

NOTHING = Observe(tree=False)
JPEG = Observe(tree=False, screenshot=ScreenshotRequest())
TREE = Observe(tree_chars=6000)
START_S = 60.0
REPEATS = 60
CONTAINERS = 5
ALIVE = 16
ALIVE_S = 60
ON_TIME = 0.95
"""Share of its one action a second that an alive desktop must have done."""
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
    session: RemoteSession
    process: int
    cold_ms: float


@contextlib.asynccontextmanager
async def box() -> AsyncIterator[Box]:
    """A desktop of its own; `cold_ms` is from nothing to the first observation with a picture."""
    started = time.perf_counter()
    port, token = free_port(), secrets.token_urlsafe(24)
    url = f"http://127.0.0.1:{port}"
    async with sandboxed_desktop(port, token) as process:
        await wait_healthy(f"{url}/v1/health", process, START_S)
        async with HostClient(url, token) as client:
            session = await client.open("desktop")
            await session.reset(EMPTY, JPEG)
            yield Box(session, process.pid, (time.perf_counter() - started) * 1000)
            await session.close()


async def timed(session: RemoteSession, actions: list[Action], observe: Observe) -> float:
    """Milliseconds of one round trip. Raises RuntimeError if an action fails."""
    started = time.perf_counter()
    reply: StepReply = await session.step(actions, observe)
    elapsed = (time.perf_counter() - started) * 1000
    for done in reply.results:
        if not done.ok:
            raise RuntimeError(f"{actions}: {done.message}")
    return elapsed


def somewhere(rng: random.Random) -> Click:
    """A click on a cell of the sheet."""
    return Click(target=Target(x=rng.randint(60, 1100), y=rng.randint(200, 600)))


def pss_mb(pid: int) -> float:
    """Proportional set size of a process and all below it, MB."""
    root = psutil.Process(pid)
    total = 0
    for process in (root, *root.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):
            total += process.memory_full_info().pss
    return total / 1e6


async def one_desktop(figures: dict[str, Figure]) -> None:
    rng = random.Random(0)
    async with box() as found:
        session = found.session
        figures["desktop.cold_start_box_ms"] = plain(found.cold_ms, "ms")
        await session.reset(CALC, TREE)
        for _ in range(5):
            await timed(session, [somewhere(rng)], JPEG)
        clicks = [await timed(session, [somewhere(rng)], JPEG) for _ in range(REPEATS)]
        figures["desktop.act_jpeg_ms"] = sampled(clicks, "ms")
        typing: list[Action] = [Type(text="12"), Key(keys=("enter",))]
        typed = [await timed(session, typing, JPEG) for _ in range(REPEATS // 2)]
        figures["desktop.type_jpeg_ms"] = sampled(typed, "ms")
        pictures = [await timed(session, [], JPEG) for _ in range(REPEATS)]
        figures["desktop.screenshot_jpeg_ms"] = sampled(pictures, "ms")
        trees = [await timed(session, [], TREE) for _ in range(REPEATS // 2)]
        figures["desktop.tree_calc_ms"] = sampled(trees, "ms")
        figures["desktop.pss_mb"] = plain(pss_mb(found.process), "MB")
        read = Tool(name="calc.read_range", arguments={"range": "A1:B20"})
        await timed(session, [read], NOTHING)
        calls: list[Action] = [
            Tool(name="calc.set_cell", arguments={"cell": f"D{n + 1}", "value": n})
            for n in range(REPEATS)
        ]
        tools = [await timed(session, [call], NOTHING) for call in calls]
        figures["desktop.tool_ms"] = sampled(tools, "ms")
        reads = [await timed(session, [read], NOTHING) for _ in range(REPEATS)]
        figures["desktop.tool_read_ms"] = sampled(reads, "ms")
        await _resets(session, figures)


async def _resets(session: RemoteSession, figures: dict[str, Figure]) -> None:
    """From a desktop with Calc in use: to the empty desktop, and to the workbook opened anew."""
    empty: list[float] = []
    calc: list[float] = []
    for task, times in ((CALC, calc), (EMPTY, empty)) * 10:
        started = time.perf_counter()
        reply = await session.reset(task, JPEG)
        times.append((time.perf_counter() - started) * 1000)
        if reply.rung != "warm":
            raise RuntimeError(f"the reset took the rung {reply.rung}")
    figures["desktop.reset_ms"] = sampled(empty, "ms")
    figures["desktop.reset_opens_calc_ms"] = sampled(calc, "ms")


async def many_desktops(count: int, seconds: float, figures: dict[str, Figure]) -> None:
    """`count` desktops with Calc open, one click and picture a second each."""
    async with contextlib.AsyncExitStack() as stack:
        boxes = [await stack.enter_async_context(box()) for _ in range(count)]
        for found in boxes:
            await found.session.reset(CALC, NOTHING)
        lasted: list[float] = []
        shares = await asyncio.gather(*(_second_by_second(b, seconds, lasted) for b in boxes))
        figures["desktop.alive"] = plain(sum(share >= ON_TIME for share in shares), "desktops")
        figures["desktop.alive_act_jpeg_ms"] = sampled(lasted, "ms")
        total = sum(pss_mb(found.process) for found in boxes)
        figures["desktop.alive_pss_mb"] = plain(total / count, "MB a desktop")


async def _second_by_second(found: Box, seconds: float, lasted: list[float]) -> float:
    """Share of the actions that were done within their second."""
    rng = random.Random(found.process)
    start, on_time = time.perf_counter() + rng.random(), 0
    for second in range(int(seconds)):
        await asyncio.sleep(max(0.0, start + second - time.perf_counter()))
        lasted.append(await timed(found.session, [somewhere(rng)], JPEG))
        on_time += time.perf_counter() <= start + second + 1
    return on_time / int(seconds)


async def containers(figures: dict[str, Figure], console: Console) -> None:
    """From no container to the first picture of a desktop in one. Says so where there is no Docker
    Engine (DOCKER_HOST), or no image on it (`make test-docker` builds it)."""
    times: list[float] = []
    try:
        for _ in range(CONTAINERS):
            started = time.perf_counter()
            async with DockerProvider(DockerConfig()) as provider, provider.lease() as client:
                session = await client.open("desktop")
                await session.reset(EMPTY, JPEG)
                times.append((time.perf_counter() - started) * 1000)
                await session.close()
    except EpisodeFault as fault:
        console.print(f"desktop.cold_start_ms is not measured: {fault.detail}", highlight=False)
        return
    figures["desktop.cold_start_ms"] = sampled(times, "ms")


async def measure(
    desktops: int = ALIVE, seconds: float = ALIVE_S, console: Console | None = None
) -> Result:
    figures: dict[str, Figure] = {}
    await containers(figures, console or Console())
    await one_desktop(figures)
    await many_desktops(desktops, seconds, figures)
    return result(figures)


def run(json: Path | None, desktops: int = ALIVE, seconds: float = ALIVE_S) -> None:
    console = Console()
    console.print(f"desktop benchmark: about {2 * desktops + seconds + 60:.0f} seconds")
    measured = asyncio.run(measure(desktops, seconds, console))
    show(measured, console)
    if json is not None:
        write(json, measured)
