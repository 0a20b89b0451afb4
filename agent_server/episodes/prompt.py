"""The prompt of one step: task, what was done so far, the page now.

Guarantees: the stable parts come first (the engine's prefix cache then covers all but the page),
the length is bounded, and text from pages is only ever quoted, one line an element, so it cannot
pass for another part of the prompt.
"""

from __future__ import annotations

from dataclasses import dataclass

from agent_server.episodes.compact import describe
from envs.actions import Action, ActionResult
from envs.observations import Observation, lines_of, one_line, parse_tree

HISTORY_STEPS = 8
"""Older steps are left out; the page itself shows most of what they did."""
ERROR_CHARS = 90
VALUE_CHARS = 240


@dataclass(frozen=True, slots=True)
class Past:
    """One finished step as a later prompt tells it."""

    said: str
    result: ActionResult

    @classmethod
    def of(cls, action: Action | None, tree: str, result: ActionResult) -> Past:
        """`tree` is the tree text the action was chosen on; it gives the element's name."""
        if action is None:
            return cls("?", result)
        return cls(describe(action, parse_tree(tree)), result)

    def lines(self) -> list[str]:
        told = [f"did: {self.said}"]
        if not self.result.ok:
            told.append(f"error: {one_line(self.result.message, ERROR_CHARS)}")
        elif self.result.value is not None:
            told.append(f"got: {one_line(str(self.result.value), VALUE_CHARS)}")
        return told


def build_prompt(instruction: str, history: list[Past], observation: Observation) -> str:
    """The user message that the policy answers."""
    lines = [f"task: {one_line(instruction, 2000)}"]
    for past in history[-HISTORY_STEPS:]:
        lines += past.lines()
    return "\n".join([*lines, *lines_of(observation)])
