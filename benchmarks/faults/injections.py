"""The faults, by name: what each does to the system, how often it comes, how long it lasts.

Guarantees: a fault that lasts is undone when its seconds are over, also after an exception; only
one fault at a time has the same target. A fault whose target is not there now (no page is open) is
not applied, says so, and is not counted.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
import psycopg

from agent_server.policy.swap import BadVersion, SwapFailed
from agent_server.queue.broker import BrokerError
from benchmarks.faults.schedule import Injection, Kind
from benchmarks.faults.services import STEP_CLOCK
from benchmarks.faults.system import MIN_FREE_MB, System, pid_is_alive

QUEUE = "episodes"
HUNG_LIMIT_S = 120.0
"""A supervisor kills a child that hangs in three quarters of a minute."""
SLOW_PIECE_S = 0.02
TARGET_WAIT_S = 5.0
DAY_S = 86_400
STEPS_S = (-DAY_S, -3600, -90, -15, 15, 90, 3600, DAY_S)
SERVICES = ("postgres", "redis")
END_SESSIONS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
"""

Run = Callable[[System, Injection], Awaitable[None]]


class NoTarget(Exception):
    """What the fault would hit is not there now."""


class Breach(Exception):
    """The system did at once what it must not."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A kind of fault with its target, which it holds alone."""

    kind: Kind
    target: str
    run: Run


async def inject(
    system: System, injection: Injection, note_start: Callable[[], None] = lambda: None
) -> None:
    """Apply a fault until it is over; `note_start` is called when its target is free. Raises
    NoTarget, Breach."""
    fault = FAULTS[injection.kind]
    async with system.lock(fault.target):
        system.forgive()
        note_start()
        await fault.run(system, injection)


async def _choose(system: System, target: str, pick: float) -> psutil.Process:
    """A running process of the class; one may be on its way back. Raises NoTarget."""
    for _ in range(int(TARGET_WAIT_S / 0.1)):
        processes = system.processes(target)
        if processes:
            return processes[int(pick * len(processes))]
        await asyncio.sleep(0.1)
    raise NoTarget(f"no {target} runs")


def _signal(processes: Sequence[psutil.Process], sign: signal.Signals) -> None:
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.send_signal(sign)


def _kill(target: str, sign: signal.Signals = signal.SIGKILL) -> Run:
    async def kill(system: System, injection: Injection) -> None:
        _signal([await _choose(system, target, injection.pick)], sign)

    return kill


def _pause(target: str) -> Run:
    """Stopped, then continued; of a server with processes of its own, all of them."""

    async def pause(system: System, injection: Injection) -> None:
        chosen = await _choose(system, target, injection.pick)
        processes = [chosen]
        if target in SERVICES:
            with contextlib.suppress(psutil.Error):
                processes += chosen.children(recursive=True)
        _signal(processes, signal.SIGSTOP)
        try:
            await asyncio.sleep(injection.seconds)
        finally:
            _signal(processes, signal.SIGCONT)

    return pause


def _hang(target: str) -> Run:
    """Stopped for good: until its supervisor ends it."""

    async def hang(system: System, injection: Injection) -> None:
        process = await _choose(system, target, injection.pick)
        _signal([process], signal.SIGSTOP)
        try:
            async with asyncio.timeout(HUNG_LIMIT_S):
                while pid_is_alive(process.pid):
                    await asyncio.sleep(0.5)
        except TimeoutError:
            pass  # its recovery tells that nobody ended it
        finally:
            _signal([process], signal.SIGCONT)

    return hang


def _network(gate: str, action: str) -> Run:
    async def disturb(system: System, injection: Injection) -> None:
        place = system.gates[gate]
        if action == "cut":
            place.cut()
        elif action == "slow":
            await place.slow(injection.seconds, SLOW_PIECE_S)
        else:
            await getattr(place, action)(injection.seconds)

    return disturb


