"""Hosts as child processes of this one, on free loopback ports.

Guarantees: the gym server and the host are separate processes; both die with this process, and are
stopped when the context ends, also after an exception.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from envs.browser.page_size import PAGE_SIZE
from envs.client import HostClient
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.screen_size import Size
from envs.host.guard import DIGEST, digest_of
from envs.io.child_process import die_with_parent, inherited_environment, stop_group
from envs.io.probe import is_healthy

PROBE_PAUSE_S = 0.05
GYMS_START_S, HOST_START_S = 20.0, 40.0


@dataclass(frozen=True, slots=True)
class GymsAt:
    """A gym server that runs already, and its admin token."""

    url: str
    token: str


def free_port() -> int:
    """A loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def wait_healthy(
    url: str, process: asyncio.subprocess.Process | None, timeout_s: float
) -> None:
    """Until `url` answers 200. Raises EpisodeFault(HOST_START)."""
    deadline = asyncio.get_running_loop().time() + timeout_s
    while asyncio.get_running_loop().time() < deadline:
        if process is not None and process.returncode is not None:
            raise EpisodeFault(
                InvalidReason.HOST_START, f"{url}: process ended with {process.returncode}"
            )
        if await is_healthy(url):
            return
        await asyncio.sleep(PROBE_PAUSE_S)
    raise EpisodeFault(InvalidReason.HOST_START, f"{url} did not answer within {timeout_s:g} s")


@contextlib.asynccontextmanager
async def local_gyms(log_dir: Path | None = None) -> AsyncIterator[GymsAt]:
    """Starts a gym server."""
    gyms = GymsAt(f"http://127.0.0.1:{free_port()}", secrets.token_urlsafe(24))
    command = ["envs.gyms.server", "--port", gyms.url.rsplit(":", 1)[1]]
    async with _child(command, {"DESKHAND_GYM_ADMIN_TOKEN": gyms.token}, log_dir) as server:
        await wait_healthy(f"{gyms.url}/healthz", server, GYMS_START_S)
        yield gyms


@contextlib.asynccontextmanager
async def local_host(
    capacity: int = 64,
    log_dir: Path | None = None,
    with_gyms: bool = True,
    gyms: GymsAt | None = None,
    sites: Sequence[str] = (),
    page: Size = PAGE_SIZE,
) -> AsyncIterator[HostClient]:
    """Starts a gym server (or uses the one that `gyms` names) and an env host; yields a client of
    the host. Its pages, of size `page`, reach the gyms; those of tasks with a start_url reach
    `sites`."""
    token = secrets.token_urlsafe(24)
    environment = {DIGEST: digest_of(token)}
    host_url = f"http://127.0.0.1:{free_port()}"
    command = ["envs.host", "--port", host_url.rsplit(":", 1)[1], "--capacity", str(capacity)]
    command += ["--page", f"{page[0]}x{page[1]}"]
    command += [word for site in sites for word in ("--site", site)]
    async with contextlib.AsyncExitStack() as stack:
        if gyms is None and with_gyms:
            gyms = await stack.enter_async_context(local_gyms(log_dir))
        if gyms is not None:
            command += ["--gym-url", gyms.url]
            environment["DESKHAND_GYM_ADMIN_TOKEN"] = gyms.token
        host = await stack.enter_async_context(_child(command, environment, log_dir))
        await wait_healthy(f"{host_url}/v1/health", host, HOST_START_S)
        yield await stack.enter_async_context(HostClient(host_url, token))


@contextlib.asynccontextmanager
async def _child(
    module: list[str], environment: dict[str, str], log_dir: Path | None
) -> AsyncIterator[asyncio.subprocess.Process]:
    with contextlib.ExitStack() as files:
        output: int | None = None
        if log_dir is not None:
            log_dir.mkdir(parents=True, exist_ok=True)
            output = files.enter_context((log_dir / f"{module[0]}.log").open("ab")).fileno()
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            *module,
            env=inherited_environment() | environment,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=die_with_parent,
        )
        try:
            yield process
        finally:
            await stop_group(process)
