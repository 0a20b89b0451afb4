"""The parts of a task, each with its JSON path: setup steps, getters, metrics, assets, commands.

Guarantees: a part has the same path here, in a complaint about it and in the list of what a task
needs; the order is that of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from envs.tasks import Task
from envs.verify.assets import asset_url

COMMANDS = frozenset({"launch", "execute", "command", "execute_with_verification"})
COMMAND_GETTERS = frozenset({"vm_command_line", "vm_command_error"})


@dataclass(frozen=True, slots=True)
class Part:
    """`where`: JSON path of the object; `kind`: its type; `given`: its parameters."""

    where: str
    kind: str
    given: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Named:
    """A text of the task, and the JSON path that holds it."""

    where: str
    text: str


def steps(task: Task) -> Iterator[Part]:
    """Those of `config`, then those of the evaluator's `postconfig`."""
    given = (("config", task.config), ("evaluator.postconfig", _rules(task).get("postconfig")))
    for where, listed in given:
        for index, step in enumerate(listed or ()):
            parameters = step.get("parameters") or {}
            yield Part(f"{where}[{index}]", str(step.get("type")), parameters)


def getters(task: Task) -> Iterator[Part]:
    for where, rules in _graded(task):
        for side in ("result", "expected"):
            value = rules.get(side)
            for place, one in _numbered(f"{where}.{side}", value):
                if one:
                    yield Part(place, str(one.get("type")), one)


def metrics(task: Task) -> Iterator[Named]:
    """Names of functions, "infeasible" among them."""
    for where, rules in _graded(task):
        for place, name in _numbered(f"{where}.func", rules.get("func")):
            yield Named(place, str(name))


def assets(task: Task) -> Iterator[Named]:
    """Addresses of the files that are downloaded to the machine or compared with."""
    for step in steps(task):
        if step.kind == "download":
            for index, file in enumerate(step.given.get("files", ())):
                url = asset_url(file["url"], file["path"])
                yield Named(f"{step.where}.parameters.files[{index}].url", url)
        elif step.kind == "googledrive":
            for index, one in enumerate(step.given.get("args", ())):
                if isinstance(one, Mapping) and "url" in one:
                    yield Named(f"{step.where}.parameters.args[{index}].url", str(one["url"]))
    for getter in getters(task):
        if getter.kind == "cloud_file":
            yield from _cloud_files(getter)


def commands(task: Task) -> Iterator[tuple[Named, Sequence[str]]]:
    """Each command as one text, and as the words that the task gives; a line for a shell is one
    word."""
    for step in steps(task):
        if step.kind in COMMANDS:
            yield from _command(f"{step.where}.parameters.command", step.given.get("command"))
    for getter in getters(task):
        if getter.kind in COMMAND_GETTERS:
            yield from _command(f"{getter.where}.command", getter.given.get("command"))


def _command(where: str, given: Any) -> Iterator[tuple[Named, Sequence[str]]]:
    if given:
        words = [given] if isinstance(given, str) else [str(word) for word in given]
        yield Named(where, " ".join(words)), words


def _cloud_files(getter: Part) -> Iterator[Named]:
    paths, dests = getter.given["path"], getter.given.get("dest", "")
    listed = isinstance(paths, list)
    for index, (place, url) in enumerate(_numbered(f"{getter.where}.path", paths)):
        dest = dests[index] if listed and isinstance(dests, list) and index < len(dests) else dests
        yield Named(place, asset_url(url, dest if isinstance(dest, str) else ""))


def _rules(task: Task) -> Mapping[str, Any]:
    return task.evaluator or {}


def _graded(task: Task) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What holds func, result and expected: the evaluator, and our milestones."""
    rules = _rules(task)
    yield "evaluator", rules
    for name, milestone in (rules.get("milestones") or {}).items():
        yield f"evaluator.milestones.{name}", milestone


def _numbered(where: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list):
        for index, one in enumerate(value):
            yield f"{where}[{index}]", one
    elif value is not None:
        yield where, value
