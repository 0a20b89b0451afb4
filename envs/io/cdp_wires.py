"""What carries the messages of the DevTools protocol: a websocket, or Chromium's own pipe.

Guarantees: messages arrive whole and in order; `lost` is called once the other end is gone. A pipe
listens on no port: only who holds the descriptor can command the browser.
"""

from __future__ import annotations

import asyncio
import socket as sockets
from collections.abc import Callable
from typing import Protocol, cast

import aiohttp

Receive = Callable[[bytes | str], None]
Lost = Callable[[], None]
_BUFFER = 1 << 20
"""Bytes that the kernel holds of a pipe: a page's tree or picture goes over at once."""


class Wire(Protocol):
    """Both ways of a connection; open when it is made."""

    def start(self, receive: Receive, lost: Lost) -> None:
        """Messages go to `receive` from now on."""

    def send(self, message: bytes) -> None:
        """Hands a message over without waiting."""

    async def close(self) -> None:
        """Ends the connection."""


class WebSocketWire:
    """A websocket of Chromium's debugging port. Create with `connect`."""

    def __init__(self, http: aiohttp.ClientSession, socket: aiohttp.ClientWebSocketResponse):
        self._http, self._socket = http, socket
        self._reader: asyncio.Task[None] | None = None

    @classmethod
    async def connect(cls, url: str, timeout_s: float) -> WebSocketWire:
        """Raises aiohttp.ClientError or TimeoutError."""
        http = aiohttp.ClientSession()
        try:
            async with asyncio.timeout(timeout_s):
                socket = await http.ws_connect(url, max_msg_size=0, compress=0, autoping=True)
        except BaseException:
            await http.close()
            raise
        return cls(http, socket)

    def start(self, receive: Receive, lost: Lost) -> None:
        """Messages go to `receive` from now on."""
        self._reader = asyncio.create_task(self._read(receive, lost))

    def send(self, message: bytes) -> None:
        """Hands a message over without waiting."""
        task = asyncio.ensure_future(self._socket.send_str(message.decode()))
        task.add_done_callback(_ignore_closed)

    async def close(self) -> None:
        """Ends the connection."""
        if self._reader is not None:
            self._reader.cancel()
        await self._socket.close()
        await self._http.close()

    async def _read(self, receive: Receive, lost: Lost) -> None:
        try:
            async for message in self._socket:
                if message.type is not aiohttp.WSMsgType.TEXT:
                    break
                receive(message.data)
        finally:
            lost()


class PipeWire(asyncio.Protocol):
    """The host's end of `--remote-debugging-pipe`: messages end with a zero byte. Create with
    `open`."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._receive: Receive = lambda _: None
        self._lost: Lost = lambda: None
        self._parts: list[bytes] = []
        """Of a message whose end has not come yet."""

    @classmethod
    async def open(cls, end: sockets.socket) -> PipeWire:
        """Takes the socket over."""
        for option in (sockets.SO_SNDBUF, sockets.SO_RCVBUF):
            end.setsockopt(sockets.SOL_SOCKET, option, _BUFFER)
        end.setblocking(False)
        loop = asyncio.get_running_loop()
        _, wire = await loop.create_unix_connection(cls, sock=end)
        return wire

    def start(self, receive: Receive, lost: Lost) -> None:
        """Messages go to `receive` from now on."""
        self._receive, self._lost = receive, lost
        if self._transport is None or self._transport.is_closing():
            lost()

    def send(self, message: bytes) -> None:
        """Hands a message over without waiting."""
        if self._transport is not None:
            self._transport.write(message + b"\0")

    async def close(self) -> None:
        """Ends the connection."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the event loop."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Called by the event loop."""
        *complete, rest = data.split(b"\0")
        for part in complete:
            self._parts.append(part)
            message = b"".join(self._parts)
            self._parts.clear()
            self._receive(message)
        if rest:
            self._parts.append(rest)

    def connection_lost(self, error: Exception | None) -> None:
        """Called by the event loop."""
        self._transport = None
        self._lost()


def _ignore_closed(task: asyncio.Future[None]) -> None:
    """A failed write means a closed socket; the reader fails the waiting calls."""
    if not task.cancelled():
        task.exception()
