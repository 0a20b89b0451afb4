"""Two evaluations of the same tasks, paired by task.

Guarantees: tasks are the same only if their files' hashes are; what is not in both runs is named;
settings that differ are named too. Trials that were lost count as not solved, as everywhere.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from agent_server.evaluation.plan import Evaluation
from agent_server.evaluation.results import Trial
from agent_server.evaluation.statistics import bootstrap_mean, mcnemar_exact

NAMED = 5
SETTINGS = ("compat", "tools", "max_steps", "max_seconds", "trials", "sampling")


class NotComparable(Exception):
    """The runs did not run the same tasks; the message says which differ."""


class Comparison(BaseModel):
    """Rates are means over tasks. A task counts as solved by a run that solved it in more than half
    of its trials: `both`, `only_first`, `only_second`, `neither` and `p_value` stand on that."""

    model_config = ConfigDict(frozen=True)

    tasks: int
    first_rate: float
    second_rate: float
    difference: float
    ci95: tuple[float, float]
    p_value: float
    both: int
    neither: int
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    notes: tuple[str, ...] = ()


def common_tasks(first: Evaluation, second: Evaluation, force: bool) -> tuple[list[str], list[str]]:
    """Ids of the tasks that both ran, and notes on what they did not share. Raises NotComparable
    where tasks differ and `force` is not given, or where none is common."""
    ours = {task.id: task.sha256 for task in first.tasks}
    theirs = {task.id: task.sha256 for task in second.tasks}
    common = [name for name in ours if theirs.get(name) == ours[name]]
    differ = {
        "only the first ran": [name for name in ours if name not in theirs],
        "only the second ran": [name for name in theirs if name not in ours],
        "changed between them": [
            name for name in ours if name in theirs and theirs[name] != ours[name]
        ],
    }
    told = [f"{what} {len(names)} tasks: {_named(names)}" if "ran" in what
            else f"{len(names)} tasks {what}: {_named(names)}"
            for what, names in differ.items() if names]  # fmt: skip
    if not common:
        raise NotComparable(f"the runs have no task in common: {'; '.join(told)}")
    if told and not force:
        raise NotComparable(
            f"the runs did not run the same tasks: {'; '.join(told)}. --force compares the "
            f"{len(common)} common ones"
        )
    if told:
        told.append(f"compared are the {len(common)} common tasks only")
    return common, told + _settings(first, second)


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _settings(first: Evaluation, second: Evaluation) -> list[str]:
    def shown(evaluation: Evaluation, name: str) -> Any:
        value = getattr(evaluation.asked, name)
        return value.model_dump_json() if isinstance(value, BaseModel) else value

    pairs = [(name, shown(first, name), shown(second, name)) for name in SETTINGS]
    pairs.append(("commit", first.stamp.commit, second.stamp.commit))
    pairs += [
        (name, first.stamp.applications.get(name), second.stamp.applications.get(name))
        for name in sorted({*first.stamp.applications, *second.stamp.applications})
    ]
    return [f"{name} differs: {one} and {other}" for name, one, other in pairs if one != other]


def compare(
    first: Sequence[Trial], second: Sequence[Trial], tasks: Sequence[str], seed: int
) -> Comparison:
    """`first` and `second`: trials of one policy each, at least one of each of the `tasks`."""
    ours, theirs = rates_by_task(first), rates_by_task(second)
    differences = [theirs[name] - ours[name] for name in tasks]
    pairs = {name: (ours[name] > 0.5, theirs[name] > 0.5) for name in tasks}
    only_first = tuple(name for name, pair in pairs.items() if pair == (True, False))
    only_second = tuple(name for name, pair in pairs.items() if pair == (False, True))
    return Comparison(
        tasks=len(tasks),
        first_rate=math.fsum(ours[name] for name in tasks) / len(tasks),
        second_rate=math.fsum(theirs[name] for name in tasks) / len(tasks),
        difference=math.fsum(differences) / len(tasks),
        ci95=bootstrap_mean(differences, seed),
        p_value=mcnemar_exact(len(only_first), len(only_second)),
        both=sum(pair == (True, True) for pair in pairs.values()),
        neither=sum(pair == (False, False) for pair in pairs.values()),
        only_first=only_first,
        only_second=only_second,
    )


def rates_by_task(trials: Sequence[Trial]) -> Mapping[str, float]:
    """Solved / trials of each task."""
    found: dict[str, list[bool]] = defaultdict(list)
    for trial in trials:
        found[trial.task_id].append(trial.success)
    return {name: sum(own) / len(own) for name, own in found.items()}
