"""Cookies, double clicks and clocks between a page and an application, on a real HTTP server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
from aiohttp import web
from starlette.requests import Request
from starlette.types import Message

from envs.gyms.real.application import CLOCK_HEADER, DATA_HEADER
from envs.gyms.real.forwarding import (
    MAX_BODY,
    SECONDS_A_FORM,
    ApplicationSession,
    forward,
    read_body,
    read_fields,
    update_cookies,
)

CLOCK = 1_700_000_000


def test_cookies_are_taken_over_and_dropped() -> None:
    cookies = {"old": "1", "gone": "2", "past": "3"}
    update_cookies(
        cookies,
        [
            "old=9; path=/; HttpOnly",
            "gone=deleted; Max-Age=0; path=/",
            "past=x; expires=Thu, 01 Jan 1970 00:00:01 GMT",
            "new=a%20b; expires=Sun, 23 May 2027 09:25:53 GMT",
        ],
    )
    assert cookies == {"old": "9", "new": "a%20b"}


class EchoApplication:
    """Counts forms, and says what reached it."""

    def __init__(self) -> None:
        self.forms = 0

    async def answer(self, request: web.Request) -> web.Response:
        if request.method == "POST":
            self.forms += 1
            await asyncio.sleep(0.05)
        names = (DATA_HEADER, CLOCK_HEADER, "Cookie", "If-Modified-Since")
        text = "|".join(request.headers.get(name, "") for name in names)
        reply = web.Response(text=text, content_type="text/html")
        reply.set_cookie("forms", str(self.forms))
        reply.headers["Last-Modified"] = "Sun, 23 May 2027 09:25:53 GMT"
        return reply


@asynccontextmanager
async def serve(application: EchoApplication, folder: Path) -> AsyncIterator[aiohttp.ClientSession]:
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", application.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    socket = str(folder / "app.sock")
    await web.UnixSite(runner, socket).start()
    connector = aiohttp.UnixConnector(socket)
    jar = aiohttp.DummyCookieJar()
    async with aiohttp.ClientSession(connector=connector, cookie_jar=jar) as http:
        yield http
    await runner.cleanup()


def make_request(method: str, path: str, body: bytes = b"") -> Request:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    headers = {
        "accept": "text/html",
        "cookie": "dh_session=secret",
        "content-type": "application/x-www-form-urlencoded",
        "if-modified-since": "Sun, 23 May 2027 09:25:53 GMT",
    }
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), text.encode()) for name, text in headers.items()],
        "server": ("127.0.0.1", 1),
        "scheme": "http",
    }
    return Request(scope, receive)


async def test_a_page_reaches_the_sessions_data_with_the_sessions_cookies(tmp_path: Path) -> None:
    session = ApplicationSession("s1", CLOCK, {"user": "7"})
    async with serve(EchoApplication(), tmp_path) as http:
        response = await forward(session, http, make_request("GET", "/wiki/A"), b"")
    assert bytes(response.body) == f"s1|{CLOCK}|user=7|".encode()
    assert session.cookies == {"user": "7", "forms": "0"}
    assert "set-cookie" not in response.headers
    assert response.headers["cache-control"] == "no-store"
    assert "form-action 'self'" in response.headers["content-security-policy"]


async def test_a_double_click_is_one_form_and_the_next_click_is_another(tmp_path: Path) -> None:
    application, session = EchoApplication(), ApplicationSession("s1", CLOCK, {})
    form = b"text=hello"
    async with serve(application, tmp_path) as http:

        async def send(method: str, body: bytes) -> bytes:
            return bytes(
                (await forward(session, http, make_request(method, "/save", body), body)).body
            )

        both = await asyncio.gather(send("POST", form), send("POST", form))
        assert both[0] == both[1]
        assert await send("POST", form) == both[0]
        assert application.forms == 1
        await send("GET", b"")
        await send("POST", form)
    assert application.forms == 2
    assert session.clock == CLOCK + 2 * SECONDS_A_FORM
    await session.wait_idle()


async def test_fields_of_a_form_are_read_and_a_large_one_is_not() -> None:
    request = make_request("POST", "/save", b"a=1&b=two+words")
    body = await read_body(request)
    assert body == b"a=1&b=two+words"
    assert await read_fields(request, body) == {"a": "1", "b": "two words"}
    assert await read_body(make_request("POST", "/save", b"x" * (MAX_BODY + 1))) is None
