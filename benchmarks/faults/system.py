"""The system under test: a `Stack` on PostgreSQL and Redis, each connection through a gate.

    gates: api   client -> API          db      workers, API -> PostgreSQL
           host  workers -> env host    broker  workers, API -> Redis
           policy  workers -> scripted policy server

Guarantees: all of it are children of this process and are stopped when the context ends; steps and
evidence of episodes are on a disk of `DISK_MB`, which can be filled.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import psutil

from agent_server.queue.broker import Broker
from agent_server.settings import Settings
from agent_server.stack.local_stack import Stack, StackConfig, _Ports
from agent_server.stack.supervisor import Child, Supervisor
from benchmarks.faults.gate import Gate
from benchmarks.faults.services import MANY, STEPPED_CLOCK, Postgres, Redis
from benchmarks.faults.small_disk import SmallDisk, small_disk
from benchmarks.faults.weights import Versions
from envs.io.probe import is_healthy
from envs.providers.local import free_port

GATES = ("api", "db", "broker", "host", "policy")
DISK_MB = 192
MIN_FREE_MB = 16
BROWSER = ("chromium", "renderer")
"""Classes of processes that the env host starts, not a supervisor."""


@dataclass(frozen=True, slots=True)
class SystemConfig:
    """`folder`: for everything that it writes. `versions`: a real policy server serves the first
    one, and the oracle's script has no part."""

    folder: Path
    workers: int = 2
    concurrency: int = 5
    desktops: int = 0
    versions: Versions | None = None


class _GatedStack(Stack):
    """A stack whose settings name the gates instead of the parts; worker and API see the disk."""

    def __init__(self, config: StackConfig, gates: dict[str, Gate], disk: SmallDisk) -> None:
        super().__init__(config)
        self._gates, self._disk = gates, disk

    def _python(self, name: str, module: list[str], environment: dict[str, str]) -> Child:
        child = super()._python(name, module, environment)
        if module[0] in ("agent_server.worker", "agent_server.api"):
            child.command = [*self._disk.enter, *child.command]
        return child

    def _make_settings(self, ports: _Ports) -> Settings:
        self._gates["host"].target = ports.hosts[0]
        self._gates["api"].target = ports.api
        if ports.policy is not None:
            self._gates["policy"].target = ports.policy
        return (
            super()
            ._make_settings(ports)
            .model_copy(
                update={
                    "host_urls": (f"http://127.0.0.1:{self._gates['host'].port}",),
                    "host_tokens_differ": False,
                    "policy_urls": (f"http://127.0.0.1:{self._gates['policy'].port}",),
                }
            )
        )


@dataclass
class System:
    """The running system. `script`: file of the scripted policy's answers."""

    gates: dict[str, Gate]
    postgres: Postgres
    redis: Redis
    disk: SmallDisk
    stack: Stack
    services: Supervisor
    script: Path
    versions: Versions | None = None
    locks: dict[str, asyncio.Lock] = field(default_factory=dict)

    @property
    def api_url(self) -> str:
        """The API behind its gate."""
        return f"http://127.0.0.1:{self.gates['api'].port}"

    @property
    def records(self) -> Path:
        """Folder of the episodes' files, as this process sees it."""
        return self.disk.path / "episodes"

    @property
    def broker(self) -> Broker:
        """A sender of messages that goes through no gate."""
        direct = {"broker_url": self.redis.url()}
        return Broker(self.stack.settings.model_copy(update=direct))

    def lock(self, target: str) -> asyncio.Lock:
        """Held by the fault that has this target: one at a time."""
        return self.locks.setdefault(target, asyncio.Lock())

    def children(self, target: str) -> list[Child]:
        """Supervised processes of a class: "worker" is all workers."""
        everyone = [*self.services.children, *self.stack.supervisor.children]
        return [
            child
            for child in everyone
            if child.name == target or child.name.startswith(f"{target}-")
        ]

    def processes(self, target: str) -> list[psutil.Process]:
        """Running processes of a class, oldest first."""
        if target in BROWSER:
            return sorted(self._browser_processes(target), key=lambda process: process.pid)
        running = []
        for child in self.children(target):
            with contextlib.suppress(psutil.Error):
                if child.pid is not None:
                    running.append(psutil.Process(child.pid))
        return running

    def _browser_processes(self, target: str) -> Iterator[psutil.Process]:
        for host in self.processes("host"):
            for process in _descendants(host):
                with contextlib.suppress(psutil.Error):
                    line = " ".join(process.cmdline())
                    is_renderer = "--type=renderer" in line
                    is_main = "--remote-debugging-pipe" in line and "--type=" not in line
                    # The box's own processes carry the whole command line too.
                    is_browser = is_main and process.name() != "bwrap"
                    if is_renderer if target == "renderer" else is_browser:
                        yield process

    def forgive(self) -> None:
        """Give every child its budget of restarts back: minutes here stand for weeks."""
        for child in (*self.services.children, *self.stack.supervisor.children):
            child.max_restarts, child.budget_spent = MANY, 0.0

    def resume_all(self) -> None:
        """Continue whatever is stopped."""
        for process in _descendants(psutil.Process()):
            with contextlib.suppress(psutil.Error):
                if process.status() == psutil.STATUS_STOPPED:
                    process.send_signal(signal.SIGCONT)


