"""The parts of a task, each with its JSON path: setup steps, getters, metrics, assets, commands.

Guarantees: paths are those of error messages and of the list of requirements; the order is that of
the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from envs.contract.task import Task
from envs.osworld.format.assets import asset_url

COMMANDS = frozenset({"launch", "execute", "command", "execute_with_verification"})
COMMAND_GETTERS = frozenset({"vm_command_line", "vm_command_error"})


@dataclass(frozen=True, slots=True)
class TaskPart:
    """A setup step or a getter. `where`: JSON path of the object; `kind`: its type."""

    where: str
    kind: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NamedText:
    """A text of the task, and the JSON path that holds it."""

    where: str
    text: str


def steps(task: Task) -> Iterator[TaskPart]:
    """Setup steps of `config`, then those of the evaluator's `postconfig`."""
    sources = (
        ("config", task.config),
        ("evaluator.postconfig", _evaluator_of(task).get("postconfig")),
    )
    for where, listed in sources:
        for index, step in enumerate(listed or ()):
            parameters = step.get("parameters") or {}
            yield TaskPart(f"{where}[{index}]", str(step.get("type")), parameters)


def getters(task: Task) -> Iterator[TaskPart]:
    """Getters of the evaluator and of our milestones, results before expected values."""
    for where, rules in _metric_holders(task):
        for side in ("result", "expected"):
            value = rules.get(side)
            for place, parameters in _indexed_items(f"{where}.{side}", value):
                if parameters:
                    yield TaskPart(place, str(parameters.get("type")), parameters)


def metrics(task: Task) -> Iterator[NamedText]:
    """Names of metrics, "infeasible" among them."""
    for where, rules in _metric_holders(task):
        for place, name in _indexed_items(f"{where}.func", rules.get("func")):
            yield NamedText(place, str(name))


def assets(task: Task) -> Iterator[NamedText]:
    """URLs of the files that a task downloads or compares with."""
    for step in steps(task):
        if step.kind == "download":
            for index, file in enumerate(step.parameters.get("files", ())):
                url = asset_url(file["url"], file["path"])
                yield NamedText(f"{step.where}.parameters.files[{index}].url", url)
        elif step.kind == "googledrive":
            for index, argument in enumerate(step.parameters.get("args", ())):
                if isinstance(argument, Mapping) and "url" in argument:
                    yield NamedText(
                        f"{step.where}.parameters.args[{index}].url", str(argument["url"])
                    )
    for getter in getters(task):
        if getter.kind == "cloud_file":
            yield from _cloud_files(getter)


def taken_files(task: Task) -> Iterator[str]:
    """What the steps of a task take from a mirror: URLs of downloads, paths of uploads."""
    for step in steps(task):
        for file in step.parameters.get("files", ()):
            if step.kind == "download":
                yield asset_url(file["url"], file["path"])
            elif step.kind == "upload_file":
                yield str(file["local_path"])


def commands(task: Task) -> Iterator[tuple[NamedText, Sequence[str]]]:
    """Each command as one text, and as the list of words of the task; a line for a shell is one
    word."""
    for step in steps(task):
        if step.kind in COMMANDS:
            yield from _command(f"{step.where}.parameters.command", step.parameters.get("command"))
    for getter in getters(task):
        if getter.kind in COMMAND_GETTERS:
            yield from _command(f"{getter.where}.command", getter.parameters.get("command"))


def _command(where: str, command: Any) -> Iterator[tuple[NamedText, Sequence[str]]]:
    if command:
        words = [command] if isinstance(command, str) else [str(word) for word in command]
        yield NamedText(where, " ".join(words)), words


def _cloud_files(getter: TaskPart) -> Iterator[NamedText]:
    paths, dests = getter.parameters["path"], getter.parameters.get("dest", "")
    listed = isinstance(paths, list)
    for index, (place, url) in enumerate(_indexed_items(f"{getter.where}.path", paths)):
        dest = dests[index] if listed and isinstance(dests, list) and index < len(dests) else dests
        yield NamedText(place, asset_url(url, dest if isinstance(dest, str) else ""))


def _evaluator_of(task: Task) -> Mapping[str, Any]:
    return task.evaluator or {}


def _metric_holders(task: Task) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects with func, result and expected: the evaluator, and our milestones."""
    rules = _evaluator_of(task)
    yield "evaluator", rules
    for name, milestone in (rules.get("milestones") or {}).items():
        yield f"evaluator.milestones.{name}", milestone


def _indexed_items(where: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield f"{where}[{index}]", item
    elif value is not None:
        yield where, value
