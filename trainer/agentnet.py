"""Trajectories in the format of AgentNet (OpenCUA, arXiv:2508.09123) as examples to imitate.

A line of such a file is one task: `instruction`, what a judge made of it (`task_completed`,
`alignment_score` of 10), and `traj`, a list of steps with a picture and pyautogui code whose points
are fractions of the screen. `computer.terminate` and `computer.wait` are its own; other functions
of `computer` are pyautogui's.

Guarantees: only tasks that were completed, and of these only steps that were right and not
redundant, become examples; the others stay in the history of the prompts that follow, for that is
what the policy will see. Prompts, pictures and answers are made by the agent that will act by them
(`SeeingAgent`). Code is parsed, never run. What cannot be said in the dialect is left out and
counted.
"""

from __future__ import annotations

import base64
import io
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
from PIL import Image, UnidentifiedImageError
from pydantic import BaseModel, Field, ValidationError

from agent_server.episodes.agent import Answer, Sampling, Turn
from agent_server.episodes.seeing_agent import Fit, SeeingAgent, write_actions
from agent_server.episodes.trajectory import Completion
from agent_server.evaluation.export.chat import FILE, PICTURES, write_example
from envs.contract.actions import ActionResult, Done, Infeasible, SimpleAction
from envs.contract.observations import Observation, Screenshot
from envs.contract.task import Task
from envs.contract.validation import describe_unusable
from envs.dialects.dialect import Display, Refused, waits
from envs.dialects.pyautogui_calls import Pointer
from envs.dialects.pyautogui_script import read_script
from envs.dialects.view import View

WAIT_S = 5.0
_OWN = re.compile(r"computer\.(terminate|wait)\((.*)\)")
_PREFIX = re.compile(r"^computer\.", re.MULTILINE)
_FAILED = re.compile(r"fail", re.IGNORECASE)


class ImportRefused(ValueError):
    """A file that is no such collection; the message names the line."""


class StepValue(BaseModel):
    """What was done in a step, and what a reflector says of it; both flags are of this very step,
    whatever their names say."""

    code: str
    thought: str = ""
    action: str = ""
    last_step_correct: bool | None = None
    last_step_redundant: bool | None = None

    @property
    def is_lesson(self) -> bool:
        """Whether it is to be imitated; where nobody judged the step, the task's verdict counts."""
        return self.last_step_correct is not False and self.last_step_redundant is not True


class TrajectoryStep(BaseModel):
    """A picture, and what was done on seeing it."""

    image: str
    value: StepValue


class TrajectoryLine(BaseModel):
    """One task of a file."""

    task_id: str
    instruction: str
    task_completed: bool | None = None
    alignment_score: float | None = Field(None, ge=0, le=10)
    traj: tuple[TrajectoryStep, ...]


@dataclass(slots=True)
class ImportCounts:
    """What became of the steps; `left_out` by the reason."""

    examples: int = 0
    tasks: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class _Script:
    """Says what was said; keeps the turn that the agent made of it."""

    text: str = ""
    turn: Turn | None = None

    async def act(self, turn: Turn) -> Completion:
        self.turn = turn
        return Completion(text=self.text)


async def import_agentnet(
    file: Path, pictures: Path, to: Path, view: View, fit: Fit, min_alignment: float = 0.0
) -> ImportCounts:
    """Writes chat.jsonl and pictures below `to`. `pictures`: where the steps' files lie. `fit`:
    makes a picture as large as the model reads it.

    Raises ImportRefused where a line is none of such a file or names a picture that is not there.
    """
    (to / PICTURES).mkdir(parents=True, exist_ok=True)
    counts = ImportCounts()
    with file.open("rb") as lines, (to / FILE).open("wb") as out:
        for number, text in enumerate(lines, 1):
            if not text.strip():
                continue
            try:
                line = TrajectoryLine.model_validate_json(text)
                async for row in _examples(line, pictures, to, view, fit, min_alignment, counts):
                    out.write(orjson.dumps(row) + b"\n")
            except (ValidationError, OSError) as error:
                raise ImportRefused(f"{file}, line {number}: {describe_unusable(error)}") from error
    return counts


async def _examples(
    line: TrajectoryLine,
    pictures: Path,
    to: Path,
    view: View,
    fit: Fit,
    min_alignment: float,
    counts: ImportCounts,
) -> AsyncIterator[dict[str, Any]]:
    if not line.task_completed:
        counts.left_out["steps of tasks that no judge calls completed"] += len(line.traj)
        return
    if (line.alignment_score or 0.0) < min_alignment:
        counts.left_out["steps of tasks below min_alignment"] += len(line.traj)
        return
    counts.tasks += 1
    task = Task(id=line.task_id, instruction=line.instruction, env="desktop")
    script = _Script()
    agent = SeeingAgent(task, script, view, fit, policy_speaks_compact=False)
    results: Sequence[ActionResult] = ()
    for index, step in enumerate(line.traj):
        screenshot = read_screenshot(pictures / step.image)
        size = (screenshot.width, screenshot.height)
        thought = step.value.thought or step.value.action
        try:
            actions = read_code(step.value.code, *size)
            shown = fit(screenshot)
            display = Display(*size, (shown.width, shown.height))
            script.text = write_actions(view, thought if view.thoughts else "", actions, display)
        except Refused as refused:
            counts.left_out[f"steps that the dialect cannot say: {refused}"] += 1
            continue
        answer = await agent.act(
            Observation(hash=str(index), screenshot=screenshot), results, Sampling()
        )
        results = tuple(ActionResult.success() for _ in answer.parsed.actions)
        if not step.value.is_lesson:
            counts.left_out["steps that the reflector calls wrong or redundant"] += 1
            continue
        counts.examples += 1
        yield _make_line(to, line.task_id, index, answer)


def read_code(code: str, width: int, height: int) -> list[SimpleAction]:
    """Actions of a step on a screen of that size. Raises Refused."""
    pointer = Pointer(Display(width, height, shown=(1, 1)))
    actions: list[SimpleAction] = []
    script: list[str] = []

    def flush() -> Iterator[SimpleAction]:
        text = _PREFIX.sub("pyautogui.", "\n".join(script))
        script.clear()
        yield from read_script(text, pointer)

    for line in code.splitlines():
        own = _OWN.fullmatch(line.strip())
        if own is None:
            script.append(line)
            continue
        actions += flush()
        if own[1] == "wait":
            actions += waits(WAIT_S)
        else:
            actions.append(Infeasible() if _FAILED.search(own[2]) else Done())
    actions += flush()
    if not actions:
        raise Refused("a step without an action")
    return actions


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
