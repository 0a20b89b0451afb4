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
import signal
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from envs.io.child_process import die_with_parent, inherited_environment

log = logging.getLogger(__name__)

STOP_S = 12.0
WATCH_S = 0.2
MAX_BACKOFF_S = 10.0


class ChildFailed(Exception):
    """A child could not be started or kept running."""


@dataclass(slots=True)
class Child:
    """A child process. `ready` tells whether it answers; `on_restart` runs after each restart,
    before the child counts as running again."""

    name: str
    command: list[str]
    environment: dict[str, str]
    log_path: Path
    ready: Callable[[], Awaitable[bool]]
    ready_s: float = 60.0
    max_restarts: int = 8
    on_restart: Callable[[], Awaitable[None]] | None = None
    restarts: int = 0
    process: asyncio.subprocess.Process | None = field(default=None, repr=False)

    @property
    def pid(self) -> int | None:
        """Process id; None while the child is not running."""
        return None if self.process is None else self.process.pid

    async def start(self) -> None:
        """Start the process and wait until it is ready. Raises ChildFailed, naming the log."""
        self.log_path.parent.mkdir(parents=True, exist_ok=True)
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
        deadline = time.monotonic() + self.ready_s
        while time.monotonic() < deadline:
            if self.process.returncode is not None:
                raise ChildFailed(
                    f"{self.name} ended with code {self.process.returncode} while starting; "
                    f"see {self.log_path}"
                )
            if await self.ready():
                return
            await asyncio.sleep(WATCH_S)
        raise ChildFailed(f"{self.name} was not ready in {self.ready_s:g} s; see {self.log_path}")

    async def stop(self) -> None:
        """Stop the child and its whole process group."""
        process = self.process
        if process is None:
            return
        for sign in (signal.SIGTERM, signal.SIGKILL):
            if process.returncode is None:
                _signal_group(process.pid, sign)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), STOP_S)
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
            code = await child.process.wait()
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
            child.restarts += 1
            if child.restarts > child.max_restarts:
                raise ChildFailed(
                    f"{child.name} died {child.restarts} times, giving up; see {child.log_path}"
                )
            await asyncio.sleep(min(0.2 * 2 ** (child.restarts - 1), MAX_BACKOFF_S))
            try:
                await child.start()
                if child.on_restart is not None:
                    await child.on_restart()
                return
            except ChildFailed as error:
                log.warning("%s", error)
                await child.stop()


def _signal_group(pid: int, sign: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, sign)
