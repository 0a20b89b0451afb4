"""Agents that speak the compact dialect: one prompt a step, which tells what was done so far."""

from __future__ import annotations

from collections.abc import Sequence

from agent_server.agents.agent import Answer, outcome
from agent_server.episodes.compact import parse
from agent_server.episodes.prompt import Past, build_prompt
from agent_server.policy.policy import Policy, Sampling, Turn
from envs.actions import ActionResult
from envs.dialects.dialect import Parsed
from envs.observations import Observation, Observe, parse_tree
from envs.tasks import Task


class CompactTurns:
    """Writes the prompts of one episode and reads the answers to them."""

    def __init__(self, task: Task) -> None:
        self._instruction = task.instruction
        self._history: list[Past] = []
        self._last: tuple[Parsed, str] | None = None

    def prompt(self, observation: Observation, results: Sequence[ActionResult]) -> str:
        if self._last is not None:
            parsed, tree = self._last
            self._history.append(Past.of(parsed.action, tree, outcome(parsed, results)))
        return build_prompt(self._instruction, self._history, observation)

    def read(self, text: str, observation: Observation) -> Parsed:
        tree = observation.tree
        seen = "" if tree is None else tree.text
        parsed = parse(text, parse_tree(seen), None if tree is None else tree.id)
        self._last = (parsed, seen)
        return parsed


class CompactAgent:
    """A policy of ours: served, an oracle, or a control."""

    longest_s = 0.0

    def __init__(self, task: Task, policy: Policy) -> None:
        self._task, self._policy = task, policy
        self._turns = CompactTurns(task)

    def wanted(self, observe: Observe) -> Observe:
        return observe

    async def act(
        self, observation: Observation, results: Sequence[ActionResult], sampling: Sampling
    ) -> Answer:
        """See `Agent.act`."""
        prompt = self._turns.prompt(observation, results)
        completion = await self._policy.act(Turn(self._task, observation, prompt, sampling))
        return Answer(prompt, completion, self._turns.read(completion.text, observation))
