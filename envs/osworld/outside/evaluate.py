"""Judges a desktop task by its `evaluator`, with OSWorld's meaning, outside the box.

The box only collects the values that it is asked for: it sees neither the metrics nor the expected
values. Its files are copied, bounded and hashed, into a folder of the call; the verdict is made
from them there (`verdict.py`).

Guarantees: nothing that a box answers decides where a file is written; a missing file scores 0; any
other exception is a fault of the evaluator, never a 0.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import Keep, Verdict
from envs.contract.task import Task
from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Parameters, call_getter
from envs.osworld.outside.getters import TASK_GETTERS
from envs.osworld.outside.verdict import judge_evidence
from envs.state.bundle import pack_evidence
from envs.state.evidence import (
    INFEASIBLE,
    Collected,
    Evidence,
    File,
    Files,
    Measure,
    Value,
    safe_name,
)

MAX_BYTES = 200 * 1024 * 1024
"""Of all files of one evaluation."""
SIDES = ("result", "expected")


class Box(Protocol):
    """A machine that is elsewhere; see `envs.osworld.inside.support.collect`."""

    async def collect(
        self, postconfig: Sequence[Parameters], getters: Sequence[Parameters], /
    ) -> Collected:
        """Runs the setup steps `postconfig`, then the getters. Raises EpisodeFault."""
        ...

    async def bring(self, value: int, number: int, claim: File, path: Path, /) -> None:
        """Downloads file `number` of the collected value to `path`. Raises EpisodeFault, also if
        the content is not the claimed one."""
        ...


async def evaluate(box: Box, task: Task, ending: Ending, keep: Keep | None = None) -> Verdict:
    """The verdict on the task. `keep` gets the packed evidence before it is judged. Raises
    EpisodeFault."""
    with tempfile.TemporaryDirectory(prefix="evidence-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        try:
            rules = task.evaluator or {}
            evidence = await _gather_evidence(box, task.id, rules, ending, folder)
        except EpisodeFault:
            raise
        except Exception as error:
            raise _fault(task.id, f"{type(error).__name__}: {error}") from error
        if keep is not None:
            keep(await asyncio.to_thread(pack_evidence, evidence, folder))
        return await judge_evidence(evidence, folder, compat=bool(rules.get("compat")))


async def _gather_evidence(
    box: Box, task_id: str, rules: Mapping[str, Any], ending: Ending, folder: Path
) -> Evidence:
    functions = _as_list(rules["func"])
    infeasible = functions == [INFEASIBLE]
    if ending.infeasible or infeasible:
        return Evidence(task_id=task_id, gave_up=ending.infeasible, infeasible=infeasible)
    metrics = [_metric_at(rules, index, name) for index, name in enumerate(functions)]
    milestones: dict[str, Mapping[str, Any]] = rules.get("milestones") or {}
    getters = list(_getters_of([*metrics, *milestones.values()]))
    in_box = [getter for getter in getters if getter.get("type") not in TASK_GETTERS]
    collected = await box.collect(list(rules.get("postconfig", ())), in_box)
    if len(collected.values) != len(in_box):
        raise ValueError(f"{len(collected.values)} values came for {len(in_box)} getters")
    downloader = _Downloader(box, folder)
    downloads = iter(
        [await downloader.download(index, value) for index, value in enumerate(collected.values)]
    )
    local = Ending(ending.answer, ending.infeasible, ending.at, folder)
    values = []
    for getter in getters:
        if getter.get("type") in TASK_GETTERS:
            value, _ = await call_getter(TASK_GETTERS, None, local, getter, folder)
        else:
            value = next(downloads)
        values.append(_mark_unchosen(getter, value))
    remaining = iter(values)
    return Evidence(
        task_id=task_id,
        conj=rules.get("conj", "and"),
        measures=tuple(_measure(metric, remaining) for metric in metrics),
        milestones={name: _measure(metric, remaining) for name, metric in milestones.items()},
        notes=collected.notes,
    )


class _Downloader:
    """Fetches the files that a box has collected into `folder`, a folder for each value."""

    def __init__(self, box: Box, folder: Path) -> None:
        self._box, self._folder = box, folder
        self._bytes_left = MAX_BYTES

    async def download(self, index: int, value: Value) -> Value:
        """The value with the paths of its files below the folder."""
        match value:
            case File():
                return (await self._files(index, [value]))[0]
            case Files(files=files):
                return Files(files=tuple(await self._files(index, files)))
        return value

    async def _files(self, index: int, claims: Sequence[File]) -> list[File]:
        (self._folder / str(index)).mkdir()
        files, taken = [], set[str]()
        for number, claim in enumerate(claims):
            self._bytes_left -= claim.bytes
            if self._bytes_left < 0:
                raise ValueError(f"the files of the box are larger than {MAX_BYTES} bytes in all")
            # The box chose the name: only its last part counts, and it may repeat.
            name = safe_name(claim.path.rpartition("/")[2])
            if name in taken:
                name = safe_name(f"{number}-{name}")
            taken.add(name)
            path = f"{index}/{name}"
            await self._box.bring(index, number, claim, self._folder / path)
            files.append(claim.model_copy(update={"path": path}))
        return files


def _getters_of(metrics: Sequence[Mapping[str, Any]]) -> Iterator[Parameters]:
    """The getters of all metrics, in the order in which `_measure` takes their values."""
    for metric in metrics:
        for side in SIDES:
            if metric.get(side):
                yield metric[side]


def _measure(metric: Mapping[str, Any], values: Iterator[Value]) -> Measure:
    sides = {side: next(values) for side in SIDES if metric.get(side)}
    return Measure(func=metric["func"], options=metric.get("options") or {}, **sides)


def _mark_unchosen(getter: Parameters, value: Value) -> Value:
    """OSWorld takes the first of several files when the task does not say which."""
    if isinstance(value, Files) and getter.get("multi") and "gives" not in getter:
        return value.model_copy(update={"unchosen": True})
    return value


def _metric_at(rules: Mapping[str, Any], index: int, name: str) -> dict[str, Any]:
    metric: dict[str, Any] = {"func": name}
    for side in (*SIDES, "options"):
        value = rules.get(side)
        metric[side] = value[index] if isinstance(value, list) else value
    return metric


def _as_list(value: Any) -> list[str]:
    return list(value) if isinstance(value, list) else [value]


def _fault(task_id: str, reason: str) -> EpisodeFault:
    return EpisodeFault(InvalidReason.EVALUATOR_ERROR, f"task {task_id}: {reason}"[:2000])
