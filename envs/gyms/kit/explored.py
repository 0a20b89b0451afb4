"""Tasks that a walk through an app found: a state to reach from the world of a seed, and the moves
that reached it (MobileGUI-RL, arXiv 2507.05720).

A task carries what its verdict needs in its params: the changes, by path. So any process that has
the app can judge it; only who samples tasks reads their file. Guarantees: a draw of a split's seed
gives a task in a world of that split, so what is evaluated was never trained on; the oracle repeats
the moves by role and name, as a person would.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from envs.contract.actions import SimpleAction, Target
from envs.contract.task import SPLIT_BASES, Split, Task, split_of
from envs.contract.validation import describe_first
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template
from envs.gyms.server.gym import OracleLost, OracleMove, State
from envs.gyms.server.view import Page
from envs.state.canonical import Change, apply_changes

PREFIX = "explored-"
"""Begins the names of their templates."""
WALK = f"{PREFIX}walk"
"""The template of a task that asks for nothing: its session is the world of its seed as it is."""
SUFFIX = ".jsonl"
"""Of a file of tasks, one a line, as task sets name it."""


class BadTaskFile(ValueError):
    """A file of explored tasks that cannot be used; the message names it."""


class Move(BaseModel):
    """An action, and its element by role, name and place among those alike."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    action: SimpleAction = Field(description="its target is what role and name say")
    role: str = ""
    name: str = ""
    place: int = Field(0, ge=0, description="how many like it stand before it")


class ExploredParams(BaseModel):
    """What the verdict and the oracle of such a task are made from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    instruction: str
    changes: tuple[dict[str, Any], ...] = Field(description="path, kind, after")
    moves: tuple[Move, ...]


def is_explored(template: str | None) -> bool:
    """Whether the name is of a template of explored tasks."""
    return (template or "").startswith(PREFIX)


def check_params(task: Task) -> None:
    """Raises ValueError where the task's params are none of such a task."""
    try:
        ExploredParams.model_validate(task.params)
    except ValidationError as error:
        raise ValueError(f"{task.id}: params.{describe_first(error)}") from error


def make_params(instruction: str, changes: Sequence[Change], moves: Sequence[Move]) -> Params:
    """JSON of a task's params."""
    kept = [{"path": c.path, "kind": c.kind, "after": c.after} for c in changes]
    recorded = [move.model_dump(mode="json", exclude_defaults=True) for move in moves]
    for written, move in zip(recorded, moves, strict=True):
        written["action"]["type"] = move.action.type
    return {"instruction": instruction, "changes": kept, "moves": recorded}


def make_template(name: str) -> Template[Any]:
    """The template of a name: all that its tasks differ in is in their params."""

    def refuse(*_: Any) -> Params:
        raise Resample("explored tasks come from their file")

    def apply(world: Any, params: Params, state: State) -> None:
        changes = [Change(**change) for change in params["changes"]]
        expected = apply_changes(copy.deepcopy(state), changes)
        state.clear()
        state.update(expected)

    return Template(
        name=name,
        skills=("multi-step",),
        oracle_steps=12,
        phrasings=("{instruction}",),
        sample_params=refuse,
        solve=repeat_moves,
        milestones=(FINISHED,),
        apply_expected=apply,
    )


def repeat_moves(page: Page, params: Params) -> Script:
    """The recorded moves, each on the element that is called so now. Raises OracleLost."""
    for move in (Move.model_validate(each) for each in params["moves"]):
        page = yield OracleMove("as on the walk", place_move(page, move))
    return None


def place_move(page: Page, move: Move) -> SimpleAction:
    """The action on this page. Raises OracleLost where its element is not there."""
    if not move.role:
        return move.action
    alike = [line for line in page.elements(move.role) if line.name == move.name]
    if len(alike) <= move.place:
        raise OracleLost(f"no {move.role} {move.name!r} on page {page.title!r}")
    target = Target(ref=alike[move.place].ref, tree=page.tree.id)
    return move.action.model_copy(update={"target": target})


Pool = dict[str, dict[Split, list[Task]]]
_POOLS: dict[str, Pool] = {}
"""Tasks by gym, template and split, of the files that this process has read."""


def load_tasks(path: Path) -> tuple[str, ...]:
    """Makes a file's tasks known in this process; returns their templates, written gym/template.
    Raises BadTaskFile."""
    pools: dict[str, Pool] = {}
    for number, line in enumerate(_read_lines(path), 1):
        try:
            task = Task.model_validate_json(line)
            check_params(task)
        except ValueError as error:
            raise BadTaskFile(f"{path}:{number}: no explored task: {error}") from error
        if not task.gym or not is_explored(task.template):
            raise BadTaskFile(f"{path}:{number}: {task.origin} is no explored task")
        by_split = pools.setdefault(task.gym, {}).setdefault(task.template or "", {})
        by_split.setdefault(split_of(task.seed), []).append(task)
    for gym, pool in pools.items():
        for template, by_split in pool.items():
            absent = [split for split in SPLIT_BASES if split not in by_split]
            if absent:
                raise BadTaskFile(
                    f"{path}: {gym}/{template} has no {' and no '.join(absent)} task; explore more"
                )
        _POOLS.setdefault(gym, {}).update(pool)
    if not pools:
        raise BadTaskFile(f"{path} holds no task")
    return tuple(f"{gym}/{template}" for gym, pool in pools.items() for template in pool)


def _read_lines(path: Path) -> list[bytes]:
    try:
        return [line for line in path.read_bytes().splitlines() if line.strip()]
    except OSError as error:
        raise BadTaskFile(f"cannot read {path}: {error.strerror}") from error


def draw_task(gym: str, template: str, seed: int) -> Task:
    """The task that a seed draws from those of its split. Raises KeyError for a template of no file
    that was read."""
    by_split = _POOLS.get(gym, {}).get(template)
    if by_split is None:
        raise KeyError(f"{gym}/{template} is of a file of explored tasks that was not read")
    tasks = by_split[split_of(seed)]
    return tasks[seed % len(tasks)]


def pack_tasks(tasks: Sequence[Task]) -> bytes:
    """A file of these tasks."""
    return b"".join(orjson.dumps(task.model_dump(mode="json")) + b"\n" for task in tasks)
