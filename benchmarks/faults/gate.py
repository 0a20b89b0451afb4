"""A TCP proxy on loopback that can be told to misbehave: what a network does to a connection.

Guarantees: bytes that are passed on are passed on unchanged and in order; what is done to the links
is undone or ends with them. `target` may be set later than the port is known.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field

PIECE = 1 << 16
TRICKLE_BYTES = 300


@dataclass(eq=False, slots=True)
class _Link:
    """One connection through the gate, with the writers of both sides."""

    writers: list[asyncio.StreamWriter]
    is_swallowed: bool = False

    def abort(self) -> None:
        for writer in self.writers:
            writer.transport.abort()


@dataclass(eq=False)
class Gate:
    """Listens on `port` and connects to `target`, a port on 127.0.0.1. Use as an async context
    manager."""

    name: str
    target: int = 0
    port: int = 0
    _links: set[_Link] = field(default_factory=set)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _flows: asyncio.Event = field(default_factory=asyncio.Event)
    _refuses: bool = False
    _delay_s: float = 0.0
    _server: asyncio.Server | None = None

    async def __aenter__(self) -> Gate:
        self._flows.set()
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
        self.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """Reset every connection."""
        for link in list(self._links):
            link.abort()

    async def refuse(self, seconds: float) -> None:
        """Reset every connection, and each new one for so long."""
        self._refuses = True
        try:
            self.cut()
            await asyncio.sleep(seconds)
        finally:
            self._refuses = False

    async def hold(self, seconds: float) -> None:
        """Pass nothing on for so long, then all of it."""
        self._flows.clear()
        try:
            await asyncio.sleep(seconds)
        finally:
            self._flows.set()

    async def slow(self, seconds: float, delay_s: float) -> None:
        """Pass small pieces on, each late."""
        self._delay_s = delay_s
        try:
            await asyncio.sleep(seconds)
        finally:
            self._delay_s = 0.0

    async def swallow(self, seconds: float) -> None:
        """Half-open: the links of now take bytes and pass none on, and end after so long. New ones
        work."""
        links = list(self._links)
        for link in links:
            link.is_swallowed = True
        try:
            await asyncio.sleep(seconds)
        finally:
            for link in links:
                link.abort()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._refuses:
            writer.transport.abort()
            return
        task = asyncio.create_task(self._pass_on(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        link = _Link([writer])
        self._links.add(link)
        try:
            there = await asyncio.open_connection("127.0.0.1", self.target)
            link.writers.append(there[1])
            await asyncio.gather(
                self._pump(reader, there[1], link), self._pump(there[0], writer, link)
            )
        except OSError:
            pass  # one side went away: the other is told by the abort
        finally:
            self._links.discard(link)
            link.abort()

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, link: _Link
    ) -> None:
        while data := await reader.read(PIECE):
            await self._flows.wait()
            size = TRICKLE_BYTES if self._delay_s else PIECE
            for start in range(0, len(data), size):
                if link.is_swallowed:
                    break
                if self._delay_s:
                    await asyncio.sleep(self._delay_s)
                writer.write(data[start : start + size])
                await writer.drain()
        with contextlib.suppress(OSError):
            writer.write_eof()
