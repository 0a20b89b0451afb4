"""Which host a worker's episode gets."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
import uvicorn

from agent_server.settings import Settings
from agent_server.worker.backends import HttpBackends
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import LeasedSession
from envs.contract.task import Env
from envs.host.app import create_app
from envs.host.guard import Guard
from envs.providers.local import free_port
from tests.agent_server.toy_env import ToySession

TOKEN = "secret"


class OneDesktop:
    """An environment that lends one session at a time."""

    name: Env = "desktop"
    capacity = 1
    allow_shell = False
    well = True

    def __init__(self) -> None:
        self.lent = 0

    async def start(self) -> None: ...

    async def open(self) -> LeasedSession:
        self.lent += 1
        return ToySession()

    async def close(self) -> None: ...


@contextlib.asynccontextmanager
async def desktop_host() -> AsyncIterator[tuple[str, OneDesktop]]:
    environment, port = OneDesktop(), free_port()
    app = create_app(environment, Guard.of_token(TOKEN))
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning", ws="none")
    )
    serving = asyncio.create_task(server.serve())
    try:
        async with asyncio.timeout(20):
            while not server.started:
                await asyncio.sleep(0.01)
        yield f"http://127.0.0.1:{port}", environment
    finally:
        server.should_exit = True
        await serving


@contextlib.asynccontextmanager
async def worker(*urls: str) -> AsyncIterator[HttpBackends]:
    backends = HttpBackends(Settings(desktop_urls=urls, host_token=TOKEN))
    await backends.open()
    try:
        yield backends
    finally:
        await backends.close()


async def test_a_desktop_that_another_worker_uses_is_passed_over() -> None:
    async with (
        desktop_host() as (first, one),
        desktop_host() as (second, other),
        worker(first, second) as mine,
        worker(first, second) as theirs,
        theirs.session("desktop"),
        asyncio.timeout(5),
        mine.session("desktop"),
    ):
        assert (one.lent, other.lent) == (1, 1)


async def test_a_desktop_is_given_back_after_its_episode() -> None:
    async with desktop_host() as (url, desktop), worker(url) as mine, worker(url) as theirs:
        with pytest.raises(ZeroDivisionError):
            async with mine.session("desktop"):
                raise ZeroDivisionError
        async with asyncio.timeout(5), theirs.session("desktop"):
            assert desktop.lent == 2


async def test_a_desktop_that_cannot_be_reached_is_asked_last_the_next_time() -> None:
    gone = f"http://127.0.0.1:{free_port()}"
    async with desktop_host() as (url, desktop), worker(gone, url) as mine:
        with pytest.raises(EpisodeFault) as fault:
            async with mine.session("desktop"):
                pass
        assert fault.value.reason is InvalidReason.HOST_LOST
        async with mine.session("desktop"):
            assert desktop.lent == 1


async def test_without_a_host_the_variable_is_named() -> None:
    async with worker() as mine:
        for env, variable in (("browser", "DESKHAND_HOST"), ("desktop", "DESKHAND_DESKTOP")):
            with pytest.raises(EpisodeFault, match=f"{variable}_URLS"):
                async with mine.session(env):  # type: ignore[arg-type]
                    pass
