"""Passes TCP connections on to another address or to a Unix socket.

    python -m envs.io.relay 0.0.0.0:8000=127.0.0.1:8001 127.0.0.1:8100=gym:8100

Guarantees: what it holds is bounded: the connections at once (one too many is closed at once), the
seconds that the other side may take to accept, the seconds without a byte in either direction, and
the bytes between the sides (a slow reader slows the writer down). Closing it ends its connections.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

Address = tuple[str, int] | Path
"""Host and port, or the path of a Unix socket."""
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
PIECE = 1 << 18


@dataclass(frozen=True, slots=True)
class RelayBounds:
    """`idle_s`: longest silence of both sides; calls and streams are silent for minutes."""

    connections: int = 512
    connect_s: float = 5.0
    idle_s: float = 1800.0


class Relay:
    """Connections to one listening port, each passed on to `target`. Close it when done."""

    def __init__(self, target: Address, bounds: RelayBounds | None = None) -> None:
        self._target = target
        self._bounds = bounds or RelayBounds()
        self._connections: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """The port that it listens on."""
        assert self._server is not None
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def open(self, host: str, port: int) -> None:
        """Listens. Raises OSError where the address is taken."""
        self._server = await asyncio.start_server(self._accept, host, port)

    async def open_on(self, listener: socket.socket) -> None:
        """Accepts on a socket that listens already, wherever it was made; it is the relay's now."""
        self._server = await asyncio.start_server(self._accept, sock=listener)

    async def close(self) -> None:
        """Ends all connections."""
        if self._server is not None:
            self._server.close()
        connections = list(self._connections)
        for task in connections:
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._connections) >= self._bounds.connections:
            writer.transport.abort()
            return
        task = asyncio.create_task(self._pass_on(reader, writer))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, both ways, until both sides ended it."""
        try:
            async with asyncio.timeout(self._bounds.connect_s):
                target_reader, target_writer = await _connect(self._target)
        except BaseException as error:
            writer.transport.abort()
            if isinstance(error, OSError | TimeoutError):
                return
            raise
        try:
            for side in (writer, target_writer):
                _detect_dead_peer(side)
            target = target_reader, target_writer
            await exchange((reader, writer), target, self._bounds.idle_s)
        except (OSError, TimeoutError):
            writer.transport.abort()  # one side went away, or both are silent for too long
        finally:
            target_writer.transport.abort()
            writer.close()


async def exchange(near: Streams, far: Streams, idle_s: float) -> None:
    """Passes bytes on in both directions until both sides have ended. Raises TimeoutError when both
    are silent for `idle_s`."""
    async with asyncio.timeout(idle_s) as silence:
        await asyncio.gather(
            _pump(near[0], far[1], silence, idle_s), _pump(far[0], near[1], silence, idle_s)
        )


async def _pump(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    silence: asyncio.Timeout,
    idle_s: float,
) -> None:
    loop = asyncio.get_running_loop()
    with contextlib.suppress(OSError):  # either side may be gone
        while data := await reader.read(PIECE):
            silence.reschedule(loop.time() + idle_s)
            writer.write(data)
            await writer.drain()
        if not writer.is_closing():
            writer.write_eof()


async def _connect(target: Address) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if isinstance(target, Path):
        return await asyncio.open_unix_connection(target)
    return await asyncio.open_connection(*target)


def _detect_dead_peer(writer: asyncio.StreamWriter) -> None:
    """A machine that went away without a word is noticed after two minutes."""
    link: socket.socket = writer.get_extra_info("socket")
    if link.family == socket.AF_UNIX:
        return
    link.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 6)):
        if hasattr(socket, option):
            link.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


def parse_pair(text: str) -> tuple[tuple[str, int], tuple[str, int]]:
    """Listening address and target of ADDRESS:PORT=HOST:PORT. Raises ValueError."""
    parts = [side.rpartition(":") for side in text.split("=")]
    if len(parts) != 2 or not all(host and port.isdigit() for host, _, port in parts):
        raise ValueError(f"{text!r} is not ADDRESS:PORT=HOST:PORT")
    (from_host, _, from_port), (to_host, _, to_port) = parts
    return (from_host, int(from_port)), (to_host, int(to_port))


async def _serve(pairs: Sequence[tuple[tuple[str, int], tuple[str, int]]]) -> None:
    stopped = asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, stopped.set)
    async with contextlib.AsyncExitStack() as stack:
        for (host, port), target in pairs:
            relay = Relay(target)
            stack.push_async_callback(relay.close)
            await relay.open(host, port)
        await stopped.wait()


def main() -> None:
    """Command line: relays until stopped."""
    parser = argparse.ArgumentParser(description="Passes TCP connections on.")
    parser.add_argument("pairs", nargs="+", type=parse_pair, metavar="ADDRESS:PORT=HOST:PORT")
    asyncio.run(_serve(parser.parse_args().pairs))


if __name__ == "__main__":
    main()
