"""The whole system of one machine as child processes.

    async with Stack(StackConfig(run_dir=..., policy_dir=...)) as stack: ...

Guarantees: one stack a run folder (by a lock), which only its owner can enter; ports are loopback,
free at start and kept over restarts; tokens are new each time and reach the children that need them
through their environment; a restarted policy server serves the live version again before it counts
as running; everything started is stopped when the context ends, also after an exception.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import secrets
import shutil
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any

from agent_server.policy.engine import (
    SERVED_NAME,
    PolicyKeys,
    VllmEngine,
    socket_folder,
    warm_up,
)
from agent_server.policy.engine_options import ON_ONE_DEVICE, EngineOptions
from agent_server.policy.manifest import (
    model_folder,
    read_lora_rank,
    read_manifest,
    read_max_model_len,
)
from agent_server.policy.swap import SwapFailed, Swapper
from agent_server.settings import Settings
from agent_server.stack.child_environment import (
    api_environment,
    engine_environment,
    worker_environment,
)
from agent_server.stack.stack_file import NAME as STACK_FILE
from agent_server.stack.stack_file import StackFile, write_stack_file
from agent_server.stack.supervisor import Child, ChildFailed, Supervisor
from envs.browser.page_size import PAGE_SIZE
from envs.contract.outcomes import EpisodeFault
from envs.desktop.size import SIZE, Size, size_text
from envs.dialects.view import TREE, View
from envs.host.guard import DIGEST, TOKEN, digest_of
from envs.io.child_process import inherited_environment
from envs.io.probe import is_answering, is_healthy
from envs.providers.local import free_port
from envs.providers.machine import QEMU_START_S

BOX = "box"
"""Desktops that are bubblewrap boxes of this machine."""
POLICY_START_S = 900.0
"""A policy server starts with the version that the trainer has just published; on processors it
compiles first, and a busy machine takes many times as long as an idle one."""
MACHINE_STOP_S = 90.0
"""Killed while a busy engine removes its container, a desktop would leave it behind."""
DESKTOP_READY_S = 240.0
"""The first box of a machine makes the pristine home, which starts several programs once."""


class RunBusy(Exception):
    """Another process uses this run folder."""


class PortInUse(Exception):
    """Another process listens where the API should."""


@dataclass(frozen=True, slots=True)
class StackConfig:
    """The parts of a stack. `policy_dir`: folder of the version to serve first; None starts no
    policy server. `desktops`: boxes with a desktop of `screen` each; `allow_shell` lets agents run
    commands in them. `sites`: of this machine, that tasks without a gym may open.
    `desktop_provider`: BOX, or a kind of `envs.providers.machine` with its
    `desktop_image`, whose screen is its own. `lora_rank`: of
    adapters that will be swapped in. `view`: what our own policies are shown; `page`: size of the
    browser's pages."""

    run_dir: Path
    policy_dir: Path | None = None
    workers: int = 1
    concurrency: int = 16
    hosts: int = 1
    desktops: int = 0
    desktop_provider: str = BOX
    desktop_image: str = ""
    screen: Size = SIZE
    allow_shell: bool = False
    api: bool = True
    api_port: int | None = None
    sites: tuple[str, ...] = ()
    policy_threads: int = 2
    engine: EngineOptions = ON_ONE_DEVICE
    tree_chars: int = 1600
    tree_options: int = 6
    swap_tolerance: float = 0.05
    lora_rank: int = 0
    view: View = TREE
    page: Size = PAGE_SIZE
    extra: dict[str, Any] = field(default_factory=dict)


def desktop_concurrency(concurrency: int, desktops: int) -> int:
    """Episodes at once where all are on desktops: each runs one, and one more waits for it, so that
    no desktop is idle while a worker records a result. Waiting is no fault, however long it is."""
    return min(concurrency, 2 * desktops)


def desktop_start_s(provider: str) -> float:
    """How long a desktop may take to answer. The process of a virtual machine has a limit of its
    own, which comes first, because it knows what the console ended with."""
    return QEMU_START_S + MACHINE_STOP_S if provider == "qemu" else DESKTOP_READY_S


class _Ports:
    """Free ports of the children, chosen once and kept over restarts."""

    def __init__(self, config: StackConfig) -> None:
        self.gym = free_port()
        self.hosts = [free_port() for _ in range(config.hosts)]
        self.desktops = [free_port() for _ in range(config.desktops)]
        self.policy = None if config.policy_dir is None else free_port()
        self.api = config.api_port or free_port()


