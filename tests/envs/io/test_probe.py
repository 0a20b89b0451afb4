"""A probe tells a server that is well from one that is not, and from none."""

from __future__ import annotations

from aiohttp import web
from aiohttp.test_utils import TestServer

from envs.io.probe import get_status, is_answering, is_healthy
from envs.providers.local import free_port


async def test_a_server_is_healthy_if_it_answers_200() -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(status=int(request.match_info["status"]))

    app = web.Application()
    app.router.add_get("/{status}", answer)
    async with TestServer(app) as server:
        assert await is_healthy(str(server.make_url("/200")))
        for status in (302, 404, 503):
            url = str(server.make_url(f"/{status}"))
            assert await get_status(url) == status
            assert await is_answering(url)
            assert not await is_healthy(url)


async def test_nobody_listens_is_no_answer() -> None:
    url = f"http://127.0.0.1:{free_port()}"
    assert await get_status(url) is None
    assert not await is_answering(url)
    assert not await is_healthy(url)
