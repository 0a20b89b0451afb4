"""The env hosts of a worker: found by name again and again, and a session of one that is well.

Guarantees: a host that moved, came or went behind its name is noticed at the next lease, a few
seconds later at most; a lease that meets a dead host, or a warm session that has died, costs no
attempt: the next host is tried, for OPEN_TIMEOUT_S in all; a host that is in use is no fault: it is
waited for as long as it answers so; what runs on a host whose address went away is left alone until
it ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import socket
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from agent_server.settings import Settings
from envs.client import BUSY_S, OPEN_TIMEOUT_S, HostBusy, HostClient, RemoteSession, SessionPool
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Env

log = logging.getLogger(__name__)

REST_S = 2.0
"""How long a host that just failed is tried last: it fails fast, so it would look idle."""
RESOLVE_S = 5.0
"""Names are resolved again after this, and after each fault."""
RESOLVE_LIMIT_S = 2.0
"""A name server that does not answer holds no episode up for longer."""
ELSEWHERE = frozenset({InvalidReason.HOST_LOST, InvalidReason.HOST_START})
"""Faults of one host before it lent a session: another one, or the same one later, may do."""


@dataclass(slots=True)
class Host:
    """One env host. `pool`: sessions that are kept warm; None: each is for one episode."""

    client: HostClient
    pool: SessionPool | None
    in_flight: int = 0
    rests_until: float = 0.0

    @property
    def is_resting(self) -> bool:
        """Whether other hosts are preferred now, since this one has just failed."""
        return self.rests_until > time.monotonic()

    def start_rest(self) -> None:
        """Prefer other hosts for REST_S."""
        self.rests_until = time.monotonic() + REST_S

    async def take(self, env: Env) -> RemoteSession:
        """A session; of a pool it may be waited for. Raises HostBusy or EpisodeFault."""
        return await (self.client.open_now(env) if self.pool is None else self.pool.take())

    async def give_back(self, session: RemoteSession, is_well: bool) -> None:
        """What became of a session."""
        if self.pool is None:
            await session.close()
        else:
            await self.pool.give_back(session, is_well)

    async def close(self) -> None:
        """Close its free sessions and its connections."""
        if self.pool is not None:
            await self.pool.close()
        await self.client.close()


class Hosts:
    """The hosts of one kind. A name with several addresses (a scaled service) is several hosts."""

    def __init__(self, env: Env, settings: Settings) -> None:
        self.env = env
        self._settings = settings
        self._urls = settings.host_urls if env == "browser" else settings.desktop_urls
        self._by_address: dict[str, Host] = {}
        self._known: dict[str, Sequence[str]] = {}
        """Addresses by URL, as they were resolved last."""
        self._leaving: list[Host] = []
        """Hosts whose addresses are gone."""
        self._resolved_at = -math.inf
        self._resolving = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def session(self) -> AsyncIterator[RemoteSession]:
        """A session of the least busy host; closed, not kept, if the body raises. Raises
        EpisodeFault."""
        host, session = await self._lease()
        log.info("a session of %s", host.client.base_url)
        is_well = False
        try:
            yield session
            is_well = True
        except Exception:
            host.start_rest()
            raise
        finally:
            host.in_flight -= 1
            # A cancelled episode, too, must return its session: a lease that is left open holds a
            # place until it expires.
            await asyncio.shield(host.give_back(session, is_well))

    async def _lease(self) -> tuple[Host, RemoteSession]:
        if not self._urls:
            variable = "HOST" if self.env == "browser" else "DESKTOP"
            raise EpisodeFault(
                InvalidReason.UNRUNNABLE, f"DESKHAND_{variable}_URLS names no {self.env} host"
            )
        deadline = time.monotonic() + OPEN_TIMEOUT_S
        while True:
            # Resting hosts last: they are tried only when no other has a session.
            hosts = sorted(await self.current(), key=lambda host: (host.is_resting, host.in_flight))
            fault = EpisodeFault(
                InvalidReason.HOST_START, f"no {self.env} host was there for {OPEN_TIMEOUT_S:g} s"
            )
            for host in hosts:
                # Before the wait for a session, so that others who choose meanwhile see it.
                host.in_flight += 1
                try:
                    return host, await host.take(self.env)
                except HostBusy:
                    host.in_flight -= 1
                    # A busy host is there: only hosts that are away let the time run out.
                    deadline = time.monotonic() + OPEN_TIMEOUT_S
                except EpisodeFault as error:
                    host.in_flight -= 1
                    self._note_fault(host, error)
                    fault = error
                except BaseException:
                    host.in_flight -= 1
                    raise
            if time.monotonic() > deadline:
                raise fault
            await asyncio.sleep(BUSY_S)

    def _note_fault(self, host: Host, error: EpisodeFault) -> None:
        """Raises the fault again if no other host could do better."""
        host.start_rest()
        # The host may have moved: its name is resolved again at the next try.
        self._resolved_at = -math.inf
        if error.reason not in ELSEWHERE:
            raise error
        log.info("%s lends no session, trying elsewhere: %s", host.client.base_url, error.detail)

    async def current(self) -> list[Host]:
        """The hosts that there are now."""
        async with self._resolving:
            if time.monotonic() - self._resolved_at >= RESOLVE_S:
                await self._resolve()
                self._resolved_at = time.monotonic()
        return list(self._by_address.values())

    async def _resolve(self) -> None:
        for url in self._urls:
            # Without an answer from the name service the addresses of the last time hold.
            with contextlib.suppress(TimeoutError, OSError):
                async with asyncio.timeout(RESOLVE_LIMIT_S):
                    self._known[url] = await asyncio.to_thread(addresses, url)
        present = [at for url in self._urls for at in self._known.get(url, [url])]
        for address in self._by_address.keys() - set(present):
            log.info("%s is not there any more", address)
            self._leaving.append(self._by_address.pop(address))
        for address in present:
            if address not in self._by_address:
                self._by_address[address] = self._connect(address)
        # Hosts whose address is gone end when their last episode has.
        for host in [host for host in self._leaving if not host.in_flight]:
            self._leaving.remove(host)
            await host.close()

    def _connect(self, address: str) -> Host:
        settings = self._settings
        client = HostClient(
            address, settings.token_of_host(address), settings.host_signing_key or None
        )
        if self.env == "desktop":
            return Host(client, None)
        return Host(client, SessionPool(client, settings.sessions_per_host, wait_s=math.inf))

    async def close(self) -> None:
        """Close all sessions and connections."""
        hosts = [*self._by_address.values(), *self._leaving]
        self._by_address, self._leaving = {}, []
        self._resolved_at = -math.inf
        async with contextlib.AsyncExitStack() as stack:
            for host in hosts:
                stack.push_async_callback(host.close)


def addresses(url: str) -> Sequence[str]:
    """One URL for each address that the name in a URL has, if it has several; else the URL itself.
    Raises OSError where the name is not known (now)."""
    parts = urlsplit(url)
    infos = socket.getaddrinfo(parts.hostname, parts.port, type=socket.SOCK_STREAM)
    ips = sorted({str(info[4][0]) for info in infos if info[0] is socket.AF_INET})
    if len(ips) < 2:
        return [url]
    return [f"{parts.scheme}://{ip}:{parts.port}" for ip in ips]
