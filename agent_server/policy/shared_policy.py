"""Several policy servers that answer as one.

Guarantees: a turn goes to the server with the fewest turns under way; one that fails is passed over
for a while, and its turn is asked of the others, of each once; what all of them fail is a fault.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Protocol

from agent_server.episodes.agent import Policy, Turn
from agent_server.episodes.trajectory import Completion
from envs.contract.outcomes import EpisodeFault, InvalidReason

PASSED_OVER_S = 10.0
"""A dead server answers fastest: without this it would be asked first, again and again."""


class PolicyServer(Policy, Protocol):
    """A client of one server."""

    async def close(self) -> None:
        """Close the connections."""
        ...


class SharedPolicy:
    """See `agent_server.episodes.agent.Policy`. Closes the clients that it is given."""

    def __init__(self, servers: Sequence[PolicyServer]) -> None:
        self._under_way = dict.fromkeys(servers, 0)
        self._failed_at = dict.fromkeys(servers, float("-inf"))

    async def act(self, turn: Turn) -> Completion:
        """Raises EpisodeFault, that of the last server where all of them fail."""
        untried = list(self._under_way)
        while True:
            server = min(untried, key=self._rank)
            untried.remove(server)
            self._under_way[server] += 1
            try:
                return await server.act(turn)
            except EpisodeFault as fault:
                # A refusal or a wrong key is the same everywhere, and a timeout is long enough.
                if fault.reason is not InvalidReason.POLICY_ERROR or not untried:
                    raise
                self._failed_at[server] = time.monotonic()
            finally:
                self._under_way[server] -= 1

    async def close(self) -> None:
        """Close the connections."""
        for server in self._under_way:
            await server.close()

    def _rank(self, server: PolicyServer) -> tuple[bool, int]:
        has_failed = time.monotonic() - self._failed_at[server] < PASSED_OVER_S
        return has_failed, self._under_way[server]
