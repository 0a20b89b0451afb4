"""The client of VLC's HTTP interface: login, commands, and a VLC that is not there."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web

from envs.apps.vlc_client import fetch_page
from envs.io.json_client import Unreachable
from envs.providers.local import free_port
from tests.http_server import serving

LOGIN = "Basic OnNlY3JldA=="
"""No user, and the password "secret"."""


def vlc(stopped: asyncio.Event) -> web.Application:
    async def status(request: web.Request) -> web.Response:
        if request.headers["Authorization"] != LOGIN:
            return web.Response(status=401)
        return web.json_response(dict(request.query))

    app = web.Application()
    app.router.add_get("/requests/status.json", status)
    return app


async def test_a_command_arrives_with_its_parameters_as_they_are() -> None:
    command = {"command": "in_play", "input": "file:///home/user/a%20b+c&d.mp4"}
    with serving(vlc) as url:
        reply = await fetch_page(
            "status.json", command, timeout_s=5, password="secret", base_url=url
        )
    assert (reply.status, reply.json()) == (200, command)


async def test_any_status_is_an_answer() -> None:
    with serving(vlc) as url:
        reply = await fetch_page("status.json", timeout_s=5, password="wrong", base_url=url)
        assert reply.status == 401
        assert (await fetch_page("other.json", timeout_s=5, base_url=url)).status == 404


async def test_a_vlc_that_does_not_run_is_unreachable() -> None:
    with pytest.raises(Unreachable):
        await fetch_page("status.json", timeout_s=5, base_url=f"http://127.0.0.1:{free_port()}")
