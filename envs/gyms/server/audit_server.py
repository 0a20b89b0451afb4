"""The gym server of an audit: it runs in a thread of the audit's process, which can look into its
sessions, and sends the forms of some sessions twice, as a double click on their button does."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
from collections.abc import AsyncIterator

import uvicorn
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from envs.gyms.server.app import COOKIE, create_app
from envs.gyms.server.sessions import SessionStore
from envs.providers.local import GymsAt, free_port

SERVER_S = 10.0


class DoubledForms:
    """A server around the gyms' server. Each form of a session in `keys` reaches it twice, one
    after the other; the page that follows is the answer to the second one, as in a browser."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.keys: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or not self._is_doubled(scope):
            await self._app(scope, receive, send)
            return
        body = await Request(scope, receive).body()
        for answer in (_forget, send):
            await self._app(dict(scope), _send_again(body), answer)

    def _is_doubled(self, scope: Scope) -> bool:
        return Request(scope).cookies.get(COOKIE, "") in self.keys


async def _forget(message: Message) -> None:
    """The answer to a form that the browser does not wait for."""


def _send_again(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


@contextlib.asynccontextmanager
async def serve_gyms(store: SessionStore) -> AsyncIterator[tuple[GymsAt, DoubledForms]]:
    """A gym server in a thread of this process, whose sessions can be looked into."""
    gyms = GymsAt(f"http://127.0.0.1:{free_port()}", secrets.token_urlsafe(24))
    doubled = DoubledForms(create_app(gyms.token, store))
    server = uvicorn.Server(
        uvicorn.Config(
            doubled,
            host="127.0.0.1",
            port=int(gyms.url.rsplit(":", 1)[1]),
            log_level="warning",
            access_log=False,
        )
    )
    thread = threading.Thread(target=server.run, name="gyms", daemon=True)
    thread.start()
    try:
        async with asyncio.timeout(SERVER_S):
            while not server.started:
                await asyncio.sleep(0.02)
        yield gyms, doubled
    finally:
        server.should_exit = True
        await asyncio.to_thread(thread.join, SERVER_S)
