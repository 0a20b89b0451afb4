"""Judges a desktop task by its `evaluator`, with OSWorld's meaning.

`func` is a metric or a list of them, `result`, `expected` and `options` go with it index by index;
`conj` "and" (the default) gives 0 as soon as one is 0, else the mean, "or" the best. "infeasible"
wants the agent to say so; saying so of any other task scores 0. A missing file scores 0; any other
exception is a fault of the evaluator, never a 0.

Beyond OSWorld: `milestones` names further (func, result, expected) objects that are reported and do
not count.
"""

from __future__ import annotations

import asyncio
import dataclasses
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from envs.outcomes import EpisodeFault, InvalidReason
from envs.session import Verdict
from envs.tasks import Task
from envs.verify import getters as _getters  # noqa: F401  registers them
from envs.verify import metrics as _metrics  # noqa: F401  registers them
from envs.verify import osworld
from envs.verify.machine import Machine
from envs.verify.osworld import values as _values  # noqa: F401  registers them
from envs.verify.registry import GETTERS, METRICS, Ending

INFEASIBLE = "infeasible"
JUDGE_S = 60.0
Postconfig = Callable[[list[dict[str, Any]]], Awaitable[None]]


async def evaluate(machine: Machine, task: Task, ending: Ending, prepare: Postconfig) -> Verdict:
    """`prepare` runs the evaluator's setup steps (`postconfig`). Raises
    EpisodeFault(EVALUATOR_ERROR)."""
    with tempfile.TemporaryDirectory(prefix="evaluation-", ignore_cleanup_errors=True) as folder:
        ending = dataclasses.replace(ending, scratch=Path(folder))
        return await _evaluated(machine, task, ending, prepare)


async def _evaluated(machine: Machine, task: Task, ending: Ending, prepare: Postconfig) -> Verdict:
    rules = task.evaluator or {}
    try:
        async with asyncio.timeout(JUDGE_S):
            await prepare(list(rules.get("postconfig", ())))
            functions = _listed(rules["func"])
            if functions == [INFEASIBLE]:
                return Verdict(score=float(ending.infeasible))
            if ending.infeasible:
                return Verdict(score=0.0, details={"infeasible": "the task can be done"})
            scores = [
                await _score(machine, ending, _nth(rules, index, name))
                for index, name in enumerate(functions)
            ]
            milestones = {
                name: await _score(machine, ending, one) >= 1
                for name, one in rules.get("milestones", {}).items()
            }
    except EpisodeFault:
        raise
    except Exception as error:
        raise EpisodeFault(
            InvalidReason.EVALUATOR_ERROR, f"task {task.id}: {type(error).__name__}: {error}"
        ) from error
    return Verdict(
        score=conjoined(scores, rules.get("conj", "and")),
        milestones=milestones,
        details={"scores": dict(zip(_unique(functions), scores, strict=True))},
    )


def conjoined(scores: Sequence[float], conj: str) -> float:
    """Raises ValueError for anything but "and" and "or"."""
    if conj == "or":
        return max(scores)
    if conj != "and":
        raise ValueError(f"conj is {conj!r}, not 'and' or 'or'")
    return 0.0 if 0.0 in scores else sum(scores) / len(scores)


async def _score(machine: Machine, ending: Ending, one: Mapping[str, Any]) -> float:
    name = one["func"]
    if name not in METRICS:
        missing = await asyncio.to_thread(osworld.register)
        if name not in METRICS:
            hint = f"; not installed: {', '.join(missing)}" if missing else ""
            raise KeyError(f"there is no metric {name!r}{hint}")
    try:
        fetched = [
            await _fetch(machine, ending, one[side])
            for side in ("result", "expected")
            if one.get(side)
        ]
    except FileNotFoundError:
        return 0.0
    # Reading a document is CPU work of unknown length: not on the loop.
    return await asyncio.to_thread(METRICS[name], *fetched, **(one.get("options") or {}))


async def _fetch(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> Any:
    kind = given["type"]
    if kind not in GETTERS:
        raise KeyError(f"there is no getter {kind!r}")
    return await GETTERS[kind](machine, ending, given)


def _nth(rules: Mapping[str, Any], index: int, name: str) -> dict[str, Any]:
    one: dict[str, Any] = {"func": name}
    for side in ("result", "expected", "options"):
        value = rules.get(side)
        one[side] = value[index] if isinstance(value, list) else value
    return one


def _listed(value: Any) -> list[str]:
    return list(value) if isinstance(value, list) else [value]


def _unique(names: Sequence[str]) -> list[str]:
    return [
        name if names.count(name) == 1 else f"{index}:{name}" for index, name in enumerate(names)
    ]
