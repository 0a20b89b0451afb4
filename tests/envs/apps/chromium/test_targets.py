"""What Chromium says over HTTP of its tabs; the rest is not listed."""

from __future__ import annotations

import asyncio

from aiohttp import web

from envs.apps.chromium.targets import fetch_command_url, fetch_tabs
from envs.io.json_client import JsonClient
from tests.http_server import serving

TABS = [{"type": "page", "id": "A", "title": "a", "url": "http://a/"}]
TARGETS = [*TABS, {"type": "service_worker", "id": "B", "title": "b", "url": "http://a/sw.js"}]


def chromium(stopped: asyncio.Event) -> web.Application:
    async def version(request: web.Request) -> web.Response:
        return web.json_response({"webSocketDebuggerUrl": "ws://127.0.0.1:1/devtools/browser/x"})

    async def targets(request: web.Request) -> web.Response:
        return web.json_response(TARGETS)

    app = web.Application()
    app.router.add_get("/json/version", version)
    app.router.add_get("/json/list", targets)
    return app


async def test_tabs_and_the_address_of_commands() -> None:
    with serving(chromium) as url:
        async with JsonClient(url, timeout_s=5) as client:
            assert await fetch_tabs(client) == TABS
            assert await fetch_command_url(client) == "ws://127.0.0.1:1/devtools/browser/x"