@contextlib.asynccontextmanager
async def running_system(config: SystemConfig) -> AsyncIterator[System]:
    """Starts everything. Raises ServiceMissing, ChildFailed."""
    folder = config.folder.resolve()
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    async with contextlib.AsyncExitStack() as resources:
        gates = {name: await resources.enter_async_context(Gate(name)) for name in GATES}
        disk = await resources.enter_async_context(small_disk(folder / "disk", DISK_MB))
        services = await resources.enter_async_context(Supervisor())
        postgres = Postgres(folder / "postgres", free_port())
        redis = Redis(folder / "redis", free_port())
        await asyncio.to_thread(postgres.create)
        gates["db"].target, gates["broker"].target = postgres.port, redis.port
        children, script = [postgres.child(), redis.child()], folder / "script.json"
        if config.versions is None:
            gates["policy"].target = port = free_port()
            children.append(_script_server(folder, script, port))
        await asyncio.gather(*(services.add(child) for child in children))
        await postgres.execute(STEPPED_CLOCK)
        stack = _GatedStack(
            StackConfig(
                run_dir=folder / "run",
                policy_dir=None if config.versions is None else config.versions.good[0],
                policy_threads=1,
                workers=config.workers,
                concurrency=config.concurrency,
                desktops=config.desktops,
                extra={
                    "database_url": postgres.url(gates["db"].port),
                    "broker_url": redis.url(gates["broker"].port),
                    "artifacts_url": str(disk.place),
                    "min_free_mb": MIN_FREE_MB,
                },
            ),
            gates,
            disk,
        )
        await resources.enter_async_context(stack)
        if config.versions is not None and stack.swapper is not None:
            await stack.swapper.swap(config.versions.good[0])
        yield System(gates, postgres, redis, disk, stack, services, script, config.versions)


def _script_server(folder: Path, script: Path, port: int) -> Child:
    command = [sys.executable, "-m", "benchmarks.faults.script_server"]
    ready = partial(is_healthy, f"http://127.0.0.1:{port}/health")
    return Child(
        name="policy",
        command=[*command, "--port", str(port), "--script", str(script)],
        environment={},
        log_path=folder / "logs" / "policy.log",
        ready=ready,
        responds=ready,
        max_restarts=MANY,
    )


def _descendants(process: psutil.Process) -> list[psutil.Process]:
    try:
        return list(process.children(recursive=True))
    except psutil.Error:
        return []


def pid_is_alive(pid: int) -> bool:
    """Whether a process runs that is no zombie."""
    try:
        os.kill(pid, 0)
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except (ProcessLookupError, psutil.Error):
        return False
