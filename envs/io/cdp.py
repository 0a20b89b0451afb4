"""A thin client of the Chrome DevTools Protocol over one websocket with flat sessions.

Guarantees: every call has a timeout; replies find their call by id; events go to the handlers of
their session in order of arrival; when the socket closes, every waiting call fails with
`CdpClosed`. `send` hands a message over without waiting, so calls can be pipelined.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import aiohttp
import orjson

Json = dict[str, Any]
EventHandler = Callable[[str, Json], None]


class CdpError(Exception):
    """The browser answered a call with an error."""


class CdpClosed(CdpError):
    """The connection to the browser is gone."""


class CdpTimeout(CdpError):
    """The browser did not answer in time: most likely the page hangs."""


class CdpConnection:
    """One browser's websocket. Create with `connect`."""

    def __init__(self, http: aiohttp.ClientSession, socket: aiohttp.ClientWebSocketResponse):
        self._http = http
        self._socket = socket
        self._next_id = 0
        self._waiting: dict[int, asyncio.Future[Json]] = {}
        self._handlers: dict[str, EventHandler] = {}
        self.closed = asyncio.Event()
        self.drawing = asyncio.Lock()
        """held while a tab draws on demand: two at a time crash the browser"""
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def connect(cls, url: str, timeout_s: float = 10.0) -> CdpConnection:
        """Opens the websocket. Raises aiohttp.ClientError or TimeoutError."""
        http = aiohttp.ClientSession()
        try:
            async with asyncio.timeout(timeout_s):
                socket = await http.ws_connect(url, max_msg_size=0, compress=0, autoping=True)
        except BaseException:
            await http.close()
            raise
        return cls(http, socket)

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
        writer = self._socket.send_str(orjson.dumps(message).decode())
        task = asyncio.ensure_future(writer)
        task.add_done_callback(_ignore_closed)
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
        self._reader.cancel()
        await self._socket.close()
        await self._http.close()
        self._fail_waiting()

    async def _read(self) -> None:
        try:
            async for message in self._socket:
                if message.type is not aiohttp.WSMsgType.TEXT:
                    break
                data = orjson.loads(message.data)
                if "id" in data:
                    self._settle(data)
                    continue
                handler = self._handlers.get(data.get("sessionId", ""))
                if handler is not None:
                    handler(data["method"], data.get("params", {}))
        finally:
            self._fail_waiting()

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


def _ignore_closed(task: asyncio.Future[None]) -> None:
    """A failed write means a closed socket; the reader fails the waiting calls."""
    if not task.cancelled():
        task.exception()
