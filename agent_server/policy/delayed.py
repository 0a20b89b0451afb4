"""A policy that answers later than it could: what one on another machine costs an episode.

For measurements: requests wait side by side, as they would for a GPU that has room for all of
them, and the wait takes nothing of this machine.
"""

from __future__ import annotations

import asyncio

from agent_server.episodes.agent import Policy, Turn
from agent_server.episodes.trajectory import Completion


class DelayedPolicy:
    """See `agent_server.episodes.agent.Policy`."""

    def __init__(self, policy: Policy, delay_s: float) -> None:
        self._policy, self._delay_s = policy, delay_s

    async def act(self, turn: Turn) -> Completion:
        """Raises what the policy raises."""
        await asyncio.sleep(self._delay_s)
        return await self._policy.act(turn)
