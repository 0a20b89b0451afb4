"""An oracle that slips: some of its answers are first given in a way that nothing on the page fits.

Guarantees: a slip is refused before anything is done, so the page stays and the answer that follows
is the oracle's own; which answers slip depends on the task alone. Demonstrations so show what
follows an error, which an oracle never makes and a learner does (DART, Laskey et al. 2017,
arXiv:1703.09327, for text).
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from agent_server.episodes.agent import Turn
from agent_server.episodes.compact import parse
from agent_server.episodes.trajectory import Completion
from agent_server.policy.oracle import OraclePolicy
from envs.contract.observations import TreeLine, tree_lines
from envs.contract.task import Task

NAME = "stumbling"
SHARE = 0.08
"""Of the answers, how many are preceded by a slip."""
MOST_IN_A_ROW = 2


class StumblingOracle:
    """See `agent_server.episodes.agent.Policy`. Of one episode."""

    def __init__(self, task: Task) -> None:
        """Raises EpisodeFault where the task has no oracle."""
        self._oracle = OraclePolicy(task)
        self._rng = random.Random(f"stumble:{task.id}")
        self._kept: Completion | None = None
        self._slips = 0

    async def act(self, turn: Turn) -> Completion:
        """The oracle's answer or a slip; raises what the oracle raises."""
        completion = self._kept or await self._oracle.act(turn)
        self._kept = None
        lines = tree_lines(turn.observation.tree)
        if self._slips < MOST_IN_A_ROW and self._rng.random() < SHARE:
            slip = make_slip(completion.text, lines, self._rng)
            if slip is not None:
                self._kept = completion
                self._slips += 1
                return Completion(text=slip)
        self._slips = 0
        return completion


def make_slip(answer: str, lines: Sequence[TreeLine], rng: random.Random) -> str | None:
    """The answer with its element miscalled: by a part of its name, by a mixture with another's, or
    by another's number. None where that would still be an action."""
    thought, _, action = answer.rpartition("\n")
    verb, _, rest = action.partition(" ")
    called, equals, value = rest.partition(" = ")
    other = rng.choice(lines) if lines else None
    match rng.randrange(3):
        case 0:
            called = called[: rng.randrange(len(called))].strip() if called else ""
        case 1 if other is not None:
            cut = rng.randint(1, max(len(called) - 1, 1))
            called = called[:cut] + other.name[-3:]
        case _ if other is not None:
            called = f"{called.partition(' #')[0]} #{other.ref or len(lines) + 1}"
    slip = f"{verb} {called}{equals}{value}"
    slip = f"{thought}\n{slip}" if thought else slip
    return slip if parse(slip, lines).error is not None else None
