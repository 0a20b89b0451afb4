"""Checks a task file's setup steps and evaluator; each complaint has its JSON path.

Guarantees: all errors are found at once; nothing correct is complained of; unknown parameters are
allowed. Unknown getters and metrics are no error of the file: see `absent`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from pydantic import ValidationError

from agent_server.tasksets.step_parameters import PARAMETERS
from envs.contract.task import Task
from envs.osworld.format import task_parts
from envs.osworld.inside.getters import GETTERS
from envs.osworld.inside.steps import STEPS
from envs.osworld.outside.getters import TASK_GETTERS
from envs.osworld.outside.metric_modules import available_metrics
from envs.state.evidence import INFEASIBLE

SIDES = ("result", "expected", "options")
_PATHS = ("path", "dest", "local_path", "ppt_file_path", "file_name", "stdout", "stderr")
_OURS = frozenset({"dest", "stdout", "stderr"})
"""Names of files that are kept for the evaluator: never absolute."""


class Complaint(NamedTuple):
    """An error in a task file. `where`: JSON path."""

    where: str
    message: str


@dataclass(frozen=True, slots=True)
class Absent:
    """A getter or metric that a task names and that is not implemented."""

    kind: str
    name: str
    where: str


def find_complaints(data: Mapping[str, Any]) -> list[Complaint]:
    """All errors in the setup steps and the evaluator of a task file."""
    complaints_found = [*_check_steps("config", data.get("config"))]
    if data.get("evaluator") is not None:
        complaints_found += _check_evaluator("evaluator", data["evaluator"])
    return complaints_found


def absent(task: Task) -> list[Absent]:
    """Unknown getters and metrics of a task without complaints."""
    metrics = available_metrics()
    getters = [
        Absent("getter", getter.kind, f"{getter.where}.type")
        for getter in task_parts.getters(task)
        if getter.kind not in GETTERS and getter.kind not in TASK_GETTERS
    ]
    unknown = [
        Absent("metric", metric.text, metric.where)
        for metric in task_parts.metrics(task)
        if metric.text not in metrics and metric.text != INFEASIBLE
    ]
    return getters + unknown


def json_path(location: Sequence[str | int]) -> str:
    """A location as text, such as `evaluator.result[1].type`."""
    path = ""
    for part in location:
        path += f"[{part}]" if isinstance(part, int) else f".{part}"
    return path.removeprefix(".")


def _check_steps(where: str, steps: Any) -> Iterator[Complaint]:
    if not isinstance(steps, list):
        if steps is not None:
            yield Complaint(where, "must be a list of setup steps")
        return
    for index, step in enumerate(steps):
        yield from _check_step(f"{where}[{index}]", step)


def _check_step(where: str, step: Any) -> Iterator[Complaint]:
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
            for problem in error.errors():
                message = problem["msg"].removeprefix("Value error, ")
                yield Complaint(f"{where}.{json_path(problem['loc'])}", message)
    yield from _check_paths(where, parameters)


def _check_evaluator(where: str, rules: Any) -> Iterator[Complaint]:
    if not isinstance(rules, dict):
        yield Complaint(where, f"an evaluator is an object, not {type(rules).__name__}")
        return
    yield from _check_steps(f"{where}.postconfig", rules.get("postconfig"))
    conj = rules.get("conj", "and")
    if conj not in ("and", "or"):
        yield Complaint(f"{where}.conj", f"{conj!r} is neither 'and' nor 'or'")
    yield from _check_metrics(where, rules)
    milestones = rules.get("milestones", {})
    if not isinstance(milestones, dict):
        yield Complaint(f"{where}.milestones", "must be an object: a milestone for each name")
        return
    for name, milestone in milestones.items():
        place = f"{where}.milestones.{name}"
        if isinstance(milestone, dict):
            yield from _check_metrics(place, milestone)
        else:
            yield Complaint(place, f"a milestone is an object, not {type(milestone).__name__}")


def _check_metrics(where: str, rules: Mapping[str, Any]) -> Iterator[Complaint]:
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
            yield from _check_side(f"{where}.{side}", side, value)
            continue
        if not isinstance(functions, list):
            yield Complaint(f"{where}.{side}", "is a list, but func is none")
        elif len(value) != len(functions):
            message = f"{len(functions)} functions, but {len(value)} here"
            yield Complaint(f"{where}.{side}", message)
        for index, part in enumerate(value):
            yield from _check_side(f"{where}.{side}[{index}]", side, part)


def _check_side(where: str, side: str, part: Any) -> Iterator[Complaint]:
    """A getter, or options; null and {} stand for none."""
    if not part and (part is None or isinstance(part, dict)):
        return
    if not isinstance(part, dict):
        yield Complaint(where, f"is {type(part).__name__}, not an object")
    elif side != "options":
        if not isinstance(part.get("type"), str):
            yield Complaint(f"{where}.type", "names no getter")
        yield from _check_paths(where, part)


def _check_paths(where: str, parameters: Mapping[str, Any]) -> Iterator[Complaint]:
    """Paths that lead out of where they begin."""
    for key, value in parameters.items():
        if key == "files" and isinstance(value, list):
            for index, file in enumerate(value):
                if isinstance(file, dict):
                    yield from _check_paths(f"{where}.files[{index}]", file)
        elif key in _PATHS:
            is_list = isinstance(value, list)
            for index, path in enumerate(value if is_list else [value]):
                place = f"{where}.{key}[{index}]" if is_list else f"{where}.{key}"
                if isinstance(path, str) and _leads_out(key, path):
                    yield Complaint(place, f"{path!r} leads out of its folder")


def _leads_out(key: str, path: str) -> bool:
    if "://" in path:
        return False
    return ".." in PurePosixPath(path).parts or (key in _OURS and path.startswith("/"))