class Stack:
    """A `RunningStack` of child processes. Entering raises RunBusy, PortInUse, BadVersion or
    ChildFailed, each one sentence."""

    settings: Settings
    swapper: Swapper | None
    engine: VllmEngine | None
    api_url: str | None

    def __init__(self, config: StackConfig) -> None:
        self.config = config
        self.supervisor = Supervisor()
        self._stack = contextlib.AsyncExitStack()
        self._gym_token = secrets.token_urlsafe(24)
        self._policy_keys = PolicyKeys.from_env()
        self.swapper = None
        self.engine = None
        self.api_url = None

    @property
    def failure(self) -> asyncio.Future[None] | None:
        """Gets an exception once a child could not be kept running."""
        return self.supervisor.failure

    @property
    def restarts(self) -> dict[str, int]:
        """Number of restarts by child."""
        return {child.name: child.restarts for child in self.supervisor.children}

    def pid(self, name: str) -> int | None:
        """Current process id of a child."""
        return next((c.pid for c in self.supervisor.children if c.name == name), None)

    async def __aenter__(self) -> Stack:
        run_dir = self.config.run_dir
        _make_run_dir(run_dir, self.config.extra.get("min_free_mb", Settings().min_free_mb))
        self._stack.enter_context(run_lock(run_dir))
        try:
            await self._stack.enter_async_context(self.supervisor)
            await self._start()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def _start(self) -> None:
        config = self.config
        if config.policy_dir is not None:
            await asyncio.to_thread(read_manifest, config.policy_dir)
        if config.api and config.api_port is not None:
            _check_free(config.api_port)
        ports = _Ports(config)
        self.settings = self._make_settings(ports)
        starts = [self.supervisor.add(child) for child in self._environments(ports)]
        if config.policy_dir is not None and ports.policy is not None:
            starts.append(self._start_policy(config.policy_dir, ports.policy))
        await asyncio.gather(*starts)
        users = [self._worker(index) for index in range(config.workers)]
        if config.api:
            command = ["agent_server.api", "--port", str(ports.api)]
            api = self._python("api", command, api_environment(self.settings))
            self.api_url = _loopback_url(ports.api)
            api.ready = partial(is_healthy, f"{self.api_url}/v1/health")
            api.responds = partial(is_answering, f"{self.api_url}/v1/health")
            api.drain_s = self.settings.drain_s
            users.append(api)
        await asyncio.gather(*(self.supervisor.add(child) for child in users))
        self._stack.callback((config.run_dir / STACK_FILE).unlink, missing_ok=True)
        self._write_description()

    def _worker(self, index: int) -> Child:
        name = _numbered_name("worker", index)
        alive_file = self.config.run_dir.resolve() / f"{name}.alive"
        settings = self.settings.model_copy(update={"alive_file": alive_file})
        worker = self._python(name, ["agent_server.worker"], worker_environment(settings))
        worker.ready, worker.responds = _touches(alive_file), _touches(alive_file)
        worker.drain_s = self.settings.drain_s
        return worker

    def _make_settings(self, ports: _Ports) -> Settings:
        config = self.config
        extra = dict(config.extra)
        if config.policy_dir is not None:
            # The published model says how long a prompt may be: server and prompts follow it.
            extra["policy_max_model_len"] = read_max_model_len(config.policy_dir)
        return Settings(
            run_dir=config.run_dir.resolve(),
            host_urls=tuple(_loopback_url(port) for port in ports.hosts),
            desktop_urls=tuple(_loopback_url(port) for port in ports.desktops),
            host_token=secrets.token_urlsafe(24),
            host_tokens_differ=True,
            desktop_screen=size_text(config.screen if config.desktop_provider == BOX else SIZE),
            sessions_per_host=config.concurrency,
            policy_urls=() if ports.policy is None else (_loopback_url(ports.policy),),
            policy_key="" if ports.policy is None else self._policy_keys.generation,
            policy_model=SERVED_NAME,
            policy_tokenizer=config.policy_dir and config.policy_dir.resolve() / "tokenizer.json",
            api_key=secrets.token_urlsafe(24),
            concurrency=config.concurrency,
            tree_chars=config.tree_chars,
            tree_options=config.tree_options,
            policy_view=config.view,
            **extra,
        )

    def _environments(self, ports: _Ports) -> Iterator[Child]:
        """Gym server, browser hosts and desktops, each with the secrets that it needs."""
        gym_url, gym_token = _loopback_url(ports.gym), {"DESKHAND_GYM_ADMIN_TOKEN": self._gym_token}
        gym = self._python("gym", ["envs.gyms.server", "--port", str(ports.gym)], gym_token)
        gym.ready = partial(is_healthy, f"{gym_url}/healthz")
        gym.responds = partial(is_answering, f"{gym_url}/healthz")
        yield gym
        for index, port in enumerate(ports.hosts):
            command = ["envs.host", "--port", str(port), "--gym-url", gym_url]
            command += ["--capacity", str(2 * self.config.concurrency)]
            command += ["--page", size_text(self.config.page)]
            command += [word for site in self.config.sites for word in ("--site", site)]
            url = _loopback_url(port)
            digest = {DIGEST: digest_of(self.settings.token_of_host(url) or "")}
            host = self._python(_numbered_name("host", index), command, gym_token | digest)
            host.ready = partial(is_healthy, f"{url}/v1/health")
            host.responds = partial(is_answering, f"{url}/v1/health")
            yield host
        for index, port in enumerate(ports.desktops):
            command = self._desktop_command(port)
            url = _loopback_url(port)
            environment = {TOKEN: self.settings.token_of_host(url) or ""}
            if self.config.desktop_provider != BOX:
                environment |= inherited_environment(kinds=("DOCKER_", "DESKHAND_CACHE"))
            desktop = self._python(_numbered_name("desktop", index), command, environment)
            desktop.ready = partial(is_healthy, f"{url}/v1/health")
            desktop.responds = partial(is_answering, f"{url}/v1/health")
            desktop.ready_s = desktop_start_s(self.config.desktop_provider)
            desktop.stop_s = None if self.config.desktop_provider == BOX else MACHINE_STOP_S
            yield desktop

    def _desktop_command(self, port: int) -> list[str]:
        config = self.config
        if config.desktop_provider != BOX:
            command = ["envs.providers.machine", "--port", str(port)]
            command += ["--provider", config.desktop_provider]
            return [*command, "--image", config.desktop_image]
        command = ["envs.providers.sandbox", "--port", str(port)]
        command += ["--size", size_text(config.screen)]
        return [*command, "--allow-shell"] if config.allow_shell else command

    async def _start_policy(self, folder: Path, port: int) -> None:
        keys = self._policy_keys
        engine = VllmEngine(
            model_folder(folder.resolve()),
            port,
            keys,
            threads=self.config.policy_threads,
            max_model_len=self.settings.policy_max_model_len,
            sockets=self._stack.enter_context(socket_folder(self.config.run_dir.resolve())),
            lora_rank=max(self.config.lora_rank, read_lora_rank(folder)),
            pictures=self.config.view.most_pictures,
            options=self.config.engine,
        )
        self.engine = engine
        self.swapper = swapper = Swapper(engine.url, keys.control, self.config.swap_tolerance)

        async def restore_version() -> None:
            try:
                await warm_up(engine.url, keys.generation)
                await swapper.restore()
            except (EpisodeFault, SwapFailed) as error:
                raise ChildFailed(f"policy: {error}") from error

        await self.supervisor.add(
            Child(
                name="policy",
                command=engine.command(),
                environment=engine_environment(engine.environment()),
                log_path=self.config.run_dir / "logs" / "policy.log",
                ready=engine.healthy,
                responds=partial(is_answering, f"{engine.url}/health"),
                ready_s=POLICY_START_S,
                on_restart=restore_version,
            )
        )
        await warm_up(engine.url, keys.generation)

    def _python(self, name: str, module: list[str], environment: dict[str, str]) -> Child:
        async def always_ready() -> bool:
            return True

        return Child(
            name=name,
            command=[sys.executable, "-m", *module],
            environment={
                "DESKHAND_RUN_DIR": str(self.config.run_dir.resolve()),
                "OMP_NUM_THREADS": "1",
                **environment,
            },
            log_path=self.config.run_dir / "logs" / f"{name}.log",
            ready=always_ready,
        )

    def _write_description(self) -> None:
        write_stack_file(
            self.config.run_dir,
            StackFile(
                pid=os.getpid(),
                api_url=self.api_url,
                api_key=self.settings.api_key,
                policy_url=next(iter(self.settings.policy_urls), ""),
                policy_key=self.settings.policy_key,
                host_urls=self.settings.host_urls,
                desktop_urls=self.settings.desktop_urls,
                children={child.name: child.pid for child in self.supervisor.children},
            ),
        )


