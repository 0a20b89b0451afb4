"""What a request passes before any route: first the key, then a bound on its body.

Guarantees: nothing of a body is read before the key was checked; a body above the bound is refused
with 413 and never held in memory; every path but /v1/health and /v1/ready wants the key, also one
that no route has. A browser may give the key as the password of HTTP Basic, for the documentation
pages only: it would send it by itself, so no other route takes it.
"""

from __future__ import annotations

import base64
import binascii
import hmac
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent_server.api.errors import problem
from agent_server.settings import Settings

OPEN_PATHS = frozenset({"/v1/health", "/v1/ready"})
PAGES = frozenset({"/", "/docs", "/openapi.json"})
DOCS_FILES = "/docs/files"
"""Where scripts and styles of the documentation page are."""


class Gate:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._api_key = settings.api_key
        self._max_mb = settings.max_body_mb

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401 or 413, or pass the request on with its body read."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        path = scope["path"]
        if path not in OPEN_PATHS and not self._has_key(headers, path):
            basic = {"www-authenticate": 'Basic realm="Deskhand"'} if _is_page(path) else None
            detail = "send the API key as `Authorization: Bearer KEY` or X-API-Key"
            await problem(HTTPStatus.UNAUTHORIZED, detail, basic)(scope, receive, send)
        elif "content-length" in headers or "transfer-encoding" in headers:
            await self._pass_body(headers, scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _has_key(self, headers: Headers, path: str) -> bool:
        """Bearer or X-API-Key, compared in constant time; Basic on the documentation pages."""
        authorization = headers.get("authorization", "")
        sent_key = headers.get("x-api-key") or authorization.removeprefix("Bearer ")
        if _is_page(path) and authorization.startswith("Basic "):
            sent_key = _basic_password(authorization.removeprefix("Basic "))
        return bool(self._api_key) and hmac.compare_digest(
            sent_key.encode(), self._api_key.encode()
        )

    async def _pass_body(
        self, headers: Headers, scope: Scope, receive: Receive, send: Send
    ) -> None:
        limit = self._max_mb * 2**20
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
            detail = f"the body is larger than {self._max_mb} MB (DESKHAND_MAX_BODY_MB)"
            await problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail)(scope, receive, send)
            return
        await self._app(scope, _replay(bytes(body), receive), send)


def _replay(body: bytes, receive: Receive) -> Receive:
    """`receive` of a request whose body was read already: the body once, then what comes after."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return messages.pop() if messages else await receive()

    return receive_again


def _is_page(path: str) -> bool:
    return path in PAGES or path.startswith(f"{DOCS_FILES}/")


def _basic_password(credentials: str) -> str:
    """The password of HTTP Basic credentials; empty where they cannot be read."""
    try:
        decoded = base64.b64decode(credentials, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return ""
    return decoded.partition(":")[2]
