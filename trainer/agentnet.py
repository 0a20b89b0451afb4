"""Trajectories in the format of AgentNet (OpenCUA, arXiv:2508.09123) as examples to imitate.

A line of such a file is one task: `instruction`, what a judge made of it (`task_completed`,
`alignment_score` of 10), and `traj`, a list of steps with a picture and pyautogui code whose points
are fractions of the screen. `computer.terminate` and `computer.wait` are its own; other functions
of `computer` are pyautogui's.

Guarantees: only tasks that were completed, and of these only steps that were right and not
redundant, become examples (`trainer/trajectory_examples.py`). Code is parsed, never run.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, Field, ValidationError

from agent_server.episodes.seeing_agent import Fit
from agent_server.evaluation.export.chat import FILE, PICTURES
from envs.contract.actions import Done, Infeasible, SimpleAction
from envs.contract.task import Task
from envs.contract.validation import describe_unusable
from envs.dialects.dialect import Display, Refused, waits
from envs.dialects.pyautogui_calls import Pointer
from envs.dialects.pyautogui_script import read_script
from envs.dialects.view import View
from trainer.trajectory_examples import (
    ForeignStep,
    ImportCounts,
    ImportRefused,
    make_examples,
)

WAIT_S = 5.0
WRONG = "steps that the reflector calls wrong or redundant"
_OWN = re.compile(r"computer\.(terminate|wait)\((.*)\)")
_PREFIX = re.compile(r"^computer\.", re.MULTILINE)
_FAILED = re.compile(r"fail", re.IGNORECASE)


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
    steps = [
        ForeignStep(
            picture=pictures / step.image,
            read=partial(read_code, step.value.code),
            thought=step.value.thought or step.value.action,
            why_not=None if step.value.is_lesson else WRONG,
        )
        for step in line.traj
    ]
    async for row in make_examples(task, steps, to, view, fit, counts):
        yield row


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