@contextlib.contextmanager
def run_lock(run_dir: Path) -> Any:
    """Exclusive use of a run folder. Raises RunBusy."""
    path = run_dir / "lock"
    file: IO[str] = path.open("a+")
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            holder = file.read().strip() or "another process"
            raise RunBusy(
                f"{run_dir} is in use by {holder}; wait for it, stop it, or name another run folder"
            ) from None
        file.truncate(0)
        file.write(f"process {os.getpid()}")
        file.flush()
        yield
    finally:
        file.close()


def _make_run_dir(run_dir: Path, min_free_mb: int) -> None:
    """Raises ChildFailed where there is no room: nothing that starts could say so in its log."""
    try:
        run_dir.mkdir(parents=True, exist_ok=True)
        run_dir.chmod(0o700)
    except OSError as error:
        raise ChildFailed(f"cannot make the run folder {run_dir}: {error.strerror}") from error
    free_mb = shutil.disk_usage(run_dir).free // 2**20
    if free_mb < min_free_mb:
        raise ChildFailed(
            f"{free_mb} MB are free on the disk of {run_dir}, and {min_free_mb} are needed: free "
            "space there, or name another run folder"
        )


def _check_free(port: int) -> None:
    """Raises PortInUse."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise PortInUse(
                f"port {port} is in use on 127.0.0.1 ({error.strerror}); stop what listens there, "
                "or choose another port"
            ) from error


def _touches(file: Path) -> Callable[[], Awaitable[bool]]:
    """Whether the file was touched since it was asked last, whatever the clock says."""
    seen = file.stat().st_mtime_ns if file.exists() else None

    async def touches() -> bool:
        nonlocal seen
        try:
            seen, before = file.stat().st_mtime_ns, seen
        except FileNotFoundError:
            return False
        return seen != before

    return touches


def _loopback_url(port: int) -> str:
    return f"http://127.0.0.1:{port}"


def _numbered_name(name: str, index: int) -> str:
    return name if index == 0 else f"{name}-{index}"
