"""Env hosts with a toy environment, on any address of this machine's loopback."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import uvicorn

from agent_server.settings import Settings
from agent_server.worker.backends import HttpBackends
from envs.contract.session import LeasedSession
from envs.contract.task import Env
from envs.host.app import create_app
from envs.host.guard import Guard
from envs.providers.local import free_port
from tests.agent_server.toy_env import ToySession

TOKEN = "secret"


class ToyEnvironment:
    """Lends one desktop, or several browser sessions, and counts them."""

    allow_shell = False
    wants_assets = False
    well = True

    def __init__(self, env: Env) -> None:
        self.name: Env = env
        self.capacity = 1 if env == "desktop" else 8
        self.lent = 0

    async def start(self) -> None: ...

    async def open(self) -> LeasedSession:
        self.lent += 1
        return ToySession()

    async def close(self) -> None: ...


@contextlib.asynccontextmanager
async def toy_host(
    env: Env = "desktop", address: str = "127.0.0.1", port: int | None = None
) -> AsyncIterator[tuple[str, ToyEnvironment]]:
    """A real host of a toy environment: its URL, and the environment."""
    environment = ToyEnvironment(env)
    port = port or free_port()
    app = create_app(environment, Guard.of_token(TOKEN))
    server = uvicorn.Server(
        uvicorn.Config(app, host=address, port=port, log_level="warning", ws="none")
    )
    serving = asyncio.create_task(server.serve())
    try:
        async with asyncio.timeout(20):
            while not server.started:
                await asyncio.sleep(0.01)
        yield f"http://{address}:{port}", environment
    finally:
        server.should_exit = True
        server.force_exit = True
        await serving


@contextlib.asynccontextmanager
async def worker(
    *urls: str, env: Env = "desktop", token: str = TOKEN
) -> AsyncIterator[HttpBackends]:
    """The backends of a worker with these hosts."""
    desktops, browsers = (urls, ()) if env == "desktop" else ((), urls)
    backends = HttpBackends(Settings(host_token=token, desktop_urls=desktops, host_urls=browsers))
    await backends.open()
    try:
        yield backends
    finally:
        await backends.close()
