"""A folder of generated apps, to read, change by hand and serve: one folder an app.

DIR/gen-0017/schema.json   the app, as `AppSchema`: change it and serve the folder again
DIR/gen-0017/tasks.json    some tasks of each program, to read
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from envs.contract.validation import describe_first
from envs.gyms.generated.schema import AppSchema
from envs.gyms.kit.gym import AppGym
from envs.gyms.kit.template import Unsatisfiable
from envs.io.atomic_write import write_whole

SCHEMA, TASKS = "schema.json", "tasks.json"


class BadWorld(ValueError):
    """A schema that cannot be used; the message names the file and what is wrong in it."""


def write_app(folder: Path, schema: AppSchema, gym: AppGym[Any], seeds: Sequence[int]) -> None:
    """Writes the schema, and the tasks of some seeds."""
    place = folder / schema.name
    place.mkdir(parents=True, exist_ok=True)
    write_whole(place / SCHEMA, [schema.model_dump_json(indent=1).encode() + b"\n"])
    tasks = [task for name in gym.templates for task in _make_tasks(gym, name, seeds)]
    write_whole(place / TASKS, [orjson.dumps(tasks, option=orjson.OPT_INDENT_2) + b"\n"])


def _make_tasks(gym: AppGym[Any], template: str, seeds: Sequence[int]) -> list[dict[str, Any]]:
    tasks = []
    for seed in seeds:
        try:
            task = gym.make_task(template, seed)
        except Unsatisfiable:
            continue
        level = gym.level(template)
        tasks.append({"id": task.id, "level": level, "instruction": task.instruction})
    return tasks


def read_schema(folder: Path, name: str) -> AppSchema | None:
    """The schema of an app; None where the folder does not have it. Raises BadWorld."""
    path = folder / name / SCHEMA
    if not path.is_file():
        return None
    try:
        schema = AppSchema.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise BadWorld(f"{path}: {describe_first(error)}") from error
    if schema.name != name:
        raise BadWorld(f"{path}: its name is {schema.name!r}, that of its folder {name!r}")
    return schema
