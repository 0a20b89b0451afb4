"""Task files: OSWorld's JSON, one task a file, alone, in folders, or chosen by a split list.

    examples/chrome/abc.json        a task; its domain is its folder
    test_all.json                   a split list: {"chrome": ["abc", ...], ...}
    osworld-verified-2026-04        the split list of a published state (`versions.py`)

Guarantees: every file below the folder is a task, a split list or an error that names file and JSON
path; all errors are found, not only the first; unknown fields are kept; a task without `env` and
gym is a desktop task, as OSWorld's are; the same folder gives the same order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
from pydantic import ValidationError

from agent_server.tasksets.check import Complaint, find_complaints, json_path
from agent_server.tasksets.versions import differing, find_split, split_names
from envs.contract.task import Task
from envs.contract.validation import suggest_files, suggest_names

MOST_HINTS = 5
"""A list of another folder fits nowhere; to look for what each of its ids is near to takes long."""


class TaskFileError(ValueError):
    """Task files with errors; the message lists them, one a line."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An error. `file` is relative to the folder that was read; `where`: JSON path, empty for the
    whole file."""

    file: str
    where: str
    message: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.where, self.message) if part)


@dataclass(frozen=True, slots=True)
class TaskFile:
    """One task file and its task."""

    name: str
    """Relative to the folder that was asked for."""
    domain: str
    task: Task


@dataclass(slots=True)
class TaskSet:
    """The tasks and errors of a folder. `files`: how many files were read as tasks."""

    tasks: list[TaskFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    files: int = 0


def load_tasks(path: Path, split: str | None = None) -> list[Task]:
    """All tasks of a file or folder. Raises TaskFileError with all errors."""
    task_set = read_tasks(path, split)
    if task_set.problems:
        raise TaskFileError("\n".join(str(problem) for problem in task_set.problems))
    return [file.task for file in task_set.tasks]


def load_task(file: Path) -> Task:
    """The task of one file. Raises TaskFileError."""
    return load_tasks(file)[0]


def read_tasks(path: Path, split: str | None = None) -> TaskSet:
    """The valid tasks of a file or folder, and the errors of the others. `split` names a split
    list: a path, or a name in the folder or beside it; or a published state, of which each task
    must be."""
    task_set = TaskSet()
    if not path.exists():
        task_set.problems.append(
            Problem(str(path), "", f"no such file or folder{suggest_files(path)}")
        )
        return task_set
    root = path if path.is_dir() else path.parent
    if path.is_dir():
        contents = _json_files(path, task_set)
        if split is not None:
            contents = _choose(root, split, contents, task_set)
        elif not contents:
            task_set.problems.append(Problem(str(path), "", "no task files (*.json) there"))
    else:
        contents = {path: _read_json(path, root, task_set)}
    names_by_id: dict[str, str] = {}
    for file, data in contents.items():
        name = str(file.relative_to(root))
        task = _parse_task(name, data, task_set)
        if task is None:
            continue
        if task.id in names_by_id:
            message = f"{task.id!r} is also that of {names_by_id[task.id]}"
            task_set.problems.append(Problem(name, "id", message))
        else:
            task_set.tasks.append(TaskFile(name, file.resolve().parent.name, task))
        names_by_id.setdefault(task.id, name)
    if split is not None and find_split(split) is not None:
        known = [(file.domain, file.task) for file in task_set.tasks]
        for key in differing(split, known):
            message = f"it asks for, sets up or judges something else than in {split}"
            task_set.problems.append(Problem(f"{key}.json", "", message))
    task_set.problems.sort(key=lambda problem: problem.file)
    return task_set


def is_split(data: Any) -> bool:
    """Whether the data is a split list, {domain: [ids]}."""
    return (
        isinstance(data, dict)
        and bool(data)
        and "instruction" not in data
        and all(
            isinstance(ids, list) and all(isinstance(task_id, str) for task_id in ids)
            for ids in data.values()
        )
    )


_BROKEN = object()
"""In place of the content of a file whose error is recorded already."""


def _read_json(file: Path, root: Path, task_set: TaskSet) -> Any:
    name = str(file.relative_to(root))
    try:
        return orjson.loads(file.read_bytes())
    except OSError as error:
        message = error.strerror or str(error)
    except orjson.JSONDecodeError as error:
        message = f"not JSON: {error}"
    task_set.problems.append(Problem(name, "", message))
    return _BROKEN


def _json_files(folder: Path, task_set: TaskSet) -> dict[Path, Any]:
    """By path, without split lists."""
    contents = {file: _read_json(file, folder, task_set) for file in sorted(folder.rglob("*.json"))}
    return {file: data for file, data in contents.items() if not is_split(data)}


def _choose(
    root: Path, split: str, contents: dict[Path, Any], task_set: TaskSet
) -> dict[Path, Any]:
    """Those that the split list names, in its order."""
    data: dict[str, Any] | None = find_split(split)
    if data is None:
        data = _read_split(root, split, task_set)
    by_id = {(path.parent.name, path.stem): path for path in contents}
    chosen: dict[Path, Any] = {}
    missing = 0
    for where, domain, name in _entries(data):
        path = by_id.get((domain, name))
        if path is None:
            missing += 1
            hint = _suggest_file(domain, name, by_id) if missing <= MOST_HINTS else ""
            task_set.problems.append(Problem(split, where, f"no file {domain}/{name}.json{hint}"))
        elif path in chosen:
            task_set.problems.append(Problem(split, where, f"{name!r} is named twice"))
        else:
            chosen[path] = contents[path]
    return chosen


def _split_names(root: Path) -> list[str]:
    """What --set may name: files in the folder and beside it, and published states."""
    files = [path.name for folder in (root, root.parent) for path in folder.glob("*.json")]
    return files + split_names()


def _suggest_file(domain: str, name: str, known: Collection[tuple[str, str]]) -> str:
    """The task of that id in another domain, or what its id is near to in this one."""
    for other, same in known:
        if same == name:
            return f" (did you mean {other}/{name}.json?)"
    return suggest_names(name, [each for other, each in known if other == domain])


def _read_split(root: Path, split: str, task_set: TaskSet) -> dict[str, Any]:
    """Empty when there is no such list, or it is none, which is then told."""
    places = [root / split, root.parent / split, Path(split)]
    file = next((place for place in places if place.is_file()), None)
    if file is None:
        message = f"no such split list in {root} or beside it"
        message += suggest_names(split, _split_names(root))
        task_set.problems.append(Problem(split, "", message))
        return {}
    data = _read_json(file, file.parent, task_set)
    if is_split(data):
        return dict(data)
    if data is not _BROKEN:
        message = "a split list is an object of lists of ids"
        task_set.problems.append(Problem(file.name, "", message))
    return {}


def _entries(split: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str, str]]:
    for domain, ids in split.items():
        for index, name in enumerate(ids):
            yield json_path((domain, index)), domain, name


def _parse_task(name: str, data: Any, task_set: TaskSet) -> Task | None:
    """None when something is wrong with it, which is then told."""
    task_set.files += 1
    if data is _BROKEN:
        return None
    if not isinstance(data, dict):
        message = f"a task is an object, not {type(data).__name__}"
        task_set.problems.append(Problem(name, "", message))
        return None
    if "env" not in data and data.get("gym") is None:
        data = data | {"env": "desktop"}
    errors: list[Complaint] = find_complaints(data)
    task: Task | None = None
    try:
        task = Task.model_validate(data)
    except ValidationError as error:
        known_paths = {complaint.where for complaint in errors}
        for problem in error.errors():
            where = json_path(problem["loc"])
            if where not in known_paths:
                errors.append(Complaint(where, problem["msg"]))
    task_set.problems.extend(Problem(name, problem.where, problem.message) for problem in errors)
    return None if errors else task
