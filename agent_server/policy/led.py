"""Episodes that the oracle begins and the served policy ends, so that it starts inside a solution.

Guarantees: the oracle takes the first steps, as many as it is told, and never the last one: where
it would end the episode, the policy goes on. Its answers have no tokens, so nobody learns from them
by reinforcement. Where one task's pages are the same, so is the state that its episodes start in.

Starts on a demonstration's way: Salimans and Chen 2018, arXiv:1812.03381; starts that move back as
the policy succeeds: Florensa et al. 2017, arXiv:1707.05300 (`trainer.leads`).
"""

from __future__ import annotations

from agent_server.episodes.agent import Policy, Turn
from agent_server.episodes.compact import parse
from agent_server.episodes.trajectory import Completion
from agent_server.policy.oracle import OraclePolicy
from envs.contract.actions import Done, Infeasible
from envs.contract.observations import tree_lines
from envs.contract.task import Task


class LedPolicy:
    """See `agent_server.episodes.agent.Policy`. Of one episode."""

    def __init__(self, policy: Policy, task: Task, steps: int) -> None:
        """Raises EpisodeFault where the task has no oracle."""
        self._policy, self._oracle, self._left = policy, OraclePolicy(task), steps

    async def act(self, turn: Turn) -> Completion:
        """Raises what the oracle or the policy raises."""
        if self._left:
            self._left -= 1
            completion = await self._oracle.act(turn)
            if not _ends(completion, turn):
                return completion
            self._left = 0
        return await self._policy.act(turn)


def _ends(completion: Completion, turn: Turn) -> bool:
    lines = tree_lines(turn.observation.tree)
    return isinstance(parse(completion.text, lines).action, Done | Infeasible)
