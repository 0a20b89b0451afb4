"""JSON over HTTP: the one client under all that Deskhand asks of servers.

Guarantees: every call has a timeout and every answer a bound; a machine that goes away without a
word is noticed within LINK_LOST_S, however long an answer may take; a call whose connection broke
is sent again only where the caller allows it, at most `tries` times; a server that moved is found
by its name again; a failure has one of three types. What a status means is the caller's to say.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp
import orjson
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_incrementing

from envs.io.public_network import AddressInfo
from envs.io.traces import trace_headers

MAX_BYTES = 64 * 1024 * 1024
KEEPALIVE_S = 30.0
EXCERPT = 300
CONNECT_S = 5.0
"""Whoever is there accepts a connection at once; only the answer may take long."""
LINK_LOST_S = 10
LINK = {
    "TCP_KEEPIDLE": 4,
    "TCP_KEEPINTVL": 2,
    "TCP_KEEPCNT": 3,
    "TCP_USER_TIMEOUT": LINK_LOST_S * 1000,
}
"""The kernels of both sides talk while an answer is waited for: a pulled cable or a machine without
power says nothing, and the wait would last for the call's whole limit. Names that a system does not
have are left out."""


class CallFailed(Exception):
    """A call that got no answer, or none that could be taken."""


class NoAnswer(CallFailed):
    """No answer within the time limit."""


class Unreachable(CallFailed):
    """The connection could not be made, or broke."""


class AnswerTooLarge(CallFailed):
    """The answer is over the client's bound."""


@dataclass(frozen=True, slots=True)
class HttpReply:
    """An answer with any status."""

    status: int
    content: bytes
    headers: Mapping[str, str]

    def json(self) -> Any:
        """The parsed content. Raises orjson.JSONDecodeError."""
        return orjson.loads(self.content)

    @property
    def excerpt(self) -> str:
        """The beginning of the content, for messages."""
        return self.content[:EXCERPT].decode(errors="replace")


class JsonClient:
    """Calls to one server. `base_url` like http://127.0.0.1:8200; connections are kept open.

    `use_proxy`: go through the proxy that the environment names."""

    def __init__(
        self,
        base_url: str,
        *,
        timeout_s: float,
        headers: Mapping[str, str] | None = None,
        max_bytes: int = MAX_BYTES,
        use_proxy: bool = False,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.headers = {"Content-Type": "application/json", **(headers or {})}
        self.timeout_s = timeout_s
        self._max_bytes = max_bytes
        self._use_proxy = use_proxy
        self._session: aiohttp.ClientSession | None = None
        self.peer = ""
        """Address and port that was connected to last."""

    def _make_socket(self, address_info: AddressInfo) -> socket.socket:
        family, kind, protocol, _, address = address_info
        self.peer = f"{address[0]}:{address[1]}"
        link = socket.socket(family, kind, protocol)
        link.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in LINK.items():
            if hasattr(socket, name):
                link.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
        return link

    @property
    def session(self) -> aiohttp.ClientSession:
        """The connections, made when first needed (they belong to the running event loop)."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(
                    limit=0, keepalive_timeout=KEEPALIVE_S, socket_factory=self._make_socket
                ),
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_S),
                trust_env=self._use_proxy,
            )
        return self._session

    async def __aenter__(self) -> JsonClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections; a later call opens new ones."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def call(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        *,
        timeout_s: float | None = None,
        headers: Mapping[str, str] | None = None,
        tries: int = 1,
        pause_s: float = 0.05,
    ) -> HttpReply:
        """The answer, whatever its status; redirects are not followed. With `tries` above 1 the
        call must be one that may run twice; `pause_s`: before the second try, growing by as much.
        Raises NoAnswer, Unreachable, AnswerTooLarge."""
        limit_s = self.timeout_s if timeout_s is None else timeout_s
        merged = {**self.headers, **(headers or {}), **trace_headers()}
        try:
            return await self._call_once(method, path, body, limit_s, merged)
        except Unreachable:
            if tries == 1:
                raise
        # Made only now: every step of every episode calls, and almost none is tried again.
        await asyncio.sleep(pause_s)
        retrying = AsyncRetrying(
            stop=stop_after_attempt(tries - 1),
            wait=wait_incrementing(start=2 * pause_s, increment=pause_s),
            retry=retry_if_exception_type(Unreachable),
            reraise=True,
        )
        return await retrying(self._call_once, method, path, body, limit_s, merged)

    async def _call_once(
        self, method: str, path: str, body: bytes | None, limit_s: float, headers: dict[str, str]
    ) -> HttpReply:
        try:
            async with (
                asyncio.timeout(limit_s),
                self.session.request(
                    method, self.base_url + path, data=body, headers=headers, allow_redirects=False
                ) as reply,
            ):
                return HttpReply(reply.status, await self._read(reply), reply.headers)
        except aiohttp.ConnectionTimeoutError as error:
            self._forget_addresses()
            raise Unreachable(f"no connection within {CONNECT_S:g} s") from error
        except TimeoutError as error:
            self._forget_addresses()
            raise NoAnswer(f"no answer within {limit_s:g} s") from error
        except (aiohttp.ClientError, OSError) as error:
            self._forget_addresses()
            raise Unreachable(str(error) or repr(error)) from error

    def _forget_addresses(self) -> None:
        """The server may have moved: its name is resolved again for the next connection."""
        connector = None if self._session is None else self._session.connector
        if isinstance(connector, aiohttp.TCPConnector):
            connector.clear_dns_cache()

    async def _read(self, reply: aiohttp.ClientResponse) -> bytes:
        content = bytearray()
        async for piece in reply.content.iter_any():
            content += piece
            if len(content) > self._max_bytes:
                raise AnswerTooLarge(f"the answer is over {self._max_bytes} bytes")
        return bytes(content)
