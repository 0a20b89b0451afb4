"""What is wrong with a task file's setup steps and evaluator, each with its JSON path.

Guarantees: everything is found at once; what is right is never complained of; parameters that are
not known here are let be. Getters and metrics that no code here answers to are no fault of the
file: see `absent`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from pydantic import ValidationError

from agent_server.step_parameters import PARAMETERS
from envs.tasks import Task
from envs.verify import getters as _getters  # noqa: F401  registers them
from envs.verify import metrics, osworld, parts
from envs.verify import steps as _steps  # noqa: F401  registers the setup steps
from envs.verify.evidence import INFEASIBLE
from envs.verify.registry import GETTERS, METRICS
from envs.verify.setup import STEPS

SIDES = ("result", "expected", "options")
_PATHS = ("path", "dest", "local_path", "ppt_file_path", "file_name", "stdout", "stderr")
_OURS = frozenset({"dest", "stdout", "stderr"})
"""Names of files that are kept for the evaluator: never absolute."""


class Complaint(NamedTuple):
    """`where`: JSON path."""

    where: str
    what: str


@dataclass(frozen=True, slots=True)
class Absent:
    """A getter or metric that a task names and that is not here."""

    kind: str
    name: str
    where: str


def complaints(data: Mapping[str, Any]) -> list[Complaint]:
    found = [*_steps_of("config", data.get("config"))]
    if data.get("evaluator") is not None:
        found += _evaluator("evaluator", data["evaluator"])
    return found


def absent(task: Task) -> list[Absent]:
    """Of a task that was read without a complaint."""
    metrics.register()
    osworld.register()
    getters = [
        Absent("getter", getter.kind, f"{getter.where}.type")
        for getter in parts.getters(task)
        if getter.kind not in GETTERS
    ]
    unknown = [
        Absent("metric", metric.text, metric.where)
        for metric in parts.metrics(task)
        if metric.text not in METRICS and metric.text != INFEASIBLE
    ]
    return getters + unknown


def json_path(location: Sequence[str | int]) -> str:
    """As in `evaluator.result[1].type`."""
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}"
    return path.removeprefix(".")


def _steps_of(where: str, given: Any) -> Iterator[Complaint]:
    if not isinstance(given, list):
        if given is not None:
            yield Complaint(where, "is no list of setup steps")
        return
    for index, step in enumerate(given):
        yield from _step(f"{where}[{index}]", step)


def _step(where: str, step: Any) -> Iterator[Complaint]:
    if not isinstance(step, dict):
        yield Complaint(where, f"a setup step is an object, not {type(step).__name__}")
        return
    kind = step.get("type")
    if not isinstance(kind, str):
        yield Complaint(f"{where}.type", "names no setup step")
    elif kind not in STEPS:
        yield Complaint(f"{where}.type", f"no setup step {kind!r}")
    parameters = step.get("parameters", {})
    where += ".parameters"
    if not isinstance(parameters, dict):
        yield Complaint(where, f"parameters are an object, not {type(parameters).__name__}")
        return
    if isinstance(kind, str) and kind in PARAMETERS:
        try:
            PARAMETERS[kind].model_validate(parameters)
        except ValidationError as error:
            for one in error.errors():
                what = one["msg"].removeprefix("Value error, ")
                yield Complaint(f"{where}.{json_path(one['loc'])}", what)
    yield from _climbing(where, parameters)


def _evaluator(where: str, rules: Any) -> Iterator[Complaint]:
    if not isinstance(rules, dict):
        yield Complaint(where, f"an evaluator is an object, not {type(rules).__name__}")
        return
    yield from _steps_of(f"{where}.postconfig", rules.get("postconfig"))
    conj = rules.get("conj", "and")
    if conj not in ("and", "or"):
        yield Complaint(f"{where}.conj", f"{conj!r} is neither 'and' nor 'or'")
    yield from _graded(where, rules)
    milestones = rules.get("milestones", {})
    if not isinstance(milestones, dict):
        yield Complaint(f"{where}.milestones", "is no object of names")
        return
    for name, one in milestones.items():
        place = f"{where}.milestones.{name}"
        if isinstance(one, dict):
            yield from _graded(place, one)
        else:
            yield Complaint(place, f"a milestone is an object, not {type(one).__name__}")


def _graded(where: str, rules: Mapping[str, Any]) -> Iterator[Complaint]:
    functions = rules.get("func")
    names = functions if isinstance(functions, list) else [functions]
    if not names:
        yield Complaint(f"{where}.func", "names no metric")
    for index, name in enumerate(names):
        if not isinstance(name, str):
            place = f"{where}.func[{index}]" if isinstance(functions, list) else f"{where}.func"
            yield Complaint(place, "names no metric")
    for side in SIDES:
        value = rules.get(side)
        if not isinstance(value, list):
            yield from _side(f"{where}.{side}", side, value)
            continue
        if not isinstance(functions, list):
            yield Complaint(f"{where}.{side}", "is a list, but func is none")
        elif len(value) != len(functions):
            what = f"{len(functions)} functions, but {len(value)} here"
            yield Complaint(f"{where}.{side}", what)
        for index, one in enumerate(value):
            yield from _side(f"{where}.{side}[{index}]", side, one)


def _side(where: str, side: str, one: Any) -> Iterator[Complaint]:
    """A getter, or options; null and {} stand for none."""
    if not one and (one is None or isinstance(one, dict)):
        return
    if not isinstance(one, dict):
        yield Complaint(where, f"is {type(one).__name__}, not an object")
    elif side != "options":
        if not isinstance(one.get("type"), str):
            yield Complaint(f"{where}.type", "names no getter")
        yield from _climbing(where, one)


def _climbing(where: str, given: Mapping[str, Any]) -> Iterator[Complaint]:
    """Paths that lead out of where they begin."""
    for key, value in given.items():
        if key == "files" and isinstance(value, list):
            for index, file in enumerate(value):
                if isinstance(file, dict):
                    yield from _climbing(f"{where}.files[{index}]", file)
        elif key in _PATHS:
            listed = isinstance(value, list)
            for index, path in enumerate(value if listed else [value]):
                place = f"{where}.{key}[{index}]" if listed else f"{where}.{key}"
                if isinstance(path, str) and _leads_out(key, path):
                    yield Complaint(place, f"{path!r} leads out of its folder")


def _leads_out(key: str, path: str) -> bool:
    if "://" in path:
        return False
    return ".." in PurePosixPath(path).parts or (key in _OURS and path.startswith("/"))