async def _fill_disk(system: System, injection: Injection) -> None:
    """Every second one leaves some room: less than what an episode needs to start."""
    leave = 0 if injection.pick < 0.5 else MIN_FREE_MB * 2**19
    try:
        await asyncio.to_thread(system.disk.fill, leave)
        await asyncio.sleep(injection.seconds)
    finally:
        system.disk.free()


async def _step_clock(system: System, injection: Injection) -> None:
    seconds = STEPS_S[int(injection.pick * len(STEPS_S))]
    await _on_database(system, STEP_CLOCK, seconds)


async def _lock_table(system: System, injection: Injection) -> None:
    try:
        await system.postgres.lock_episodes(injection.seconds)
    except psycopg.Error as error:
        raise NoTarget(str(error)) from error


async def _end_sessions(system: System, injection: Injection) -> None:
    """An administrator ends all connections, as a failover does."""
    await _on_database(system, END_SESSIONS)


async def _on_database(system: System, statement: str, *values: object) -> None:
    try:
        await system.postgres.execute(statement, *values)
    except psycopg.Error as error:
        raise NoTarget(str(error)) from error


async def _lose_messages(system: System, injection: Injection) -> None:
    """Those that wait now; if none does, the next one."""
    for _ in range(50):
        reply = await _to_broker(system, "LPOP", QUEUE, "1000")
        if not reply.startswith(b"*-1"):
            return
        await asyncio.sleep(0.1)
    raise NoTarget("no message waits")


async def _repeat_messages(system: System, injection: Injection) -> None:
    """Of running episodes, of ended ones and of some that never were."""
    ids = await _episode_ids(system)
    rng = random.Random(injection.pick)
    chosen = rng.sample(ids, min(8, len(ids)))
    try:
        with contextlib.closing(system.broker) as broker:
            await asyncio.to_thread(broker.send, [*chosen, *chosen, "e0never"])
    except BrokerError as error:
        raise NoTarget(str(error)) from error


async def _empty_broker(system: System, injection: Injection) -> None:
    """All of its keys: messages that wait, and those that are out for delivery."""
    await _to_broker(system, "FLUSHALL")


async def _to_broker(system: System, *words: str) -> bytes:
    try:
        return await asyncio.wait_for(system.redis.command(*words), 5)
    except (OSError, TimeoutError) as error:
        raise NoTarget(str(error)) from error


async def _episode_ids(system: System) -> list[str]:
    def read() -> list[str]:
        url = system.postgres.url().replace("+psycopg", "")
        with psycopg.connect(url, connect_timeout=5) as db:
            return [row[0] for row in db.execute("SELECT id FROM episode ORDER BY created_at")]

    try:
        return await asyncio.to_thread(read)
    except psycopg.Error as error:
        raise NoTarget(str(error)) from error


async def _swap(system: System, folder: Path) -> bool:
    """Whether the policy server took a version. Raises NoTarget while it is away."""
    swapper = system.stack.swapper
    if swapper is None:
        raise NoTarget("no policy server runs")
    try:
        return (await swapper.swap(folder)).accepted
    except BadVersion:
        return False
    except SwapFailed as error:
        raise NoTarget(str(error)) from error


async def _swap_weights(system: System, injection: Injection) -> None:
    if system.versions is None:
        raise NoTarget("no policy server runs")
    folder = system.versions.good[int(2 * injection.pick)]
    if not await _swap(system, folder):
        raise Breach(f"{folder.name} was refused")


async def _reject_weights(system: System, injection: Injection) -> None:
    if system.versions is None or system.stack.swapper is None:
        raise NoTarget("no policy server runs")
    live_before = system.stack.swapper.live
    folder = system.versions.bad[int(2 * injection.pick)]
    if await _swap(system, folder):
        raise Breach(f"{folder.name} was taken")
    if system.stack.swapper.live != live_before:
        raise Breach(f"{system.stack.swapper.live} is live, not {live_before}")


