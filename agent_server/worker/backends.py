"""Sessions and agents of a worker: env hosts over HTTP, the policy server, oracle, controls,
agents.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from agent_server.agents.compact import CompactAgent
from agent_server.agents.config import AgentFileError, read_agent
from agent_server.agents.make import Agents
from agent_server.episodes.agent import Agent, Policy
from agent_server.policy.client import VllmPolicy
from agent_server.policy.controls import CONTROLS, POLICIES
from agent_server.policy.oracle import OraclePolicy
from agent_server.settings import Settings
from agent_server.store.workers import Offer
from envs.client import (
    BUSY_S,
    OPEN_TIMEOUT_S,
    HostBusy,
    HostClient,
    RemoteSession,
    SessionPool,
)
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import Session
from envs.contract.task import Env, Task

REST_S = 2.0
"""How long a host that just failed is tried last: it fails fast, so it would look idle."""


@dataclass(slots=True)
class _Host:
    client: HostClient
    rests_until: float = 0.0

    @property
    def is_resting(self) -> bool:
        """Whether other hosts are preferred now, since this one has just failed."""
        return self.rests_until > time.monotonic()

    def start_rest(self) -> None:
        self.rests_until = time.monotonic() + REST_S


@dataclass(slots=True)
class _BrowserHost(_Host):
    pool: SessionPool = field(kw_only=True)
    in_flight: int = 0


class HttpBackends:
    """One session pool a host and one policy client a process; opened on the loop that uses them.

    A browser host keeps sessions warm for this worker. A desktop is leased for one episode and
    returned, since other workers need it too; it stays warm in its host."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._browsers: list[_BrowserHost] = []
        self._desktops: list[_Host] = []
        self._policy: VllmPolicy | None = None
        self._agents: Agents | None = None

    async def open(self) -> None:
        """Connect to the hosts; a name with several addresses is several hosts."""
        settings = self._settings
        for url in await asyncio.to_thread(addresses, settings.host_urls):
            client = HostClient(url, settings.token_of_host(url))
            pool = SessionPool(client, settings.sessions_per_host)
            self._browsers.append(_BrowserHost(client, pool=pool))
        for url in await asyncio.to_thread(addresses, settings.desktop_urls):
            self._desktops.append(_Host(HostClient(url, settings.token_of_host(url))))

    def offer(self) -> Offer:
        """What this worker can run, by its settings."""
        settings = self._settings
        hosts = {"browser": settings.host_urls, "desktop": settings.desktop_urls}
        policies = ["oracle", *CONTROLS]
        if settings.policy_url:
            policies.append("live")
        envs = tuple(env for env, urls in hosts.items() if urls)
        return Offer(envs=envs, policies=tuple(sorted(policies)))

    def session(self, env: Env) -> AbstractAsyncContextManager[Session]:
        """A session on the least busy host; closed, not kept, if the body raises."""
        return self._browser() if env == "browser" else self._desktop()

    @asynccontextmanager
    async def _browser(self) -> AsyncIterator[Session]:
        """A session of the least busy host."""
        if not self._browsers:
            raise EpisodeFault(InvalidReason.UNRUNNABLE, "DESKHAND_HOST_URLS names no browser host")
        host = min(self._browsers, key=lambda host: (host.is_resting, host.in_flight))
        host.in_flight += 1
        try:
            async with host.pool.lease() as session:
                yield session
        except Exception:
            host.start_rest()
            raise
        finally:
            host.in_flight -= 1

    @asynccontextmanager
    async def _desktop(self) -> AsyncIterator[Session]:
        host, session = await self._lease_free_desktop()
        try:
            yield session
        except Exception:
            host.start_rest()
            raise
        finally:
            await asyncio.shield(session.close())

    async def _lease_free_desktop(self) -> tuple[_Host, RemoteSession]:
        """The first desktop that no worker uses now. Raises EpisodeFault."""
        if not self._desktops:
            raise EpisodeFault(
                InvalidReason.UNRUNNABLE, "DESKHAND_DESKTOP_URLS names no desktop host"
            )
        deadline = time.monotonic() + OPEN_TIMEOUT_S
        while True:
            for host in sorted(self._desktops, key=lambda host: host.is_resting):
                try:
                    return host, await host.client.open_now("desktop")
                except HostBusy:
                    continue
                except EpisodeFault:
                    host.start_rest()
                    raise
            if time.monotonic() > deadline:
                raise EpisodeFault(
                    InvalidReason.HOST_START,
                    f"none of {len(self._desktops)} desktops was free within {OPEN_TIMEOUT_S:g} s",
                )
            await asyncio.sleep(BUSY_S)

    def agent(self, name: str, task: Task) -> Agent:
        """The agent of that name for one episode. Raises EpisodeFault."""
        if name in POLICIES:
            return CompactAgent(task, self._served_policy(name, task))
        if self._agents is None:
            self._agents = self._load_agents()
        if self._agents.spec.name != name:
            detail = f"DESKHAND_AGENT describes {self._agents.spec.name}, not {name}"
            raise EpisodeFault(InvalidReason.POLICY_DENIED, detail)
        return self._agents.make(task)

    def _load_agents(self) -> Agents:
        file = self._settings.agent
        if file is None:
            raise EpisodeFault(InvalidReason.POLICY_DENIED, "DESKHAND_AGENT is not set")
        try:
            return Agents(read_agent(file))
        except AgentFileError as error:
            raise EpisodeFault(InvalidReason.POLICY_DENIED, str(error)) from error

    def _served_policy(self, name: str, task: Task) -> Policy:
        if name == "oracle":
            return OraclePolicy(task)
        if name in CONTROLS:
            return CONTROLS[name]()
        if self._policy is None:
            self._policy = self._live_policy()
        return self._policy

    def _live_policy(self) -> VllmPolicy:
        """Created for the first episode that needs it: a worker may start before the policy."""
        settings = self._settings
        if not settings.policy_url:
            raise EpisodeFault(InvalidReason.UNRUNNABLE, "DESKHAND_POLICY_URL is not set")
        tokenizer = settings.policy_tokenizer
        if tokenizer is not None:
            tokenizer = settings.run_dir / tokenizer
        if tokenizer is not None and not tokenizer.is_file():
            raise EpisodeFault(
                InvalidReason.POLICY_ERROR, f"DESKHAND_POLICY_TOKENIZER: no file {tokenizer}"
            )
        return VllmPolicy(
            settings.policy_url,
            settings.policy_model,
            settings.policy_timeout_s,
            tokenizer,
            settings.policy_key,
            settings.policy_max_model_len,
        )

    async def close(self) -> None:
        """Close all sessions and clients."""
        async with AsyncExitStack() as stack:
            for host in (*self._browsers, *self._desktops):
                stack.push_async_callback(host.client.close)
            for browser in self._browsers:
                stack.push_async_callback(browser.pool.close)
            if self._policy is not None:
                stack.push_async_callback(self._policy.close)
            if self._agents is not None:
                stack.push_async_callback(self._agents.close)
        self._browsers, self._desktops, self._policy = [], [], None


def addresses(urls: Iterable[str]) -> list[str]:
    """Replace a URL whose name has several addresses (a scaled service) by one URL each.

    Other URLs stay as they are, also those whose name cannot be resolved (yet)."""
    resolved: list[str] = []
    for url in urls:
        parts = urlsplit(url)
        try:
            infos = socket.getaddrinfo(parts.hostname, parts.port, type=socket.SOCK_STREAM)
        except OSError:
            infos = []
        ips = sorted({str(info[4][0]) for info in infos if info[0] is socket.AF_INET})
        if len(ips) > 1:
            resolved += [f"{parts.scheme}://{address}:{parts.port}" for address in ips]
        else:
            resolved.append(url)
    return resolved
