"""Control policies that know nothing. Their scores show what a task set gives away.

`noop` reports done at once, `infeasible` reports that the task cannot be done, `random` takes valid
random actions, the same for the same task and seed. `blind` is no policy of its own but a way to
run the live one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from agent_server.episodes.agent import Policy, Turn
from agent_server.episodes.compact import render
from agent_server.episodes.trajectory import Completion
from agent_server.policy.renamed import NAME as RENAMED
from agent_server.policy.stumbling import NAME as STUMBLING
from envs.contract.actions import (
    Action,
    Click,
    Done,
    History,
    Infeasible,
    Scroll,
    SetValue,
    Target,
    Type,
)
from envs.contract.observations import TreeLine, tree_lines

DONE_SHARE = 0.05
"""How often the random policy reports done instead of another action."""
WITHOUT_ELEMENT: tuple[Action, ...] = (
    Scroll(dy=1, unit="page"),
    Scroll(dy=-1, unit="page"),
    History(op="back"),
)


class FixedPolicy:
    """Gives the same answer to every observation."""

    def __init__(self, answer: Action) -> None:
        self._answer = answer

    async def act(self, turn: Turn) -> Completion:
        """The fixed answer."""
        return Completion(text=render("", self._answer, ()))


class RandomPolicy:
    """One random action a step, on a visible element; the sampling's seed decides which. Used for
    one episode: its generator goes on from step to step, so that a page seen twice does not get the
    same action for ever."""

    def __init__(self) -> None:
        self._rng: random.Random | None = None

    async def act(self, turn: Turn) -> Completion:
        """A random action on the observation."""
        if self._rng is None:
            self._rng = random.Random(f"{turn.task.id}:{turn.sampling.seed}")
        lines = tree_lines(turn.observation.tree)
        return Completion(text=render("", sample_action(self._rng, lines), lines))


def sample_action(rng: random.Random, lines: Sequence[TreeLine]) -> Action:
    """A valid action on one of the lines, or one that needs none."""
    if rng.random() < DONE_SHARE:
        return Done()
    elements = [line for line in lines if line.ref is not None]
    if not elements or rng.random() < 0.1:
        return rng.choice(WITHOUT_ELEMENT)
    line = rng.choice(elements)
    target = Target(ref=line.ref)
    if line.options:
        return SetValue(target=target, value=rng.choice(line.options))
    if line.role == "box":
        words = " ".join(line.name for line in lines).split() or ["1"]
        return Type(text=rng.choice(words), target=target, clear=True, submit=rng.random() < 0.3)
    return Click(target=target)


CONTROLS: dict[str, Callable[[], Policy]] = {
    "noop": lambda: FixedPolicy(Done()),
    "infeasible": lambda: FixedPolicy(Infeasible()),
    "random": RandomPolicy,
}
"""By the name that an episode's `policy` has."""
BLIND = "blind"
"""The live policy, shown blank pictures: what it knows of a task set without looking."""
POLICIES = ("live", RENAMED, "oracle", STUMBLING, *CONTROLS)
