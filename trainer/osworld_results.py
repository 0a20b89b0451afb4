"""Result folders of OSWorld as examples to imitate: its own runners' and those that we export.

    .../<domain>/<task>/traj.jsonl    a line an action: step_num, action, response, screenshot_file
    .../<domain>/<task>/result.txt    the score
    .../<domain>/<task>/task.json     ours: id, instruction, split

A picture in traj.jsonl was taken after its action. So what was seen before a step is the last
picture of the step before it; for the first it is step_0_*.png, which our export writes and
OSWorld's runners do not: their first step is seen on the picture after it, and not imitated. Lines
with one `step_num` are the actions of one answer.

Guarantees: only tasks with a score of at least the threshold; none of our dev and test tasks;
actions are parsed, never run: pyautogui scripts, `computer_13`, WAIT, DONE and FAIL
(`envs/dialects/osworld.py`), and our own actions on points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, TypeAdapter, ValidationError

from agent_server.episodes.seeing_agent import Fit
from agent_server.evaluation.export.chat import FILE, PICTURES
from envs.contract.actions import Action, SimpleAction, Target, single_actions
from envs.contract.task import Task
from envs.contract.validation import describe_unusable
from envs.dialects import osworld
from envs.dialects.coordinates import with_places
from envs.dialects.dialect import Display, Refused
from envs.dialects.view import View
from trainer.trajectory_examples import (
    ForeignStep,
    ImportCounts,
    ImportRefused,
    make_examples,
)

LINES, RESULT, TASK = "traj.jsonl", "result.txt", "task.json"
_ACTION: TypeAdapter[Action] = TypeAdapter(Action)


class ResultLine(BaseModel):
    """One action of a task."""

    step_num: int
    action: Any = None
    response: Any = None
    screenshot_file: str | None = None


class ResultTask(BaseModel):
    """What a task asks for, of its own file or of one that our export wrote beside the result."""

    id: str
    instruction: str
    split: str = "train"


async def import_osworld(
    results: Path, to: Path, view: View, fit: Fit, tasks: Path | None = None, min_score: float = 1.0
) -> ImportCounts:
    """Writes chat.jsonl and pictures below `to`. `tasks`: OSWorld's task files, somewhere below it
    as <task>.json; they have the instructions that its result folders lack. `fit`: makes a picture
    as large as the model reads it. Raises ImportRefused."""
    folders = sorted(file.parent for file in results.rglob(LINES))
    if not folders:
        raise ImportRefused(f"there is no {LINES} below {results}: name a folder of results")
    task_files = {} if tasks is None else {file.stem: file for file in tasks.rglob("*.json")}
    (to / PICTURES).mkdir(parents=True, exist_ok=True)
    counts = ImportCounts()
    with (to / FILE).open("wb") as out:
        for folder in folders:
            try:
                lines = _read_lines(folder)
                task = _read_task(folder, task_files)
                if reason := _why_left_out(folder, task, min_score):
                    counts.left_out[reason] += 1
                    continue
                counts.tasks += 1
                steps = list(_steps(folder, lines))
                own = Task(id=task.id, instruction=task.instruction, env="desktop")
                async for row in make_examples(own, steps, to, view, fit, counts):
                    out.write(orjson.dumps(row) + b"\n")
            except (ValidationError, OSError) as error:
                raise ImportRefused(f"{folder}: {describe_unusable(error)}") from error
    return counts


def _read_lines(folder: Path) -> list[ResultLine]:
    lines = []
    for number, text in enumerate((folder / LINES).read_bytes().splitlines(), 1):
        if text.strip():
            try:
                lines.append(ResultLine.model_validate_json(text))
            except ValidationError as error:
                reason = describe_unusable(error)
                raise ImportRefused(f"{folder / LINES}, line {number}: {reason}") from error
    return lines


def _read_task(folder: Path, task_files: Mapping[str, Path]) -> ResultTask:
    file = folder / TASK
    if not file.is_file():
        if folder.name not in task_files:
            raise ImportRefused(
                f"{folder} says no instruction: name the folder of the task files with --tasks, "
                f"one of which is {folder.name}.json"
            )
        file = task_files[folder.name]
    return ResultTask.model_validate_json(file.read_bytes())


def _why_left_out(folder: Path, task: ResultTask, min_score: float) -> str | None:
    """Why a task's trajectory is no example, if it is none."""
    if task.split != "train":
        return "tasks of the dev and test splits: they measure policies"
    if not (folder / RESULT).is_file():
        return "tasks without a score"
    text = (folder / RESULT).read_text().strip()
    try:
        score = float(text)
    except ValueError as error:
        raise ImportRefused(f"{folder / RESULT} holds no score, but {text[:40]!r}") from error
    return None if score >= min_score else "tasks below min_score"


def _steps(folder: Path, lines: Sequence[ResultLine]) -> Iterator[ForeignStep]:
    before = next(iter(sorted(folder.glob("step_0_*.png"))), None)
    why_not = None if before is not None else "first steps, of which no picture was kept"
    for _, group in groupby(lines, key=lambda line: line.step_num):
        own = list(group)
        name = own[-1].screenshot_file
        after = None if name is None else folder / Path(name).name
        before = before or after
        if before is None:
            raise ImportRefused(f"{folder}: no picture of step {own[0].step_num}")
        thought = osworld.parse(own[0].response, Display(1, 1)).thought
        read = partial(_read_actions, [line.action for line in own])
        yield ForeignStep(before, read, thought, why_not)
        why_not = None
        if after is None or any(_changes_picture(line.action) for line in own):
            why_not = "steps whose screen no picture shows as it was"
        before = after or before


def _changes_picture(action: Any) -> bool:
    """Whether the next picture is of a part of the screen, or drawn upon."""
    return isinstance(action, dict) and action.get("type") in ("zoom", "mark")


def _read_actions(recorded: Sequence[Any], width: int, height: int) -> list[SimpleAction]:
    """Actions of one answer, their targets pixels of the screen. Raises Refused."""

    def in_pixels(target: Target) -> Target:
        if target.x is None:
            raise Refused("an action on an element, not on a point")
        x, y = target.in_pixels(width, height)
        if not (0 <= x < width and 0 <= y < height):
            raise Refused("a point outside of the screen")
        return Target(x=x, y=y)

    display = Display(width, height)
    actions: list[SimpleAction] = []
    for action in recorded:
        if action is None:
            raise Refused("an answer that was not understood")
        if isinstance(action, dict) and "type" in action:
            try:
                own = single_actions(_ACTION.validate_python(action))
            except ValidationError as error:
                raise Refused(describe_unusable(error)) from error
            actions += [with_places(each, in_pixels) for each in own]
            continue
        parsed = osworld.parse(action, display)
        if parsed.error is not None:
            raise Refused(parsed.error.message)
        actions += parsed.actions
    return actions
