"""What a request passes before any route: first the key, then a bound on its body.

Guarantees: nothing of a body is read before the key was checked; a body above the bound is refused
with 413 and never held in memory; every path wants the operator's key or a named one
(`key_ring.py`), also one that no route has, but /v1/health, /v1/ready, and the views of sessions,
which check tokens of their own; a named key does what its scope says (403), as often as its limit
says (429); what changes something is in the log, what was refused, and who tried to sign in.
A browser may give the key as the password of HTTP Basic, for the documentation pages only: it would
send it by itself, so no other route takes it. The console's pages take the operator's key or the
cookie of `sign_in.py`, which no other site's page can send; their forms come from the console
itself or are refused.
"""

from __future__ import annotations

import base64
import binascii
import re
import time
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent_server.api.errors import problem
from agent_server.api.key_ring import OPERATOR, READING, REFRESH_S, KeyRing, may
from agent_server.api.sign_in import COOKIE, is_key, is_valid
from agent_server.settings import Settings
from agent_server.store.keys import REFUSED
from envs.contract.files import MAX_FILE_BYTES

CONSOLE, SIGN_IN = "/console", "/console/sign-in"
OPEN_PATHS = frozenset({"/", "/v1/health", "/v1/ready", SIGN_IN})
STEPS = ("/v1/sessions/", "/mcp")
"""Below these are the single steps of a session, which the log leaves out."""
OPEN_FILES = "/console/static/"
VIEW = re.compile(r"/v1/sessions/[^/]+/view(/pictures)?")
"""What people watch a session at; its routes want the token in the address."""
PAGES = frozenset({"/docs", "/openapi.json"})
DOCS_FILES = "/docs/files"
"""Where scripts and styles of the documentation page are."""


class Gate:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._api_key = settings.api_key
        self._max_mb = settings.max_body_mb

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401, 403, 413 or 429, or pass the request on with its body read."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        path = scope["path"]
        ring: KeyRing = scope["app"].state.deskhand.keys
        if _is_console(path) and scope["method"] == "POST" and not _is_own_form(headers):
            detail = "forms of the console are sent from its own pages only"
            send = _noting(ring, "", scope, send)
            await problem(HTTPStatus.FORBIDDEN, detail)(scope, receive, send)
            return
        if _is_open(path):
            await self._pass(headers, scope, receive, _noting(ring, "", scope, send))
            return
        sent_key = _sent_key(headers, path)
        is_operator = is_key(sent_key, self._api_key) or self._knows(headers, path)
        key = None if is_operator else await ring.find(sent_key)
        name = OPERATOR if is_operator else key.name if key is not None else ""
        scope.setdefault("state", {})["key_name"] = name
        send = _noting(ring, name, scope, send)
        if key is not None and not may(key.scope, scope["method"]):
            detail = f"the key {key.name} may only read"
            await problem(HTTPStatus.FORBIDDEN, detail)(scope, receive, send)
        elif key is not None and _is_console(path):
            detail = "the console makes keys and swaps policies: it takes the operator's key only"
            await problem(HTTPStatus.FORBIDDEN, detail)(scope, receive, send)
        elif key is not None and (wait_s := ring.wait_s(key)) is not None:
            detail = f"the key {key.name} may send {key.per_minute} requests a minute"
            reply = problem(HTTPStatus.TOO_MANY_REQUESTS, detail, {"Retry-After": str(wait_s)})
            await reply(scope, receive, send)
        elif not is_operator and key is None:
            await _make_refusal(path, scope["method"], sent_key)(scope, receive, send)
        else:
            if key is not None:
                send = ending_with_key(ring, sent_key, send)
            await self._pass(headers, scope, receive, send)

    async def _pass(self, headers: Headers, scope: Scope, receive: Receive, send: Send) -> None:
        if "content-length" in headers or "transfer-encoding" in headers:
            await self._pass_body(headers, scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _knows(self, headers: Headers, path: str) -> bool:
        """Whether the browser is signed in, for pages that people look at."""
        if not (_is_console(path) or _is_page(path)):
            return False
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return cookie is not None and is_valid(cookie.value, self._api_key, time.time())

    async def _pass_body(
        self, headers: Headers, scope: Scope, receive: Receive, send: Send
    ) -> None:
        limit = self._max_mb * 2**20
        if scope["method"] == "POST" and scope["path"].endswith("/files"):
            limit = max(limit, MAX_FILE_BYTES)
        length = headers.get("content-length", "")
        fits = not length.isdecimal() or int(length) <= limit
        body = bytearray()
        is_whole = False
        while fits and not is_whole and len(body) <= limit:
            message = await receive()
            if message["type"] != "http.request":
                return  # the client is gone, or was answered 408 by the server
            body += message.get("body", b"")
            is_whole = not message.get("more_body", False)
        if not is_whole or len(body) > limit:
            detail = f"the body is larger than {limit >> 20} MB (DESKHAND_MAX_BODY_MB)"
            await problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)(scope, receive, send)
            return
        await self._app(scope, _replay(bytes(body), receive), send)


