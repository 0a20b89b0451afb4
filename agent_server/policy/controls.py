"""Controls: policies that know nothing. Their scores say what a task set gives away.

`noop` says at once that the task is done, `infeasible` that it cannot be done, `random` does
something valid at random, the same for the same task and seed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from agent_server.episodes.compact import render
from agent_server.episodes.trajectory import Completion
from agent_server.policy.policy import Policy, Turn
from envs.actions import Action, Click, Done, History, Infeasible, Scroll, SetValue, Target, Type
from envs.observations import TreeLine, parse_tree

DONE_SHARE = 0.05
"""How often the random policy says it is done, where it might do anything else."""


class FixedPolicy:
    """Gives the same answer whatever it sees."""

    def __init__(self, answer: Action) -> None:
        self._answer = answer

    async def act(self, turn: Turn) -> Completion:
        return Completion(text=render("", self._answer, ()))


class RandomPolicy:
    """One random action a step, on an element that it sees; the sampling's seed decides which."""

    async def act(self, turn: Turn) -> Completion:
        rng = random.Random(f"{turn.task.id}:{turn.sampling.seed}")
        tree = turn.observation.tree
        lines = [] if tree is None else parse_tree(tree.text)
        return Completion(text=render("", _any_action(rng, lines), lines))


def _any_action(rng: random.Random, lines: Sequence[TreeLine]) -> Action:
    if rng.random() < DONE_SHARE:
        return Done()
    elements = [line for line in lines if line.ref is not None]
    if not elements or rng.random() < 0.1:
        return rng.choice((Scroll(dy=1, unit="page"), Scroll(dy=-1, unit="page"),
                           History(op="back")))  # fmt: skip
    line = rng.choice(elements)
    target = Target(ref=line.ref)
    if line.options:
        return SetValue(target=target, value=rng.choice(line.options))
    if line.role == "box":
        words = " ".join(one.name for one in lines).split() or ["1"]
        return Type(text=rng.choice(words), target=target, clear=True, submit=rng.random() < 0.3)
    return Click(target=target)


CONTROLS: dict[str, Callable[[], Policy]] = {
    "noop": lambda: FixedPolicy(Done()),
    "infeasible": lambda: FixedPolicy(Infeasible()),
    "random": RandomPolicy,
}
"""By the name that an episode's `policy` has."""
POLICIES = ("live", "oracle", *CONTROLS)
