"""The sessions and agents of a worker: env hosts over HTTP, the policy server, the oracle, the
controls, and an agent of somebody else."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from agent_server.agents.agent import Agent
from agent_server.agents.compact import CompactAgent
from agent_server.agents.config import AgentFileError, read_agent
from agent_server.agents.make import Agents
from agent_server.policy.client import VllmPolicy
from agent_server.policy.controls import CONTROLS, POLICIES
from agent_server.policy.oracle import OraclePolicy
from agent_server.policy.policy import Policy
from agent_server.settings import Settings
from envs.client import HostClient, SessionPool
from envs.outcomes import EpisodeFault, InvalidReason
from envs.session import Session
from envs.tasks import Env, Task

REST_S = 2.0
"""How long a host that just failed is asked last: it fails fast, so it would look idle."""


@dataclass(slots=True)
class _Host:
    client: HostClient
    pool: SessionPool
    in_flight: int = 0
    rests_until: float = 0.0


class HttpBackends:
    """One pool a host, one policy client a process; opened on the loop that uses them.

    A browser host keeps sessions warm for this worker. A desktop is lent for one episode and given
    back, since other workers want it too; it stays warm in its host."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._hosts: dict[Env, list[_Host]] = {"browser": [], "desktop": []}
        self._policy: VllmPolicy | None = None
        self._agents: Agents | None = None

    async def open(self) -> None:
        settings = self._settings
        for url in await asyncio.to_thread(addresses, settings.host_urls):
            self._add("browser", url, settings.sessions_per_host, keep=True)
        for url in await asyncio.to_thread(addresses, settings.desktop_urls):
            self._add("desktop", url, 1, keep=False)

    def _add(self, env: Env, url: str, size: int, keep: bool) -> None:
        client = HostClient(url, self._settings.host_token or None)
        self._hosts[env].append(_Host(client, SessionPool(client, size, env, keep)))

    @asynccontextmanager
    async def session(self, env: Env) -> AsyncIterator[Session]:
        """A session of the least busy host; closed, not kept, if the body raises."""
        hosts = self._hosts[env]
        if not hosts:
            variable = "DESKHAND_HOST_URLS" if env == "browser" else "DESKHAND_DESKTOP_URLS"
            raise EpisodeFault(InvalidReason.HOST_START, f"{variable} names no {env} host")
        now = time.monotonic()
        host = min(hosts, key=lambda host: (host.rests_until > now, host.in_flight))
        host.in_flight += 1
        try:
            async with host.pool.lease() as session:
                yield session
        except Exception:
            host.rests_until = time.monotonic() + REST_S
            raise
        finally:
            host.in_flight -= 1

    def agent(self, name: str, task: Task) -> Agent:
        """For one episode. Raises EpisodeFault."""
        if name in POLICIES:
            return CompactAgent(task, self._own_policy(name, task))
        if self._agents is None:
            self._agents = self._read_agents()
        if self._agents.spec.name != name:
            detail = f"DESKHAND_AGENT describes {self._agents.spec.name}, not {name}"
            raise EpisodeFault(InvalidReason.POLICY_DENIED, detail)
        return self._agents.make(task)

    def _read_agents(self) -> Agents:
        file = self._settings.agent
        if file is None:
            raise EpisodeFault(InvalidReason.POLICY_DENIED, "DESKHAND_AGENT is not set")
        try:
            return Agents(read_agent(file))
        except AgentFileError as error:
            raise EpisodeFault(InvalidReason.POLICY_DENIED, str(error)) from error

    def _own_policy(self, name: str, task: Task) -> Policy:
        if name == "oracle":
            return OraclePolicy(task)
        if name in CONTROLS:
            return CONTROLS[name]()
        if self._policy is None:
            self._policy = self._live_policy()
        return self._policy

    def _live_policy(self) -> VllmPolicy:
        """Made for the first episode that wants it: a worker may start before the policy does."""
        settings = self._settings
        if not settings.policy_url:
            raise EpisodeFault(InvalidReason.POLICY_ERROR, "DESKHAND_POLICY_URL is not set")
        tokenizer = settings.policy_tokenizer
        if tokenizer is not None:
            tokenizer = settings.run_dir / tokenizer
        if tokenizer is not None and not tokenizer.is_file():
            raise EpisodeFault(
                InvalidReason.POLICY_ERROR, f"DESKHAND_POLICY_TOKENIZER: no file {tokenizer}"
            )
        return VllmPolicy(
            settings.policy_url, settings.policy_model, settings.policy_timeout_s, tokenizer
        )

    async def close(self) -> None:
        async with AsyncExitStack() as stack:
            for host in (*self._hosts["browser"], *self._hosts["desktop"]):
                stack.push_async_callback(host.client.close)
                stack.push_async_callback(host.pool.close)
            if self._policy is not None:
                stack.push_async_callback(self._policy.close)
            if self._agents is not None:
                stack.push_async_callback(self._agents.close)
        self._hosts, self._policy = {"browser": [], "desktop": []}, None


def addresses(urls: Iterable[str]) -> list[str]:
    """A name that stands for several machines (a scaled service) becomes one URL for each of them;
    other URLs stay as they are, also those whose name is not known (yet)."""
    found: list[str] = []
    for url in urls:
        parts = urlsplit(url)
        try:
            known = socket.getaddrinfo(parts.hostname, parts.port, type=socket.SOCK_STREAM)
        except OSError:
            known = []
        several = sorted({str(info[4][0]) for info in known if info[0] is socket.AF_INET})
        if len(several) > 1:
            found += [f"{parts.scheme}://{address}:{parts.port}" for address in several]
        else:
            found.append(url)
    return found
