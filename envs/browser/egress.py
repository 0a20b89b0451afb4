"""The way out of a browser's box to sites of the internet: a proxy that knows a task's domains.

Guarantees: it connects to public addresses only, of hosts that the task allows, on the ports of the
web or those that the task names; the address that was checked is the one that is connected to, so a
name that is resolved anew changes nothing; each request is checked, whatever led to it (a link, a
redirection, a script, a WebSocket, a download); what it holds is bounded, and closing it ends its
connections. Every host that it refused is told once.

It speaks HTTP/1.1 as a proxy (RFC 9110, 7.6 and 9.3.6; RFC 9112, 3.2.2): CONNECT for https and
WebSockets, absolute targets for http, one request a connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn
from urllib.parse import urlsplit

import h11

from envs.contract.domains import is_allowed
from envs.io.public_network import is_public
from envs.io.relay import Streams, exchange

log = logging.getLogger(__name__)

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""The addresses of a host."""
PIECE = 1 << 16
HEAD_S = 20.0
CONNECT_S = 15.0
IDLE_S = 300.0
CONNECTIONS = 256
MAX_REFUSED = 200
"""Of hosts that are told; a page may make up names without end."""
_HOP = frozenset(
    {
        *(b"connection", b"keep-alive", b"proxy-connection", b"proxy-authorization", b"te"),
        *(b"trailer", b"upgrade", b"proxy-authenticate", b"host"),
    }
)
_CLOSE = (b"connection", b"close")


class Refusal(Exception):
    """The request goes nowhere: `status` and the message are its answer."""

    def __init__(self, status: int, message: str, host: str = "") -> None:
        super().__init__(message)
        self.status, self.host = status, host


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes: `path` of the site, empty for a tunnel."""

    host: str
    port: int
    path: str

    @property
    def address(self) -> str:
        """As a Host field has it."""
        return self.host if self.port == 80 else f"{self.host}:{self.port}"


async def resolve_host(host: str, port: int) -> list[str]:
    """By the system's resolver. Raises OSError."""
    infos = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(info[4][0]) for info in infos]


class EgressProxy:
    """Listens on a loopback port from `open` to `close`; `allow` may change between tasks."""

    def __init__(
        self, resolve: Resolve = resolve_host, may_reach: Callable[[str], bool] = is_public
    ) -> None:
        self.allow: tuple[str, ...] = ()
        self.last_refusal = ""
        """Why the last request of this task that failed did."""
        self._resolve, self._may_reach = resolve, may_reach
        self._refused: dict[str, None] = {}
        self._connections: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """What a browser is told of it."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def open(self) -> None:
        """Listens."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)

    async def close(self) -> None:
        """Ends all connections."""
        server, self._server = self._server, None
        if server is not None:
            server.close()
        tasks = list(self._connections)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def begin(self, allow: Sequence[str]) -> None:
        """The domains of the next task. Connections of the one before end."""
        self.allow = tuple(allow)
        self.last_refusal = ""
        self._refused.clear()
        for task in self._connections:
            task.cancel()

    def take_refused(self) -> tuple[str, ...]:
        """Hosts that were refused since the last call."""
        refused = tuple(self._refused)
        self._refused.clear()
        return refused

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or self._server is None or len(self._connections) >= CONNECTIONS:
            writer.close()
            return
        self._connections.add(task)
        try:
            await self._serve(reader, writer)
        except (OSError, TimeoutError, h11.RemoteProtocolError, EOFError) as error:
            log.debug("a connection through the proxy ended: %r", error)
        finally:
            self._connections.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = h11.Connection(h11.SERVER)
        async with asyncio.timeout(HEAD_S):
            event = await _next_event(client, reader)
        if not isinstance(event, h11.Request):
            return
        try:
            target = read_target(event.method, event.target)
            upstream = await self._connect(target)
        except Refusal as refusal:
            self.last_refusal = str(refusal)
            if refusal.host and len(self._refused) < MAX_REFUSED:
                self._refused[refusal.host] = None
            writer.write(_answer(refusal.status, str(refusal)))
            await writer.drain()
            return
        try:
            if target.path:
                await _forward(client, event, target, (reader, writer), upstream)
            else:
                await _tunnel(client, (reader, writer), upstream)
        finally:
            upstream[1].close()

    async def _connect(self, target: Target) -> Streams:
        """Raises Refusal."""
        host, port = target.host, target.port
        if not is_allowed(host, port, self.allow):
            raise Refusal(403, f"{host}:{port} is not among the domains of this task", host)
        try:
            async with asyncio.timeout(CONNECT_S):
                addresses = await self._resolve(host, port)
                public = [address for address in addresses if self._may_reach(address)]
                if not public:
                    raise Refusal(403, f"{host} has no address on the internet", host)
                return await _connect_to_first(public, port)
        except (OSError, UnicodeError) as error:
            raise Refusal(502, f"{host}:{port} cannot be reached: {error}") from error
        except TimeoutError as error:
            raise Refusal(504, f"{host}:{port} did not answer in {CONNECT_S:g} s") from error