def _make_refusal(path: str, method: str, sent_key: str) -> Response:
    """The answer to a request without a key that holds: for people, the way to sign in."""
    if _is_console(path) and method in ("GET", "HEAD"):
        return RedirectResponse(f"{SIGN_IN}?then={quote(path)}", HTTPStatus.SEE_OTHER)
    basic = {"www-authenticate": 'Basic realm="Deskhand"'} if _is_page(path) else None
    detail = "send the API key as `Authorization: Bearer KEY` or X-API-Key"
    if sent_key:
        detail = f"what was sent is no key of this server, or no longer one; {detail}"
    return problem(HTTPStatus.UNAUTHORIZED, detail, basic)


def _sent_key(headers: Headers, path: str) -> str:
    """Bearer or X-API-Key; on the documentation pages Basic, too."""
    authorization = headers.get("authorization", "")
    if _is_page(path) and authorization.startswith("Basic "):
        return _basic_password(authorization.removeprefix("Basic "))
    return headers.get("x-api-key") or authorization.removeprefix("Bearer ")


def _noting(ring: KeyRing, name: str, scope: Scope, send: Send) -> Send:
    """`send` that logs the status of what changes something, and of what the gate refuses."""

    async def send_and_note(message: Message) -> None:
        if message["type"] == "http.response.start":
            status, method = message["status"], scope["method"]
            is_change = method not in READING and not scope["path"].startswith(STEPS)
            if is_change or status in REFUSED:
                client = (scope.get("client") or ("",))[0]
                ring.note(name, client, method, scope["path"], status)
        await send(message)

    return send_and_note


def ending_with_key(ring: KeyRing, sent_key: str, send: Send) -> Send:
    """`send` for which an answer that goes on, as events do, ends once the key no longer holds."""
    looked_at, has_ended = ring.clock(), False

    async def send_while_it_holds(message: Message) -> None:
        nonlocal looked_at, has_ended
        if has_ended:
            return
        if message.get("more_body") and ring.clock() - looked_at > REFRESH_S:
            looked_at = ring.clock()
            if await ring.find(sent_key) is None:
                has_ended = True
                message = {"type": "http.response.body", "body": b"", "more_body": False}
        await send(message)

    return send_while_it_holds


def _replay(body: bytes, receive: Receive) -> Receive:
    """`receive` of a request whose body was read already: the body once, then what comes after."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return messages.pop() if messages else await receive()

    return receive_again


def _is_open(path: str) -> bool:
    return path in OPEN_PATHS or path.startswith(OPEN_FILES) or VIEW.fullmatch(path) is not None


def _is_console(path: str) -> bool:
    return path == CONSOLE or path.startswith(f"{CONSOLE}/")


def _is_own_form(headers: Headers) -> bool:
    """Whether a form comes from a page of this server. Browsers say so by themselves; what is no
    browser sends neither field, and needs the key."""
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != headers.get("host"):
        return False
    return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")


def _is_page(path: str) -> bool:
    return path in PAGES or path.startswith(f"{DOCS_FILES}/")


def _basic_password(credentials: str) -> str:
    """The password of HTTP Basic credentials; empty where they cannot be read."""
    try:
        decoded = base64.b64decode(credentials, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return ""
    return decoded.partition(":")[2]
