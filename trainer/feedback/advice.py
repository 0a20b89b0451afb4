"""A task with feedback on an earlier attempt in its instruction, and prompts without it again.

Guarantees: `unadvised_prompt` gives exactly what the policy would have read had it been told
nothing, or None where the prompt does not show the instruction once on a line of its own.
"""

from __future__ import annotations

from agent_server.episodes.compact import task_line
from envs.contract.task import Task

LEAD = "An earlier attempt failed: "


def advise(task: Task, feedback: str) -> Task:
    """The task, told what went wrong; verdict and solution do not read the instruction."""
    if not feedback:
        return task
    return task.model_copy(update={"instruction": f"{task.instruction} {LEAD}{feedback}"})


def unadvised_prompt(prompt: str, advised: str, instruction: str) -> str | None:
    """The prompt with the instruction in place of the one that was `advised`."""
    advised_line, line = task_line(advised), task_line(instruction)
    lines = prompt.split("\n")
    if lines.count(advised_line) != 1:
        return None
    return "\n".join(line if each == advised_line else each for each in lines)
