"""What is sent to an application's filling page, and what becomes of its answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from envs.gyms.kit.company import get_company
from envs.gyms.real.application import CLOCK_HEADER, DATA_HEADER, WorldCopy
from envs.gyms.real.filling import post_world
from envs.gyms.server.gym import ApplicationFailed

COPY = WorldCopy(name="w1", folder=Path("/nowhere"), clock=1_750_000_000)


@pytest.fixture
async def http(tmp_path: Path) -> AsyncIterator[aiohttp.ClientSession]:
    async def fill(request: web.Request) -> web.Response:
        sent = [request.headers[name] for name in (DATA_HEADER, CLOCK_HEADER)]
        if sent != ["w1", "1750000000"] or await request.json() != {"pages": 3}:
            return web.Response(status=500, text="not what was sent")
        return web.json_response({"session": "abc"})

    async def fail(request: web.Request) -> web.Response:
        return web.Response(status=500, text="no such table" + "." * 1000)

    app = web.Application()
    app.add_routes([web.post("/full/deskhand-fill", fill), web.post("/bad/deskhand-fill", fail)])
    runner = web.AppRunner(app)
    await runner.setup()
    await web.UnixSite(runner, tmp_path / "app.sock").start()
    connector = aiohttp.UnixConnector(str(tmp_path / "app.sock"))
    async with aiohttp.ClientSession(connector=connector) as session:
        yield session
    await runner.cleanup()


async def test_a_copy_is_filled_at_its_own_clock(http: aiohttp.ClientSession) -> None:
    cookies = await post_world(http, "full", COPY, get_company(5), {"pages": 3})
    assert cookies == {"session": "abc"}


async def test_an_application_that_fails_is_quoted_in_short(http: aiohttp.ClientSession) -> None:
    with pytest.raises(ApplicationFailed, match="world 5 cannot be made: no such table") as caught:
        await post_world(http, "bad", COPY, get_company(5), {})
    assert len(str(caught.value)) < 400
