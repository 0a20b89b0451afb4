"""The JSON client against real servers: answers, limits, broken connections."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from aiohttp import web

from benchmarks.cluster.machine import Machine, Site
from envs.io import json_client
from envs.io.json_client import AnswerTooLarge, JsonClient, NoAnswer, Unreachable
from envs.providers.local import free_port
from tests.machines import make_part, needs_root, with_machines
from tests.names import resolve_names


class Server:
    """Counts calls; breaks the first `to_break` connections."""

    def __init__(self) -> None:
        self.calls = 0
        self.to_break = 0
        self.url = ""

    async def echo(self, request: web.Request) -> web.Response:
        self.calls += 1
        if self.calls <= self.to_break and request.transport is not None:
            request.transport.close()
        return web.Response(body=await request.read(), status=int(request.query.get("status", 200)))

    async def hang(self, request: web.Request) -> web.Response:
        await asyncio.sleep(5)
        return web.Response()

    async def redirect(self, request: web.Request) -> web.Response:
        raise web.HTTPFound("/echo")


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    server = Server()
    app = web.Application()
    app.router.add_post("/echo", server.echo)
    app.router.add_post("/hang", server.hang)
    app.router.add_post("/redirect", server.redirect)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield server
    await runner.cleanup()


@pytest_asyncio.fixture
async def client(server: Server) -> AsyncIterator[JsonClient]:
    client = JsonClient(server.url + "/", timeout_s=2, max_bytes=100)
    yield client
    await client.close()


async def test_an_answer_is_returned_whatever_its_status(client: JsonClient) -> None:
    reply = await client.call("POST", "/echo?status=418", b'{"a": 1}')
    assert (reply.status, reply.json(), reply.excerpt) == (418, {"a": 1}, '{"a": 1}')


async def test_a_redirect_is_not_followed(client: JsonClient, server: Server) -> None:
    assert (await client.call("POST", "/redirect")).status == 302
    assert server.calls == 0


async def test_no_answer_in_time_is_not_tried_again(client: JsonClient) -> None:
    with pytest.raises(NoAnswer, match=r"within 0\.05 s"):
        await client.call("POST", "/hang", timeout_s=0.05, tries=5)


async def test_an_answer_over_the_bound_is_refused(client: JsonClient) -> None:
    with pytest.raises(AnswerTooLarge, match="over 100 bytes"):
        await client.call("POST", "/echo", b"x" * 101)


async def test_a_broken_connection_is_tried_again_only_where_allowed(
    client: JsonClient, server: Server
) -> None:
    server.to_break = 1
    with pytest.raises(Unreachable):
        await client.call("POST", "/echo", b"1")
    server.calls = 0
    assert (await client.call("POST", "/echo", b"1", tries=2, pause_s=0.01)).json() == 1
    assert server.calls == 2


async def test_tries_are_bounded(client: JsonClient, server: Server) -> None:
    server.to_break = 99
    with pytest.raises(Unreachable):
        await client.call("POST", "/echo", b"1", tries=3, pause_s=0.01)
    assert server.calls == 3


async def test_a_closed_client_connects_anew(client: JsonClient) -> None:
    await client.call("POST", "/echo", b"1")
    await client.close()
    assert (await client.call("POST", "/echo", b"2")).json() == 2


async def test_a_server_that_moved_is_found_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"server.test": ["127.0.0.2"]}
    resolve_names(monkeypatch, names)
    port = free_port()
    client = JsonClient(f"http://server.test:{port}", timeout_s=10)
    try:
        for address in ("127.0.0.2", "127.0.0.3"):
            names["server.test"] = [address]
            runner = web.AppRunner(web.Application())
            await runner.setup()
            await web.TCPSite(runner, address, port).start()
            try:
                assert (await client.call("GET", "/", tries=3, pause_s=0.01)).status == 404
            finally:
                await runner.cleanup()
    finally:
        await client.close()


HANG = """
import http.server, time
class Hang(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        print("asked", flush=True)
        time.sleep(60)
http.server.ThreadingHTTPServer(("0.0.0.0", 8000), Hang).serve_forever()
"""


@pytest.mark.services
@needs_root
def test_a_machine_that_goes_away_without_a_word_is_noticed_before_the_call_s_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(json_client, "CONNECT_S", 0.5)
    fast = {"TCP_KEEPIDLE": 1, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 1, "TCP_USER_TIMEOUT": 1500}
    monkeypatch.setattr(json_client, "LINK", fast)

    async def call(url: str, server: Machine, log: Path) -> float:
        async with JsonClient(url, timeout_s=50) as client:
            while "asked" not in log.read_text():
                slow = asyncio.create_task(client.call("GET", "/"))
                await asyncio.wait([slow], timeout=0.5)
            since = time.monotonic()
            server.pull_cable()
            with pytest.raises(Unreachable):
                await slow
            with pytest.raises(Unreachable, match="no connection within"):
                await client.call("GET", "/")
            return time.monotonic() - since

    def body(site: Site, machines: dict[str, Machine]) -> float:
        server = machines["server"]
        url = f"http://{server.address}:8000"
        return asyncio.run(call(url, server, site.log_of("server")))

    assert with_machines([make_part("server", ["python", "-c", HANG])], body) < 20
