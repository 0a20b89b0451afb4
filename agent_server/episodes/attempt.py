"""An episode told to a model that did not see it: the task, each step in a line, the last page.

Guarantees: bounded in characters; text of pages and answers stays on its own lines, so that a page
cannot pass for a line of ours. The verdict is not in it: a judge must not know it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent_server.episodes.compact import describe
from agent_server.episodes.trajectory import Step
from envs.contract.observations import one_line, parse_tree

STEPS_TOLD = 30
"""The last ones: how an attempt ended says more than how it began."""
LINE_CHARS = 240
PAGE_CHARS = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One episode that has ended. `reason`: why, as an `EndReason`; `answer`: what it reported."""

    instruction: str
    steps: tuple[Step, ...]
    reason: str = ""
    answer: str | None = None

    def text(self) -> str:
        """Lines for a model's prompt."""
        lines = [f"task: {one_line(self.instruction, 2000)}"]
        left_out = max(len(self.steps) - STEPS_TOLD, 0)
        if left_out:
            lines.append(f"({left_out} earlier steps are left out)")
        lines += [describe_step(step) for step in self.steps[left_out:]]
        if self.steps:
            lines.append("the page before the last action:")
            page = self.steps[-1].tree or self.steps[-1].prompt
            lines += [f"| {line}" for line in page[:PAGE_CHARS].splitlines()]
        lines.append(f"it ended by: {self.reason or 'unknown'}")
        if self.answer is not None:
            lines.append(f"its answer: {one_line(self.answer, LINE_CHARS)}")
        return "\n".join(lines)


def describe_step(step: Step) -> str:
    """One line: what was thought, done, and what came of it."""
    if step.action is None:
        done = f"(cannot be read) {step.completion.text}"
    else:
        done = describe(step.action, parse_tree(step.tree))
    thought = f" because: {step.thought}" if step.thought else ""
    return one_line(f"step {step.index + 1}: {done}{thought} -> {step.outcome}", LINE_CHARS)


def last_error(steps: Sequence[Step]) -> str | None:
    """The message of the last action that failed; None where none did."""
    failed = (step for step in reversed(steps) if not step.result.ok)
    step = next(failed, None)
    return None if step is None else step.result.message