def read_target(method: bytes, target: bytes) -> Target:
    """Where a request to the proxy wants to go. Raises Refusal."""
    text = target.decode("ascii", errors="replace")
    if method == b"CONNECT":
        host, colon, port = text.rpartition(":")
        if not colon or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
            _refuse_syntax(text)
        return Target(host.rstrip(".").lower(), int(port), "")
    try:
        parts = urlsplit(text)
        host, number = parts.hostname or "", parts.port or 80
    except ValueError:
        _refuse_syntax(text)
    if parts.scheme != "http" or not host or parts.username is not None:
        _refuse_syntax(text)
    path = parts.path or "/"
    return Target(host.rstrip("."), number, f"{path}?{parts.query}" if parts.query else path)


def _refuse_syntax(text: str) -> NoReturn:
    raise Refusal(400, f"{text[:80]!r} is no address that goes through this proxy")


async def _connect_to_first(addresses: Sequence[str], port: int) -> Streams:
    """To the first that accepts; never by name. Raises OSError."""
    for address in addresses[:-1]:
        with contextlib.suppress(OSError):
            return await asyncio.open_connection(address, port)
    return await asyncio.open_connection(addresses[-1], port)


async def _next_event(
    connection: h11.Connection, reader: asyncio.StreamReader
) -> h11.Event | type[h11.PAUSED]:
    """Raises h11.RemoteProtocolError."""
    while (event := connection.next_event()) is h11.NEED_DATA:
        connection.receive_data(await reader.read(PIECE))
    assert not isinstance(event, type) or event is h11.PAUSED
    return event


async def _tunnel(client: h11.Connection, near: Streams, far: Streams) -> None:
    """After CONNECT: bytes in both directions, until both sides have ended or are silent for
    IDLE_S."""
    near[1].write(b"HTTP/1.1 200 Connection established\r\n\r\n")
    far[1].write(client.trailing_data[0])
    await exchange(near, far, IDLE_S)


async def _forward(
    client: h11.Connection, request: h11.Request, target: Target, near: Streams, far: Streams
) -> None:
    """One request and its answer, then the end: a further request would be one to another site."""
    upstream = h11.Connection(h11.CLIENT)
    headers = [*_end_to_end(request.headers), (b"host", target.address.encode()), _CLOSE]
    sent = h11.Request(method=request.method, target=target.path.encode(), headers=headers)
    far[1].write(upstream.send(sent) or b"")
    sending = asyncio.create_task(_send_body(client, upstream, near[0], far[1]))
    try:
        while True:
            async with asyncio.timeout(IDLE_S):
                event = await _next_event(upstream, far[0])
                match event:
                    case h11.Response():
                        fields = [*_end_to_end(event.headers), _CLOSE]
                        event = h11.Response(
                            status_code=event.status_code, headers=fields, reason=event.reason
                        )
                    case h11.Data() | h11.EndOfMessage():
                        pass
                    case h11.InformationalResponse():
                        continue
                    case _:
                        return
                near[1].write(client.send(event) or b"")
                await near[1].drain()
            if isinstance(event, h11.EndOfMessage):
                return
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)


def _end_to_end(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Without those that are between two neighbours only."""
    return [(name, value) for name, value in headers if name.lower() not in _HOP]


async def _send_body(
    client: h11.Connection,
    upstream: h11.Connection,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    """The request's declared body, and not a byte more."""
    while True:
        async with asyncio.timeout(IDLE_S):
            event = await _next_event(client, reader)
            if isinstance(event, h11.Data):
                writer.write(upstream.send(h11.Data(data=event.data)) or b"")
            elif isinstance(event, h11.EndOfMessage):
                writer.write(upstream.send(h11.EndOfMessage()) or b"")
                await writer.drain()
                return
            else:
                return
            await writer.drain()


def _answer(status: int, message: str) -> bytes:
    """A refusal, as a page that says why."""
    text = message.encode("utf-8", errors="replace")
    head = (
        f"HTTP/1.1 {status} Refused\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Length: {len(text)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + text
