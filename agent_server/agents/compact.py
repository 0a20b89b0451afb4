"""Agents that use the compact dialect: one prompt a step, with the history in it.

Guarantees: the page comes first, then the task and what was done, which stand next to the answer
and are never cut off; a prompt's length is bounded; text from pages is only quoted, one line an
element, so that it cannot pass for another part of the prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent_server.episodes.agent import Answer, Policy, Sampling, Turn, outcome
from agent_server.episodes.compact import describe, parse
from envs.contract.actions import Action, ActionResult
from envs.contract.observations import Observation, Observe, lines_of, one_line, parse_tree
from envs.contract.task import Task
from envs.dialects.dialect import Parsed

TASK = "task: "
HISTORY_STEPS = 8
"""Older steps are left out; the page itself shows most of what they did."""
ERROR_CHARS = 90
VALUE_CHARS = 240


@dataclass(frozen=True, slots=True)
class Past:
    """A finished step, as later prompts describe it."""

    description: str
    result: ActionResult

    @classmethod
    def of(cls, action: Action | None, tree: str, result: ActionResult) -> Past:
        """Describe an action; `tree`, the text it was chosen on, gives the element's name."""
        if action is None:
            return cls("?", result)
        return cls(describe(action, parse_tree(tree)), result)

    def lines(self) -> list[str]:
        """One or two lines of a prompt: the action, and its error or value."""
        lines = [f"did: {self.description}"]
        if not self.result.ok:
            lines.append(f"error: {one_line(self.result.message, ERROR_CHARS)}")
        elif self.result.value is not None:
            lines.append(f"got: {one_line(str(self.result.value), VALUE_CHARS)}")
        return lines


def build_prompt(instruction: str, history: list[Past], observation: Observation) -> str:
    """The user message that the policy answers."""
    lines = [*lines_of(observation), f"{TASK}{one_line(instruction, 2000)}"]
    for past in history[-HISTORY_STEPS:]:
        lines += past.lines()
    return "\n".join(lines)


class CompactTurns:
    """Writes the prompts of one episode and parses the answers."""

    def __init__(self, task: Task) -> None:
        self._instruction = task.instruction
        self._history: list[Past] = []
        self._last: tuple[Parsed, str] | None = None

    def prompt(self, observation: Observation, results: Sequence[ActionResult]) -> str:
        """The next prompt; `results` are of the last answer's actions."""
        if self._last is not None:
            parsed, tree = self._last
            self._history.append(Past.of(parsed.action, tree, outcome(parsed, results)))
        return build_prompt(self._instruction, self._history, observation)

    def read(self, text: str, observation: Observation) -> Parsed:
        """Parse an answer to this observation."""
        tree = observation.tree
        tree_text = "" if tree is None else tree.text
        parsed = parse(text, parse_tree(tree_text), None if tree is None else tree.id)
        self._last = (parsed, tree_text)
        return parsed


class CompactAgent:
    """A policy of Deskhand: served, an oracle, or a control."""

    longest_s = 0.0

    def __init__(self, task: Task, policy: Policy) -> None:
        self._task, self._policy = task, policy
        self._turns = CompactTurns(task)

    def extend_observe(self, observe: Observe) -> Observe:
        """Nothing more than the request."""
        return observe

    async def act(
        self, observation: Observation, results: Sequence[ActionResult], sampling: Sampling
    ) -> Answer:
        """See `Agent.act`."""
        prompt = self._turns.prompt(observation, results)
        completion = await self._policy.act(Turn(self._task, observation, prompt, sampling))
        return Answer(prompt, completion, self._turns.read(completion.text, observation))
