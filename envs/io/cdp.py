"""A thin client of the Chrome DevTools Protocol with flat sessions, over a websocket or a pipe.

Guarantees: every call has a timeout; replies find their call by id; events go to the handlers of
their session in order of arrival; when the wire breaks, every waiting call fails with
`CdpClosed`. `send` hands a message over without waiting, so calls can be pipelined.
"""

from __future__ import annotations

import asyncio
import socket as sockets
from collections.abc import Callable
from typing import Any

import aiohttp
import orjson

from envs.io.cdp_wires import PipeWire, WebSocketWire, Wire

Json = dict[str, Any]
EventHandler = Callable[[str, Json], None]


class CdpError(Exception):
    """The browser answered a call with an error."""


class CdpClosed(CdpError):
    """The connection to the browser is gone."""


class CdpTimeout(CdpError):
    """The browser did not answer in time: most likely the page hangs."""


class CdpConnection:
    """One browser's connection. Create with `connect` or `open_pipe`."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._next_id = 0
        self._waiting: dict[int, asyncio.Future[Json]] = {}
        self._handlers: dict[str, EventHandler] = {}
        self.closed = asyncio.Event()
        self.drawing = asyncio.Lock()
        """held while a tab draws on demand: two at a time crash the browser"""
        wire.start(self._receive, self._fail_waiting)

    @classmethod
    async def connect(cls, url: str, timeout_s: float = 10.0) -> CdpConnection:
        """Opens a websocket. Raises CdpClosed where no browser answers."""
        try:
            return cls(await WebSocketWire.connect(url, timeout_s))
        except (aiohttp.ClientError, TimeoutError) as error:
            raise CdpClosed(f"no browser answers at {url}: {error!r}") from error

    @classmethod
    async def open_pipe(cls, end: sockets.socket) -> CdpConnection:
        """Takes over one end of a socket pair; the browser has the other one as its pipe."""
        return cls(await PipeWire.open(end))

    def on_events(self, session_id: str, handler: EventHandler | None) -> None:
        """Events of a session go to `handler`; "" is the browser itself. None removes it."""
        if handler is None:
            self._handlers.pop(session_id, None)
        else:
            self._handlers[session_id] = handler

    def send(self, method: str, params: Json | None = None, session: str = "") -> _Reply:
        """Hands the call over at once; the future gives its result."""
        if self.closed.is_set():
            raise CdpClosed("the browser is gone")
        self._next_id += 1
        message: Json = {"id": self._next_id, "method": method}
        if params:
            message["params"] = params
        if session:
            message["sessionId"] = session
        future: _Reply = asyncio.get_running_loop().create_future()
        self._waiting[self._next_id] = future
        self._wire.send(orjson.dumps(message))
        return future

    async def call(
        self, method: str, params: Json | None = None, session: str = "", timeout_s: float = 10.0
    ) -> Json:
        """Raises CdpError, CdpClosed or CdpTimeout."""
        try:
            async with asyncio.timeout(timeout_s):
                return await self.send(method, params, session)
        except TimeoutError:
            raise CdpTimeout(f"{method}: no answer within {timeout_s:g} s") from None

    async def close(self) -> None:
        """Closes the connection; waiting calls fail with CdpClosed."""
        await self._wire.close()
        self._fail_waiting()

    def _receive(self, message: bytes | str) -> None:
        data = orjson.loads(message)
        if "id" in data:
            self._settle(data)
            return
        handler = self._handlers.get(data.get("sessionId", ""))
        if handler is not None:
            handler(data["method"], data.get("params", {}))

    def _settle(self, data: Json) -> None:
        future = self._waiting.pop(data["id"], None)
        if future is None or future.done():
            return
        if "error" in data:
            future.set_exception(CdpError(data["error"].get("message", "unknown error")))
        else:
            future.set_result(data.get("result", {}))

    def _fail_waiting(self) -> None:
        self.closed.set()
        waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            if not future.done():
                future.set_exception(CdpClosed("the browser is gone"))
                future.exception()


_Reply = asyncio.Future[Json]
