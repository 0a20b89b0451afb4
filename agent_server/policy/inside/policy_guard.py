"""ASGI middleware in front of vLLM: what may be asked of the policy server, and by whom.

vLLM loads it by `--middleware policy_guard.PolicyGuard` in its own interpreter, so this file
imports the standard library only.

Guarantees: a route or a query that is not listed is not there (404), whatever the engine offers; a
request that a web page sent is refused (403), and so is a body that is not JSON, has no length, or
is too long, before any of it is read; generation wants the key, control routes the control key,
which opens generation as well; a server without both keys does not start.
"""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable, MutableMapping
from hmac import compare_digest
from pathlib import Path
from typing import Any

KEY, CONTROL_KEY = "DESKHAND_POLICY_KEY", "DESKHAND_POLICY_CONTROL_KEY"
MAX_BODY = 16 * 1024 * 1024
MAX_CONTROL_BODY = 16 * 1024
GENERATION = frozenset(
    {
        ("GET", "/v1/models", b""),
        ("POST", "/v1/completions", b""),
        ("POST", "/v1/chat/completions", b""),
        ("POST", "/inference/v1/generate", b""),
    }
)
"""Method, path and query."""
RELOAD = ("POST", "/collective_rpc", b"")
CONTROL = frozenset(
    {
        ("POST", "/pause", b"mode=keep"),
        RELOAD,
        ("POST", "/update_weight_version", b""),
        ("POST", "/reset_prefix_cache", b""),
        ("POST", "/resume", b""),
        ("GET", "/is_paused", b""),
        ("GET", "/weight_info", b""),
    }
)
"""What a swap uses, and nothing else of the development routes."""
OPEN = frozenset({("GET", "/health", b"")})

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Refusal = tuple[int, str]
"""Status, and why."""


class PolicyGuard:
    """See the module. Raises RuntimeError where a key is missing: then vLLM does not start."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._key = _bearer(read_key(KEY))
        self._control_key = _bearer(read_key(CONTROL_KEY))
        if compare_digest(self._key, self._control_key):
            raise RuntimeError(f"{KEY} and {CONTROL_KEY} are the same")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers what is refused; passes the rest on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        route = (scope["method"], scope["path"], scope["query_string"])
        refusal = self._refusal(route, dict(scope["headers"]))
        if refusal is None and route == RELOAD:
            body = await _read_body(receive)
            receive = _replay(body, receive)
            refusal = reload_refusal(body)
        if refusal is None:
            await self.app(scope, receive, send)
        else:
            await _refuse(send, *refusal)

    def _refusal(
        self, route: tuple[str, str, bytes], headers: dict[bytes, bytes]
    ) -> Refusal | None:
        if route not in GENERATION | CONTROL | OPEN:
            return 404, "no such route"
        if b"origin" in headers or headers.get(b"sec-fetch-site", b"none") != b"none":
            return 403, "requests of web pages are refused"
        sent = headers.get(b"authorization", b"")
        is_controller = compare_digest(sent, self._control_key)
        if route in CONTROL and not is_controller:
            return 401, f"{CONTROL_KEY} is wanted as Bearer"
        if route in GENERATION and not (is_controller or compare_digest(sent, self._key)):
            return 401, f"{KEY} is wanted as Bearer"
        limit = MAX_CONTROL_BODY if route in CONTROL else MAX_BODY
        return _body_refusal(route[0], headers, limit)


def read_key(variable: str) -> str:
    """The key in a variable, or in the file that VARIABLE_FILE names. The variable is taken out of
    the environment, which other processes inherit. Raises RuntimeError where there is none."""
    file = os.environ.get(f"{variable}_FILE")
    value = os.environ.pop(variable, "").strip() or (Path(file).read_text().strip() if file else "")
    if not value:
        raise RuntimeError(f"set {variable} or {variable}_FILE: no policy is served without keys")
    return value


def reload_refusal(body: bytes) -> Refusal | None:
    """Of all that `/collective_rpc` can call, only the reload of a checkpoint is allowed."""
    try:
        call = json.loads(body)
    except ValueError:
        return 400, "not JSON"
    if (
        not isinstance(call, dict)
        or call.keys() != {"method", "kwargs"}
        or call["method"] != "reload_weights"
        or not isinstance(call["kwargs"], dict)
        or call["kwargs"].keys() != {"weights_path"}
        or not isinstance(call["kwargs"]["weights_path"], str)
        or not call["kwargs"]["weights_path"].startswith("/")
    ):
        return 403, "only reload_weights of an absolute weights_path is allowed"
    return None


def _bearer(key: str) -> bytes:
    return b"Bearer " + key.encode()


def _body_refusal(method: str, headers: dict[bytes, bytes], limit: int) -> Refusal | None:
    if method != "POST":
        return None
    if headers.get(b"content-type", b"").split(b";")[0].strip().lower() != b"application/json":
        return 415, "application/json is wanted"
    length = headers.get(b"content-length", b"")
    if b"transfer-encoding" in headers or not length.isdigit():
        return 411, "a Content-Length is wanted"
    if int(length) > limit:
        return 413, f"more than {limit} bytes"
    return None


async def _read_body(receive: Receive) -> bytes:
    """The whole body: it is bounded by its Content-Length, which the server enforces."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return bytes(body)
        body += message.get("body", b"")
        if not message.get("more_body", False):
            return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Gives a body that was read once more, then what comes after it."""
    bodies = [body]

    async def receive_again() -> Message:
        if bodies:
            return {"type": "http.request", "body": bodies.pop(), "more_body": False}
        return await receive()

    return receive_again


async def _refuse(send: Send, status: int, reason: str) -> None:
    content = json.dumps({"error": reason}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(content)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})