def _faults() -> dict[str, Fault]:
    faults: dict[str, Fault] = {}

    def add(name: str, weight: float, seconds: tuple[float, float], target: str, run: Run) -> None:
        faults[name] = Fault(Kind(weight=weight, seconds=seconds), target, run)

    at_once = (0.0, 0.0)
    weights = {"worker": 2.0, "api": 2.0, "gym": 1.5, "host": 1.5, "policy": 2.0}
    weights |= {"postgres": 2.0, "redis": 2.0, "chromium": 2.0, "renderer": 2.0}
    for target, weight in weights.items():
        add(f"kill {target}", weight, at_once, target, _kill(target))
        add(f"pause {target}", weight, (0.3, 4.0), target, _pause(target))
    for target in ("worker", "postgres", "redis", "api"):
        stop = signal.SIGINT if target == "postgres" else signal.SIGTERM
        add(f"restart {target}", 1.0, at_once, target, _kill(target, stop))
    for target in ("api", "gym", "host", "policy", "worker", "renderer"):
        add(f"hang {target}", 0.12, at_once, target, _hang(target))
    for gate in ("api", "db", "broker", "host", "policy"):
        add(f"cut {gate}", 2.0, at_once, f"gate {gate}", _network(gate, "cut"))
        add(f"refuse {gate}", 1.0, (0.2, 3.0), f"gate {gate}", _network(gate, "refuse"))
        add(f"hold {gate}", 1.0, (0.2, 4.0), f"gate {gate}", _network(gate, "hold"))
        add(f"slow {gate}", 1.0, (0.5, 3.0), f"gate {gate}", _network(gate, "slow"))
        add(f"half-open {gate}", 1.0, (1.0, 12.0), f"gate {gate}", _network(gate, "swallow"))
    add("full disk", 3.0, (0.3, 3.0), "disk", _fill_disk)
    add("step clock", 3.0, at_once, "clock", _step_clock)
    add("lock table", 2.0, (0.3, 4.0), "table", _lock_table)
    add("end database sessions", 2.0, at_once, "table", _end_sessions)
    add("lose messages", 3.0, at_once, "messages", _lose_messages)
    add("repeat messages", 3.0, at_once, "messages", _repeat_messages)
    add("empty broker", 1.0, at_once, "messages", _empty_broker)
    for name, weight, seconds, run in (
        ("kill desktop", 0.0, at_once, _kill("desktop")),
        ("pause desktop", 0.0, (0.5, 6.0), _pause("desktop")),
        ("hang desktop", 0.0, at_once, _hang("desktop")),
    ):
        add(name, weight, seconds, "desktop", run)
    add("reject weights", 0.0, at_once, "weights", _reject_weights)
    add("swap weights", 0.0, at_once, "weights", _swap_weights)
    return faults


FAULTS = _faults()
"""By name. Those of desktops and weights come in their profiles only."""
PROFILES: dict[str, tuple[dict[str, float], tuple[str, ...]]] = {
    "browser": ({}, ()),
    "desktop": (
        {"kill desktop": 12.0, "pause desktop": 12.0, "hang desktop": 2.0},
        ("chromium", "renderer", " host", " gym", " policy"),
    ),
    "weights": (
        {
            "reject weights": 40.0,
            "swap weights": 20.0,
            "pause policy": 6.0,
            "slow policy": 6.0,
            "hold policy": 6.0,
            "kill policy": 1.0,
            "hang policy": 0.0,
        },
        (),
    ),
}
"""Weights that differ, and the ends of the names that have no part."""


def kinds_of(profile: str) -> dict[str, Kind]:
    """Kinds of a profile with their weights: "browser", "desktop", or "weights" for a real policy
    server."""
    raised, idle = PROFILES[profile]
    kinds = {
        name: fault.kind.model_copy(update={"weight": raised.get(name, fault.kind.weight)})
        for name, fault in FAULTS.items()
        if not (idle and name.endswith(idle))
    }
    return {name: kind for name, kind in kinds.items() if kind.weight}
