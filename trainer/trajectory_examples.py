"""Trajectories of others as examples to imitate: what the agent that will act would have read and
written at their steps.

Guarantees: prompts, pictures and answers are made by that agent (`SeeingAgent`); a step that is not
imitated stays in the history of the prompts that follow, for that is what the policy will see; what
cannot be said in the dialect is left out and counted.
"""

from __future__ import annotations

import base64
import io
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image, UnidentifiedImageError

from agent_server.episodes.agent import Answer, Sampling, Turn
from agent_server.episodes.seeing_agent import Fit, SeeingAgent, write_actions
from agent_server.episodes.trajectory import Completion
from agent_server.evaluation.export.chat import write_example
from envs.contract.actions import ActionResult, SimpleAction
from envs.contract.observations import Observation, Screenshot
from envs.contract.task import Task
from envs.dialects.dialect import Display, Refused
from envs.dialects.view import View


class ImportRefused(ValueError):
    """Files that are no such trajectories; the message names the place."""


@dataclass(slots=True)
class ImportCounts:
    """What became of the steps; `left_out` by the reason."""

    examples: int = 0
    tasks: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class ForeignStep:
    """What was done on seeing a picture. `read`: actions on a screen of the picture's width and
    height; raises Refused. `why_not`: why it is not imitated, if it is not."""

    picture: Path
    read: Callable[[int, int], Sequence[SimpleAction]]
    thought: str = ""
    why_not: str | None = None


@dataclass(slots=True)
class _Script:
    """Says what was done."""

    text: str = ""

    async def act(self, turn: Turn) -> Completion:
        return Completion(text=self.text)


async def make_examples(
    task: Task,
    steps: Sequence[ForeignStep],
    to: Path,
    view: View,
    fit: Fit,
    counts: ImportCounts,
) -> AsyncIterator[dict[str, Any]]:
    """Lines for a file of examples in `to`; their pictures are written. Raises OSError."""
    script = _Script()
    agent = SeeingAgent(task, script, view, fit, policy_speaks_compact=False)
    results: Sequence[ActionResult] = ()
    for index, step in enumerate(steps):
        screenshot = read_screenshot(step.picture)
        size = (screenshot.width, screenshot.height)
        try:
            actions = step.read(*size)
            shown = fit(screenshot)
            display = Display(*size, (shown.width, shown.height))
            thought = step.thought if view.thoughts else ""
            script.text = write_actions(view, thought, actions, display)
        except Refused as refused:
            counts.left_out[f"steps that the dialect cannot say: {refused}"] += 1
            continue
        answer = await agent.act(
            Observation(hash=str(index), screenshot=screenshot), results, Sampling()
        )
        results = tuple(ActionResult.success() for _ in answer.parsed.actions)
        if step.why_not is not None:
            counts.left_out[step.why_not] += 1
            continue
        counts.examples += 1
        yield _make_line(to, task.id, index, answer)


def read_screenshot(file: Path) -> Screenshot:
    """A picture's file. Raises OSError."""
    data = file.read_bytes()
    try:
        with Image.open(io.BytesIO(data)) as image:
            kind, size = (image.format or "").lower(), image.size
    except UnidentifiedImageError as error:
        raise OSError(f"{file} is no picture") from error
    if kind not in ("png", "jpeg"):
        raise OSError(f"{file} is a picture of the kind {kind}, not png or jpeg")
    encoded = base64.b64encode(data).decode()
    return Screenshot(format=kind, width=size[0], height=size[1], data=encoded)


def _make_line(to: Path, task_id: str, index: int, answer: Answer) -> dict[str, Any]:
    about = {"task": task_id, "step": index, "split": "train"}
    return write_example(to, answer.sent, answer.completion) | about
