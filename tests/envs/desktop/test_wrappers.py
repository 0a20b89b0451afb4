"""The debugging port of the desktop's Chromium is for programs of the box, not for its pages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from envs.browser.page import Page
from envs.desktop import wrappers
from envs.io.cdp import CdpConnection
from envs.io.child_process import die_with_parent, stop_group
from tests.http_server import serving

pytestmark = pytest.mark.browser

START_S = 60.0
SOCKET = """new Promise((done) => {
  const socket = new WebSocket(URL_HERE);
  socket.onopen = () => done('open');
  socket.onerror = () => done('refused');
})"""
READ = """fetch(URL_HERE).then((reply) => reply.text(), () => 'refused')"""
PUT = """fetch(URL_HERE, {method: 'PUT', mode: MODE_HERE}).then(() => 'sent', () => 'refused')"""


def site(stopped: asyncio.Event) -> web.Application:
    async def page(request: web.Request) -> web.Response:
        return web.Response(text="<!doctype html><title>Page</title>", content_type="text/html")

    app = web.Application()
    app.router.add_get("/", page)
    return app


@asynccontextmanager
async def chromium(profile: Path, *more: str) -> AsyncIterator[str]:
    """The desktop's Chromium without a window, on a free port. Gives its debugging address."""
    command = wrappers._PROGRAMS["chromium"]
    line = command.replace(f"port={wrappers.CHROMIUM_PORT}", "port=0")
    assert line != command
    arguments: Sequence[str] = ("--headless=new", f"--user-data-dir={profile}", *more)
    process = await asyncio.create_subprocess_exec(
        "sh",
        "-c",
        line,
        "chromium",
        *arguments,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=die_with_parent,
    )
    try:
        async with asyncio.timeout(START_S):
            while not (profile / "DevToolsActivePort").exists():
                await asyncio.sleep(0.05)
            while not (text := (profile / "DevToolsActivePort").read_text()).count("\n"):
                await asyncio.sleep(0.05)
        yield f"127.0.0.1:{text.split()[0]}"
    finally:
        await stop_group(process)


async def read_json(http: aiohttp.ClientSession, url: str) -> Any:
    async with http.get(url) as reply:
        return await reply.json(content_type=None)


@asynccontextmanager
async def open_page(
    address: str, url: str
) -> AsyncIterator[tuple[Page, str, aiohttp.ClientSession]]:
    """A page of a site, the browser's own websocket URL, and a client that is no page."""
    async with aiohttp.ClientSession() as http:
        version = await read_json(http, f"http://{address}/json/version")
        connection = await CdpConnection.connect(version["webSocketDebuggerUrl"])
        created = await connection.call("Target.createBrowserContext", {})
        page = await Page.open(connection, created["browserContextId"], 800, 600)
        assert await page.navigate(url) is None
        yield page, version["webSocketDebuggerUrl"], http
        await connection.close()


@pytest.mark.parametrize(
    ("more", "outcome"), [((), "refused"), (("--remote-allow-origins=*",), "open")]
)
async def test_a_page_cannot_command_the_browser_even_when_it_knows_the_address(
    tmp_path: Path, more: tuple[str, ...], outcome: str
) -> None:
    """The second case shows that the attack works where Chromium lets it."""
    with serving(site) as url:
        async with chromium(tmp_path, *more) as address, open_page(address, url) as opened:
            page, socket, _ = opened
            assert await page.run(SOCKET.replace("URL_HERE", json.dumps(socket))) == outcome


async def test_a_page_reads_and_opens_nothing_through_the_port(tmp_path: Path) -> None:
    with serving(site) as url:
        async with chromium(tmp_path) as address, open_page(address, url) as (page, _, http):
            for path in ("/json/version", "/json/list", "/json/protocol"):
                target = json.dumps(f"http://{address}{path}")
                assert await page.run(READ.replace("URL_HERE", target)) == "refused", path
            before = await read_json(http, f"http://{address}/json/list")
            target = json.dumps(f"http://{address}/json/new?{url}/new")
            for mode in ("'cors'", "'no-cors'"):
                script = PUT.replace("URL_HERE", target).replace("MODE_HERE", mode)
                assert await page.run(script) == "refused", mode
            assert len(await read_json(http, f"http://{address}/json/list")) == len(before)
            async with http.put(f"http://{address}/json/new?{url}/new") as reply:
                assert reply.status == 200, "a program of the box may"


async def test_a_name_that_leads_to_the_port_is_not_its_host(tmp_path: Path) -> None:
    """So that a page of a rebound name is not of the port's own origin."""
    async with chromium(tmp_path) as address, aiohttp.ClientSession() as http:
        url = f"http://{address}/json/version"
        async with http.get(url, headers={"Host": "rebound.example"}) as reply:
            assert reply.status == 500
        async with http.get(url) as reply:
            assert reply.status == 200
