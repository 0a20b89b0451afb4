"""Judges a desktop task by its `evaluator`, with OSWorld's meaning, outside the box.

The box only collects what it is asked for: it sees neither the metrics nor what they compare with.
Its files are copied, bounded and hashed, into a folder of the call's own; a verdict is made from
them there (`verdict.py`).

Guarantees: nothing that a box says decides where a file is written; a missing file scores 0; any
other exception is a fault of the evaluator, never a 0.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from envs.outcomes import EpisodeFault, InvalidReason
from envs.session import Keep, Verdict
from envs.tasks import Task
from envs.verify.bundle import bundled
from envs.verify.collect import got
from envs.verify.evidence import (
    INFEASIBLE,
    Collected,
    Evidence,
    File,
    Files,
    Measure,
    Value,
    safe_name,
)
from envs.verify.registry import OUTSIDE, Ending
from envs.verify.verdict import verdict

MAX_BYTES = 200 * 1024 * 1024
"""Of all files of one evaluation."""
Given = Mapping[str, Any]


class Box(Protocol):
    """A machine that is elsewhere; see `envs.verify.collect`."""

    async def collect(self, postconfig: Sequence[Given], wanted: Sequence[Given]) -> Collected: ...

    async def bring(self, value: int, number: int, told: File, place: Path) -> None:
        """File `number` of the collected value, as `place`. Raises EpisodeFault, also for another
        file than the one that was told."""
        ...


async def evaluate(box: Box, task: Task, ending: Ending, keep: Keep | None = None) -> Verdict:
    """`keep` gets the evidence, packed, before it is judged. Raises EpisodeFault."""
    with tempfile.TemporaryDirectory(prefix="evidence-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        try:
            rules = task.evaluator or {}
            evidence = await _gathered(box, task.id, rules, ending, folder)
        except EpisodeFault:
            raise
        except Exception as error:
            raise _fault(task.id, f"{type(error).__name__}: {error}") from error
        if keep is not None:
            keep(await asyncio.to_thread(bundled, evidence, folder))
        return await verdict(evidence, folder, compat=bool(rules.get("compat")))


async def _gathered(box: Box, task_id: str, rules: Given, ending: Ending, folder: Path) -> Evidence:
    functions = _listed(rules["func"])
    about: dict[str, Any] = {
        "task_id": task_id, "gave_up": ending.infeasible, "infeasible": functions == [INFEASIBLE],
    }  # fmt: skip
    if about["gave_up"] or about["infeasible"]:
        return Evidence(**about)
    measures = [_nth(rules, index, name) for index, name in enumerate(functions)]
    milestones: dict[str, Given] = rules.get("milestones") or {}
    wanted = list(_wanted([*measures, *milestones.values()]))
    inside = [given for given in wanted if given.get("type") not in OUTSIDE]
    collected = await box.collect(list(rules.get("postconfig", ())), inside)
    if len(collected.values) != len(inside):
        raise ValueError(f"{len(collected.values)} values came for {len(inside)} getters")
    bringer = _Bringer(box, folder)
    found = iter([await bringer.brought(*each) for each in enumerate(collected.values)])
    outside = Ending(ending.answer, ending.infeasible, ending.at, folder)
    values = iter(
        [
            _marked(given, (await got(None, outside, given, folder))[0])
            if given.get("type") in OUTSIDE
            else _marked(given, next(found))
            for given in wanted
        ]
    )
    return Evidence(
        **about,
        conj=rules.get("conj", "and"),
        measures=tuple(_measure(one, values) for one in measures),
        milestones={name: _measure(one, values) for name, one in milestones.items()},
    )


class _Bringer:
    """Fetches what a box has collected into `folder`, a folder for each value."""

    def __init__(self, box: Box, folder: Path) -> None:
        self._box, self._folder = box, folder
        self._left = MAX_BYTES

    async def brought(self, index: int, value: Value) -> Value:
        """The value, its files being here."""
        match value:
            case File():
                return (await self._files(index, [value]))[0]
            case Files(files=files):
                return Files(files=tuple(await self._files(index, files)))
        return value

    async def _files(self, index: int, told: Sequence[File]) -> list[File]:
        (self._folder / str(index)).mkdir()
        here, taken = [], set[str]()
        for number, file in enumerate(told):
            self._left -= file.bytes
            if self._left < 0:
                raise ValueError(f"the files of the box are larger than {MAX_BYTES} bytes in all")
            name = safe_name(file.path.rpartition("/")[2])
            if name in taken:
                name = safe_name(f"{number}-{name}")
            taken.add(name)
            path = f"{index}/{name}"
            await self._box.bring(index, number, file, self._folder / path)
            here.append(file.model_copy(update={"path": path}))
        return here


def _wanted(measures: Sequence[Given]) -> Iterator[Given]:
    """What getters are asked for, in order."""
    for one in measures:
        for side in ("result", "expected"):
            if one.get(side):
                yield one[side]


def _measure(one: Given, values: Iterator[Value]) -> Measure:
    sides = {side: next(values) for side in ("result", "expected") if one.get(side)}
    return Measure(func=one["func"], options=one.get("options") or {}, **sides)


def _marked(given: Given, value: Value) -> Value:
    """OSWorld takes the first of several files when the task does not say which."""
    if isinstance(value, Files) and given.get("multi") and "gives" not in given:
        return value.model_copy(update={"unchosen": True})
    return value


def _nth(rules: Given, index: int, name: str) -> dict[str, Any]:
    one: dict[str, Any] = {"func": name}
    for side in ("result", "expected", "options"):
        value = rules.get(side)
        one[side] = value[index] if isinstance(value, list) else value
    return one


def _listed(value: Any) -> list[str]:
    return list(value) if isinstance(value, list) else [value]


def _fault(task_id: str, reason: str) -> EpisodeFault:
    return EpisodeFault(InvalidReason.EVALUATOR_ERROR, f"task {task_id}: {reason}"[:2000])
