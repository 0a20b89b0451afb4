"""Task files: OSWorld's JSON, one task a file, alone or in folders.

Guarantees: every file below the folder is a task or an error that names file and key; a task
without `env` and gym is one for a desktop, as OSWorld's are; the same folder gives the same order.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from envs.tasks import Task


class TaskFileError(ValueError):
    """A task file that cannot be used; the message says which and why."""


def load_tasks(path: Path) -> list[Task]:
    """Raises TaskFileError."""
    files = sorted(path.rglob("*.json")) if path.is_dir() else [path]
    if not files:
        raise TaskFileError(f"{path}: no task files (*.json) there")
    tasks = [load_task(file) for file in files]
    seen: dict[str, Path] = {}
    for task, file in zip(tasks, files, strict=True):
        if task.id in seen:
            raise TaskFileError(f"{file}: id {task.id!r} is also that of {seen[task.id]}")
        seen[task.id] = file
    return tasks


def load_task(file: Path) -> Task:
    """Raises TaskFileError."""
    try:
        data: Any = orjson.loads(file.read_bytes())
    except OSError as error:
        raise TaskFileError(f"{file}: {error.strerror}") from error
    except orjson.JSONDecodeError as error:
        raise TaskFileError(f"{file}: not JSON: {error}") from error
    if not isinstance(data, dict):
        raise TaskFileError(f"{file}: a task is an object, not {type(data).__name__}")
    if "env" not in data and data.get("gym") is None:
        data["env"] = "desktop"
    try:
        return Task.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise TaskFileError(f"{file}: {where}: {first['msg']}") from error
