"""An agent that first does again what was done before, and then goes on by itself.

Guarantees: a step is repeated only on a page where it means the same: the same address, and each
element that it acts on found by role and name; otherwise the episode ends as `unrunnable`, with the
step and what is different. Repeated steps ask nobody and cost no tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from agent_server.episodes.agent import Agent, Answer, Sampling
from agent_server.episodes.compact import describe
from agent_server.episodes.trajectory import Completion, Step
from envs.contract.actions import Action, ActionResult, action_adapter, single_actions
from envs.contract.observations import Observation, Observe, TreeLine, parse_tree
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.dialects.dialect import Call, Parsed

REPLAYED = "replayed"
"""The finish reason of a repeated answer."""


class Diverged(Exception):
    """A step would not mean the same here; the message says why."""


class ReplayAgent:
    """See `Agent`. `steps`: what to repeat; answers that could not be read changed nothing, and are
    left out."""

    def __init__(self, agent: Agent, steps: Sequence[Step]) -> None:
        self._agent = agent
        self._steps = [step for step in steps if step.action is not None]
        self._next = 0
        self.longest_s = agent.longest_s

    def extend_observe(self, observe: Observe) -> Observe:
        """See `Agent.extend_observe`. The tree is what pages are compared by."""
        return self._agent.extend_observe(observe).model_copy(update={"tree": True})

    def tell(self, text: str) -> None:
        """See `Agent.tell`."""
        self._agent.tell(text)

    async def act(
        self, observation: Observation, results: Sequence[ActionResult], sampling: Sampling
    ) -> Answer:
        """See `Agent.act`. Raises EpisodeFault(unrunnable) where the replay diverges."""
        if self._next > 0 and self._next <= len(self._steps):
            self._check_results(self._steps[self._next - 1], results)
        if self._next < len(self._steps):
            step = self._steps[self._next]
            self._next += 1
            return self._repeat(step, observation)
        if self._next == len(self._steps):
            # The agent was not there: it is told, and takes the page as its first.
            self._next += 1
            self._agent.tell(describe_steps(self._steps))
            results = ()
        return await self._agent.act(observation, results, sampling)

    def _repeat(self, step: Step, observation: Observation) -> Answer:
        assert step.action is not None
        try:
            action = transfer(step, observation)
        except Diverged as error:
            raise _make_fault(step, str(error)) from error
        parsed = Parsed(step.thought, (Call(actions=single_actions(action)),))
        completion = Completion(text=step.completion.text, finish_reason=REPLAYED)
        return Answer("", completion, parsed)

    def _check_results(self, step: Step, results: Sequence[ActionResult]) -> None:
        is_ok = all(result.ok for result in results)
        if is_ok != step.result.ok:
            failed = next((result.message for result in results if not result.ok), "it succeeds")
            raise _make_fault(step, f"its result is another one: {failed}")


def transfer(step: Step, observation: Observation) -> Action:
    """The step's action for this observation. Raises Diverged."""
    place = _place_of(observation.url)
    if step.url and _place_of(step.url) != place:
        raise Diverged(f"the page is {place}, not {_place_of(step.url)}")
    tree = "" if observation.tree is None else observation.tree.text
    tree_id = None if observation.tree is None else observation.tree.id
    assert step.action is not None
    data = step.action.model_dump()
    _move_targets(data, parse_tree(step.tree), parse_tree(tree), tree_id)
    if tree != step.tree and step.tree and _has_point(data):
        raise Diverged("it acts on a point, and the page looks different")
    return action_adapter.validate_python(data)


def describe_steps(steps: Sequence[Step]) -> str:
    """What an agent is told of steps that were repeated in its place."""
    lines = [
        f"{number}. {describe(step.action, parse_tree(step.tree))}"
        for number, step in enumerate(steps, 1)
        if step.action is not None
    ]
    return "\n".join(["these steps were done already; go on from what you see:", *lines])


def _place_of(url: str) -> str:
    """Without scheme and host: a gym's address differs from run to run."""
    parts = urlsplit(url)
    return f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"


def _move_targets(
    value: Any, before: Sequence[TreeLine], now: Sequence[TreeLine], tree_id: int | None
) -> None:
    """Every element that the action names, by its number on the new page."""
    if isinstance(value, list | tuple):
        for part in value:
            _move_targets(part, before, now, tree_id)
        return
    if not isinstance(value, dict):
        return
    if isinstance(value.get("ref"), int):
        value["ref"] = _find_again(value["ref"], before, now)
        value["tree"] = tree_id
    for part in value.values():
        _move_targets(part, before, now, tree_id)


def _find_again(ref: int, before: Sequence[TreeLine], now: Sequence[TreeLine]) -> int:
    line = next((line for line in before if line.ref == ref), None)
    if line is None:
        raise Diverged(f"element #{ref} was on no list of its page")
    alike = [other for other in now if (other.role, other.name) == (line.role, line.name)]
    twins = [other for other in before if (other.role, other.name) == (line.role, line.name)]
    name = f"{line.role} {line.name}".strip()[:80]
    if not alike:
        raise Diverged(f"there is no {name!r} on the page")
    if len(alike) != len(twins):
        raise Diverged(f"there are {len(alike)} of {name!r} on the page, not {len(twins)}")
    chosen = alike[twins.index(line)].ref
    if chosen is None:
        raise Diverged(f"{name!r} is nothing to act on here")
    return chosen


def _has_point(value: Any) -> bool:
    if isinstance(value, dict):
        return value.get("x") is not None or any(_has_point(part) for part in value.values())
    return isinstance(value, list | tuple) and any(_has_point(part) for part in value)


def _make_fault(step: Step, why: str) -> EpisodeFault:
    detail = f"the replay differs at step {step.index + 1}: {why}"
    return EpisodeFault(InvalidReason.UNRUNNABLE, detail)
