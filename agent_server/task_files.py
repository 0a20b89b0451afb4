"""Task files: OSWorld's JSON, one task a file, alone, in folders, or chosen by a split list.

    examples/chrome/abc.json        a task; its domain is its folder
    test_all.json                   a split list: {"chrome": ["abc", ...], ...}

Guarantees: every file below the folder is a task, a split list or an error that names file and
JSON path; all errors are found, not only the first; fields that are not known here are kept; a task
without `env` and gym is one for a desktop, as OSWorld's are; the same folder gives the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from agent_server.task_check import Complaint, complaints, json_path
from envs.tasks import Task


class TaskFileError(ValueError):
    """Task files that cannot be used; the message says which and why, a line each."""


@dataclass(frozen=True, slots=True)
class Problem:
    """`file` is relative to the folder that was asked for; `where`: JSON path, empty for the whole
    file."""

    file: str
    where: str
    what: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.where, self.what) if part)


@dataclass(frozen=True, slots=True)
class TaskFile:
    name: str
    """Relative to the folder that was asked for."""
    domain: str
    task: Task


@dataclass(slots=True)
class TaskSet:
    """`files`: how many were read as tasks, well or not."""

    tasks: list[TaskFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    files: int = 0


def load_tasks(path: Path, split: str | None = None) -> list[Task]:
    """Raises TaskFileError with everything that is wrong."""
    found = read_tasks(path, split)
    if found.problems:
        raise TaskFileError("\n".join(str(problem) for problem in found.problems))
    return [file.task for file in found.tasks]


def load_task(file: Path) -> Task:
    """Raises TaskFileError."""
    return load_tasks(file)[0]


def read_tasks(path: Path, split: str | None = None) -> TaskSet:
    """The tasks of a file or folder that are well, and what is wrong with the others. `split`
    names a split list: a path, or a name in the folder or beside it."""
    found = TaskSet()
    if not path.exists():
        found.problems.append(Problem(str(path), "", "no such file or folder"))
        return found
    root = path if path.is_dir() else path.parent
    if path.is_dir():
        listed = _json_files(path, found)
        if split is not None:
            listed = _chosen(root, split, listed, found)
        elif not listed:
            found.problems.append(Problem(str(path), "", "no task files (*.json) there"))
    else:
        listed = {path: _read(path, root, found)}
    seen: dict[str, str] = {}
    for file, data in listed.items():
        name = str(file.relative_to(root))
        task = _task(name, data, found)
        if task is None:
            continue
        if task.id in seen:
            what = f"{task.id!r} is also that of {seen[task.id]}"
            found.problems.append(Problem(name, "id", what))
        else:
            found.tasks.append(TaskFile(name, file.resolve().parent.name, task))
        seen.setdefault(task.id, name)
    found.problems.sort(key=lambda problem: problem.file)
    return found


def is_split(data: Any) -> bool:
    """Whether it is {domain: [ids]}."""
    return (
        isinstance(data, dict)
        and bool(data)
        and "instruction" not in data
        and all(
            isinstance(ids, list) and all(isinstance(one, str) for one in ids)
            for ids in data.values()
        )
    )


_BROKEN = object()
"""In place of the content of a file whose problem is told already."""


def _read(file: Path, root: Path, found: TaskSet) -> Any:
    name = str(file.relative_to(root))
    try:
        return orjson.loads(file.read_bytes())
    except OSError as error:
        what = error.strerror or str(error)
    except orjson.JSONDecodeError as error:
        what = f"not JSON: {error}"
    found.problems.append(Problem(name, "", what))
    return _BROKEN


def _json_files(folder: Path, found: TaskSet) -> dict[Path, Any]:
    """By path, without split lists."""
    read = {file: _read(file, folder, found) for file in sorted(folder.rglob("*.json"))}
    return {file: data for file, data in read.items() if not is_split(data)}


def _chosen(root: Path, split: str, listed: dict[Path, Any], found: TaskSet) -> dict[Path, Any]:
    """Those that the split list names, in its order."""
    places = [root / split, root.parent / split, Path(split)]
    file = next((place for place in places if place.is_file()), None)
    if file is None:
        found.problems.append(Problem(split, "", f"no such split list in {root} or beside it"))
        return {}
    data = _read(file, file.parent, found)
    if not is_split(data):
        if data is not _BROKEN:
            what = "a split list is an object of lists of ids"
            found.problems.append(Problem(file.name, "", what))
        return {}
    by_id = {(path.parent.name, path.stem): path for path in listed}
    chosen: dict[Path, Any] = {}
    for where, domain, name in _entries(data):
        path = by_id.get((domain, name))
        if path is None:
            found.problems.append(Problem(file.name, where, f"no file {domain}/{name}.json"))
        elif path in chosen:
            found.problems.append(Problem(file.name, where, f"{name!r} is named twice"))
        else:
            chosen[path] = listed[path]
    return chosen


def _entries(split: dict[str, Sequence[str]]) -> Iterator[tuple[str, str, str]]:
    for domain, ids in split.items():
        for index, name in enumerate(ids):
            yield json_path((domain, index)), domain, name


def _task(name: str, data: Any, found: TaskSet) -> Task | None:
    """None when something is wrong with it, which is then told."""
    found.files += 1
    if data is _BROKEN:
        return None
    if not isinstance(data, dict):
        what = f"a task is an object, not {type(data).__name__}"
        found.problems.append(Problem(name, "", what))
        return None
    if "env" not in data and data.get("gym") is None:
        data = data | {"env": "desktop"}
    told: list[Complaint] = complaints(data)
    task: Task | None = None
    try:
        task = Task.model_validate(data)
    except ValidationError as error:
        own = {complaint.where for complaint in told}
        for one in error.errors():
            where = json_path(one["loc"])
            if where not in own:
                told.append(Complaint(where, one["msg"]))
    found.problems.extend(Problem(name, one.where, one.what) for one in told)
    return None if told else task
