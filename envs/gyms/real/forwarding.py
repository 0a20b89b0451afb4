"""Requests of a session's pages, passed on to the application's server, and its answers.

Guarantees: the browser sees no cookie of the application and the application none of the browser:
they are kept with the session; pages load and send nothing beyond the gym server; a request is
bounded in bytes and seconds. A form that comes twice in a row, as by a double click, reaches the
application once, and both get its reply.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from http.cookies import CookieError, SimpleCookie

import aiohttp
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Message
from yarl import URL

from envs.gyms.real.application import CLOCK_HEADER, DATA_HEADER, Cookies
from envs.gyms.server.gym import ApplicationFailed

MAX_BODY = 4 << 20
MAX_REPLY = 16 << 20
ANSWER_S = 20.0
QUIET_S = 10.0
"""How long a verdict waits for the requests that are under way."""
SECONDS_A_FORM = 60
"""The session's clock moves so far with each form that is sent."""
_REQUEST_HEADERS = (
    *("accept", "accept-language", "content-type", "user-agent", "x-requested-with", "host"),
    *("referer", "origin", "x-csrf-token"),
)
_REPLY_HEADERS = ("content-type", "location", "cache-control")
POLICY = (
    "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; frame-ancestors 'self'; "
    "form-action 'self'; base-uri 'self'"
)
"""Applications are full of inline scripts. They reach no other server, and no form leaves."""


@dataclass(slots=True)
class ApplicationSession:
    """A session's side of the application: its data, its cookies, its clock."""

    data: str
    clock: int
    cookies: Cookies
    under_way: int = 0
    idle: asyncio.Event = field(default_factory=asyncio.Event)
    last_form: tuple[str, bytes] | None = None
    """The form that came last, until another page is asked for."""
    last_reply: asyncio.Future[_Reply] | None = None

    async def wait_idle(self) -> None:
        """Until no request is under way. Raises ApplicationFailed after QUIET_S."""
        if self.under_way == 0:
            return
        self.idle.clear()
        try:
            await asyncio.wait_for(self.idle.wait(), QUIET_S)
        except TimeoutError:
            message = f"the application still works on a request after {QUIET_S:g} s"
            raise ApplicationFailed(message) from None


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes

    def to_response(self) -> Response:
        response = Response(self.body, self.status)
        for name, value in self.headers.items():
            response.headers[name] = value
        response.headers["Content-Security-Policy"] = POLICY
        if self.headers.get("content-type", "").startswith("text/html"):
            # The same address is another page in the next session, which may have an earlier clock.
            response.headers["Cache-Control"] = "no-store"
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response


async def forward(
    session: ApplicationSession, http: aiohttp.ClientSession, request: Request, body: bytes
) -> Response:
    """Passes a request of the session's page on. Raises ApplicationFailed."""
    target = get_target(request)
    if request.method == "POST":
        return (await _send_form(session, http, request, target, body)).to_response()
    if _asks_for_page(request):
        session.last_form = session.last_reply = None
    return (await _send(session, http, request, target, body)).to_response()


def get_target(request: Request) -> str:
    """Path and query, as they were sent."""
    # The server's own "path" is decoded: one with a blank would be no request.
    path: str = request.scope["raw_path"].decode("ascii")
    return path + (f"?{request.url.query}" if request.url.query else "")


async def _send_form(
    session: ApplicationSession,
    http: aiohttp.ClientSession,
    request: Request,
    target: str,
    body: bytes,
) -> _Reply:
    if session.last_form == (target, body) and session.last_reply is not None:
        # shield: the second click goes away with its page, the form of the first one stays.
        return await asyncio.shield(session.last_reply)
    session.clock += SECONDS_A_FORM
    session.last_form = (target, body)
    session.last_reply = asyncio.ensure_future(_send(session, http, request, target, body))
    return await asyncio.shield(session.last_reply)


async def _send(
    session: ApplicationSession,
    http: aiohttp.ClientSession,
    request: Request,
    target: str,
    body: bytes,
) -> _Reply:
    headers = {name: value for name in _REQUEST_HEADERS if (value := request.headers.get(name))}
    headers |= {DATA_HEADER: session.data, CLOCK_HEADER: str(session.clock)}
    if session.cookies:
        headers["Cookie"] = "; ".join(f"{name}={text}" for name, text in session.cookies.items())
    session.under_way += 1
    try:
        async with (
            asyncio.timeout(ANSWER_S),
            http.request(
                request.method,
                # The address is encoded already; encoding it again would make another one.
                URL(f"http://application{target}", encoded=True),
                data=body or None,
                headers=headers,
                allow_redirects=False,
            ) as reply,
        ):
            content = bytearray()
            # One read gives what has come so far, which need not be all.
            async for piece in reply.content.iter_any():
                content += piece
                if len(content) > MAX_REPLY:
                    raise ApplicationFailed(f"{target[:200]}: more than {MAX_REPLY} bytes")
            update_cookies(session.cookies, reply.headers.getall("Set-Cookie", ()))
            kept = {name: reply.headers[name] for name in _REPLY_HEADERS if name in reply.headers}
            return _Reply(reply.status, kept, bytes(content))
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        raise ApplicationFailed(f"{request.method} {target[:200]}: {error!r}") from error
    finally:
        session.under_way -= 1
        if session.under_way == 0:
            session.idle.set()


async def read_body(request: Request) -> bytes | None:
    """None for one that is too large, or whose page went away."""
    pieces, size = [], 0
    try:
        async for piece in request.stream():
            size += len(piece)
            if size > MAX_BODY:
                return None
            pieces.append(piece)
    except ClientDisconnect:
        return None
    return b"".join(pieces)


async def read_fields(request: Request, body: bytes) -> dict[str, str]:
    """The fields of a form, without its files."""

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    try:
        async with Request(request.scope, receive).form() as form:
            return {name: value for name, value in form.items() if isinstance(value, str)}
    except HTTPException:  # what is no form is the application's to refuse
        return {}


def _asks_for_page(request: Request) -> bool:
    return request.method == "GET" and "text/html" in request.headers.get("accept", "")


def update_cookies(cookies: Cookies, headers: Iterable[str]) -> None:
    """Takes over what an application sets, and drops what it ends: by Max-Age or a day long ago."""
    for header in headers:
        try:
            morsels = SimpleCookie(header)
        except CookieError:
            continue
        for name, morsel in morsels.items():
            if _is_over(morsel["max-age"], morsel["expires"]):
                cookies.pop(name, None)
            else:
                cookies[name] = morsel.coded_value


def _is_over(max_age: str, expires: str) -> bool:
    if max_age:
        return max_age.startswith("-") or max_age == "0"
    try:
        # An application's clock is its own: only what is long past is meant as an end.
        return bool(expires) and parsedate_to_datetime(expires).year < 2000
    except (TypeError, ValueError):
        return False
