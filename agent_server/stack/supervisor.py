"""Keeps child processes alive: starts, watches, restarts within a budget, stops.

Guarantees: a child gets the environment that it is given and what is listed of ours, no more; it
runs in its own process group, dies with this process, and is stopped with its
whole group, SIGTERM first; a child that ends by itself is started again with back-off until its
budget is spent, and then `failed` says so in one sentence that names its log.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import signal
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from agent_server.stack.patience import Activity, Patience, StartLimit
from envs.io.child_process import die_with_parent, inherited_environment

log = logging.getLogger(__name__)

STOP_S = 12.0
WATCH_S = 0.2
MAX_BACKOFF_S = 10.0
PROBE_EVERY_S = 5.0
"""With two seconds for an answer, a child that hangs is killed within 21 s where it is idle, and
after 42 s where it uses the processor; later where others hold the processor (`Patience`)."""
REFILL_S = 600.0
"""A child that was ready this long gets one restart back: the budget bounds how often it dies in a
row, not in its life."""
LOG_ROOM_BYTES = 64 * 2**10
LOG_BYTES = 64 * 2**20
"""A log that has become larger is kept as NAME.log.1, in place of the one before."""


class ChildFailed(Exception):
    """A child could not be started or kept running."""


@dataclass(slots=True)
class Child:
    """A child process. `ready` tells whether it answers; `on_restart` runs after each restart,
    before the child counts as running again. `ready_s`: how long a start may take (`StartLimit`).
    `budget_spent`: restarts that count against `max_restarts`."""

    name: str
    command: list[str]
    environment: dict[str, str]
    log_path: Path
    ready: Callable[[], Awaitable[bool]]
    ready_s: float = 60.0
    max_restarts: int = 8
    on_restart: Callable[[], Awaitable[None]] | None = None
    drain_s: float = 0.0
    """How long it may go on with what it has begun when it is told to end."""
    stop_s: float | None = None
    """How long its end itself may take; None: `STOP_S`."""
    responds: Callable[[], Awaitable[bool]] | None = None
    """Whether it answers at all, be it that it is not well. None: that cannot be asked."""
    restarts: int = 0
    budget_spent: float = 0.0
    ready_at: float | None = None
    is_ending: bool = False
    """It was told to end: a second SIGTERM would break off what it still does."""
    process: asyncio.subprocess.Process | None = field(default=None, repr=False)

    @property
    def pid(self) -> int | None:
        """Process id; None while the child is not running."""
        return None if self.process is None else self.process.pid

    async def start(self) -> None:
        """Start the process and wait until it is ready. Raises ChildFailed, naming the log."""
        self.log_path.parent.mkdir(parents=True, exist_ok=True)
        self.is_ending = False
        with self.log_path.open("ab") as output:
            try:
                self.process = await asyncio.create_subprocess_exec(
                    *self.command,
                    env={**inherited_environment(), **self.environment},
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                    preexec_fn=die_with_parent,
                )
            except OSError as error:
                raise ChildFailed(f"{self.name} cannot be started: {error}") from error
        limit, looked_at = StartLimit(self.ready_s), time.monotonic()
        while True:
            if self.process.returncode is not None:
                raise ChildFailed(
                    f"{self.name} ended with code {self.process.returncode} while starting; "
                    f"{self._where_to_look()}"
                )
            if await self.ready():
                self.ready_at = time.monotonic()
                return
            await asyncio.sleep(WATCH_S)
            before, looked_at = looked_at, time.monotonic()
            if limit.is_spent(looked_at - before, Activity.of(self.process.pid)):
                raise ChildFailed(
                    f"{self.name} was not ready in {self.ready_s:g} s; {self._where_to_look()}"
                )

    def _where_to_look(self) -> str:
        """The log; on a full disk it can be empty, so that is said instead."""
        if shutil.disk_usage(self.log_path.parent).free < LOG_ROOM_BYTES:
            return f"no space is left on the disk of {self.log_path.parent}"
        return f"see {self.log_path}"

    def spend_restart(self) -> None:
        """Count a restart. Time in which the child was ready gives budget back. Raises
        ChildFailed."""
        if self.ready_at is not None:
            ready_s = time.monotonic() - self.ready_at
            self.budget_spent = max(0.0, self.budget_spent - ready_s / REFILL_S)
            self.ready_at = None
        self.restarts += 1
        self.budget_spent += 1
        if self.budget_spent > self.max_restarts:
            raise ChildFailed(
                f"{self.name} died {self.restarts} times, giving up; {self._where_to_look()}"
            )

    def begin_stop(self) -> None:
        """Tell it to end. Returns at once."""
        if self.process is not None and self.process.returncode is None and not self.is_ending:
            self.is_ending = True
            _signal_group(self.process.pid, signal.SIGTERM)

    async def stop(self) -> None:
        """Stop the child and its whole process group; it gets `drain_s` more than others."""
        process = self.process
        if process is None:
            return
        self.begin_stop()
        for limit_s in ((self.stop_s or STOP_S) + self.drain_s, STOP_S):
            if process.returncode is None:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), limit_s)
            if process.returncode is None:
                _signal_group(process.pid, signal.SIGKILL)
        _signal_group(process.pid, signal.SIGKILL)
        self.process = None


class Supervisor:
    """Children in order of dependence. Use as an async context manager."""

    def __init__(self) -> None:
        self.children: list[Child] = []
        self.failure: asyncio.Future[None] | None = None
        self._watchers: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Supervisor:
        self.failure = asyncio.get_running_loop().create_future()
        return self

    async def __aexit__(self, *_: object) -> None:
        for watcher in self._watchers:
            watcher.cancel()
        await asyncio.gather(*self._watchers, return_exceptions=True)
        # At once: what takes its time does so beside the others that do, on parts that still run.
        for child in self.children:
            if child.drain_s:
                child.begin_stop()
        for child in reversed(self.children):
            await child.stop()
        if self.failure is not None and self.failure.done() and not self.failure.cancelled():
            self.failure.exception()

    async def add(self, child: Child) -> None:
        """Start a child and watch it from then on. Raises ChildFailed."""
        self.children.append(child)
        await child.start()
        self._watchers.append(asyncio.create_task(self._watch(child), name=f"watch {child.name}"))

    async def _watch(self, child: Child) -> None:
        while child.process is not None:
            code = await _wait_for_end(child, child.process)
            _signal_group(child.process.pid, signal.SIGKILL)
            log.warning("%s ended with code %s", child.name, code)
            try:
                await self._restart(child)
            except ChildFailed as error:
                if self.failure is not None and not self.failure.done():
                    self.failure.set_exception(error)
                return

    async def _restart(self, child: Child) -> None:
        while True:
            child.spend_restart()
            await asyncio.sleep(min(0.1 * 2**child.budget_spent, MAX_BACKOFF_S))
            try:
                await child.start()
                if child.on_restart is not None:
                    await child.on_restart()
                return
            except ChildFailed as error:
                log.warning("%s", error)
                await child.stop()


async def _wait_for_end(child: Child, process: asyncio.subprocess.Process) -> int:
    """The exit code. A child that hangs is killed: it runs, and answers nothing."""
    ended, patience = asyncio.ensure_future(process.wait()), Patience()
    try:
        while not (await asyncio.wait({ended}, timeout=PROBE_EVERY_S))[0]:
            await asyncio.to_thread(roll_log, child.log_path)
            answered = child.responds is None or await child.responds()
            if patience.is_exhausted(answered, Activity.of(process.pid)):
                log.warning("%s hangs: it answers nothing, killing it", child.name)
                _signal_group(process.pid, signal.SIGKILL)
        return ended.result()
    finally:
        ended.cancel()


def roll_log(path: Path) -> None:
    """Bound a log that a child holds open and appends to. What is written in between is lost, and
    on a full disk the whole of it, so that it frees space."""
    former = path.with_name(f"{path.name}.1")
    try:
        if path.stat().st_size <= LOG_BYTES:
            return
        shutil.copyfile(path, former)
    except FileNotFoundError:
        return
    except OSError as error:
        log.warning("%s is dropped, it cannot be kept: %s", path, error.strerror)
        former.unlink(missing_ok=True)
    os.truncate(path, 0)


def _signal_group(pid: int, sign: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, sign)
