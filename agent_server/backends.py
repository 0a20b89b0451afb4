"""The sessions and policies of a worker: env hosts over HTTP, the policy server, the oracle."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from agent_server.policy.client import VllmPolicy
from agent_server.policy.oracle import OraclePolicy
from agent_server.policy.policy import Policy
from agent_server.settings import Settings
from envs.client import HostClient, SessionPool
from envs.outcomes import EpisodeFault, InvalidReason
from envs.session import Session
from envs.tasks import Task

REST_S = 2.0
"""How long a host that just failed is asked last: it fails fast, so it would look idle."""


@dataclass(slots=True)
class _Host:
    client: HostClient
    pool: SessionPool
    in_flight: int = 0
    rests_until: float = 0.0


class HttpBackends:
    """One pool a host, one policy client a process; opened on the loop that uses them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._hosts: list[_Host] = []
        self._policy: VllmPolicy | None = None

    async def open(self) -> None:
        settings = self._settings
        for url in settings.host_urls:
            client = HostClient(url, settings.host_token or None)
            self._hosts.append(_Host(client, SessionPool(client, settings.sessions_per_host)))

    @asynccontextmanager
    async def session(self) -> AsyncIterator[Session]:
        """A session of the least busy host; closed, not kept, if the body raises."""
        if not self._hosts:
            raise EpisodeFault(InvalidReason.HOST_START, "DESKHAND_HOST_URLS names no env host")
        now = time.monotonic()
        host = min(self._hosts, key=lambda host: (host.rests_until > now, host.in_flight))
        host.in_flight += 1
        try:
            async with host.pool.lease() as session:
                yield session
        except Exception:
            host.rests_until = time.monotonic() + REST_S
            raise
        finally:
            host.in_flight -= 1

    def policy(self, name: str, task: Task) -> Policy:
        if name == "oracle":
            return OraclePolicy(task)
        if self._policy is None:
            self._policy = self._live_policy()
        return self._policy

    def _live_policy(self) -> VllmPolicy:
        """Made for the first episode that wants it: a worker may start before the policy does."""
        settings = self._settings
        if not settings.policy_url:
            raise EpisodeFault(InvalidReason.POLICY_ERROR, "DESKHAND_POLICY_URL is not set")
        tokenizer = settings.policy_tokenizer
        if tokenizer is not None and not tokenizer.is_file():
            raise EpisodeFault(
                InvalidReason.POLICY_ERROR, f"DESKHAND_POLICY_TOKENIZER: no file {tokenizer}"
            )
        return VllmPolicy(
            settings.policy_url, settings.policy_model, settings.policy_timeout_s, tokenizer
        )

    async def close(self) -> None:
        async with AsyncExitStack() as stack:
            for host in self._hosts:
                stack.push_async_callback(host.client.close)
                stack.push_async_callback(host.pool.close)
            if self._policy is not None:
                stack.push_async_callback(self._policy.close)
        self._hosts, self._policy = [], None
