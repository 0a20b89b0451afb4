"""A server of this machine that no page may reach: it notes every connection and datagram."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

REACHED_S = 30.0


class Victim:
    """Listens on one port of 127.0.0.1 and ::1, by TCP and by UDP."""

    def __init__(self) -> None:
        self.port = 0
        self.hits: list[str] = []
        self._hit = asyncio.Event()

    def note(self, line: str) -> None:
        self.hits.append(line)
        self._hit.set()

    def forget(self) -> None:
        self.hits.clear()
        self._hit.clear()

    async def reached(self) -> bool:
        try:
            await asyncio.wait_for(self._hit.wait(), REACHED_S)
        except TimeoutError:
            return False
        return True

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.note("connection")
        try:
            if await reader.readline():
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 8\r\n"
                    b"Connection: close\r\n\r\nsecret 7"
                )
                await writer.drain()
        except ConnectionError:
            pass  # it only wanted to connect
        finally:
            writer.close()


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, victim: Victim) -> None:
        self.victim = victim

    def datagram_received(self, data: bytes, addr: object) -> None:
        self.victim.note("datagram")


@asynccontextmanager
async def running_victim() -> AsyncIterator[Victim]:
    victim, loop = Victim(), asyncio.get_running_loop()
    server = await asyncio.start_server(victim.accept, "127.0.0.1", 0)
    victim.port = server.sockets[0].getsockname()[1]
    other = await asyncio.start_server(victim.accept, "::1", victim.port)
    transport, _ = await loop.create_datagram_endpoint(
        lambda: _Datagrams(victim), ("127.0.0.1", victim.port)
    )
    yield victim
    transport.close()
    server.close()
    other.close()
