"""Compares two evaluations of the same tasks, paired by task.

Guarantees: tasks are the same only if the hashes of their files are; tasks that only one evaluation
has, settings that differ, and trials that have not run are named. These and lost trials count as
not solved, as everywhere.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from agent_server.evaluation.figures.statistics import bootstrap_mean, mcnemar_exact
from agent_server.evaluation.job.plan import Evaluation
from agent_server.evaluation.job.results import Trial

NAMED = 5
SETTINGS = ("compat", "tools", "max_steps", "max_seconds", "trials", "sampling")
UNSAMPLED = frozenset({"oracle", "noop", "infeasible", "random"})


class NotComparable(Exception):
    """The evaluations did not run the same tasks; the message says which differ."""


class Comparison(BaseModel):
    """Rates are means over tasks.

    An evaluation solved a task if it solved more than half of its trials: `both`, `only_first`,
    `only_second`, `neither` and `p_value` are counted that way."""

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


def compare_evaluations(
    first: tuple[Evaluation, Sequence[Trial]],
    second: tuple[Evaluation, Sequence[Trial]],
    force: bool,
) -> Comparison:
    """Compare the evaluated policies of two evaluations, each with all its trials, on their common
    tasks. Raises NotComparable as `common_tasks` does."""
    tasks, notes = common_tasks(first[0], second[0], force)
    first_trials, second_trials = (
        [trial for trial in trials if trial.policy == evaluation.spec.policy]
        for evaluation, trials in (first, second)
    )
    for title, trials in (("first", first_trials), ("second", second_trials)):
        open_count = sum(not trial.has_run for trial in trials)
        if open_count:
            notes.append(
                f"the {title} is not complete: {open_count} of {len(trials)} trials have not run; "
                "they count as not solved"
            )
    comparison = compare(first_trials, second_trials, tasks, first[0].spec.seed)
    return comparison.model_copy(update={"notes": tuple(notes)})


def common_tasks(first: Evaluation, second: Evaluation, force: bool) -> tuple[list[str], list[str]]:
    """Ids of the tasks in both evaluations, and notes on the differences. Raises NotComparable
    where tasks differ without `force`, or where no task is common."""
    first_hashes = {task.id: task.sha256 for task in first.tasks}
    second_hashes = {task.id: task.sha256 for task in second.tasks}
    common = [name for name in first_hashes if second_hashes.get(name) == first_hashes[name]]
    differences = {
        "only in the first": [name for name in first_hashes if name not in second_hashes],
        "only in the second": [name for name in second_hashes if name not in first_hashes],
        "changed between them": [
            name
            for name in first_hashes
            if name in second_hashes and second_hashes[name] != first_hashes[name]
        ],
    }
    notes = [
        f"{len(names)} tasks {description}: {_first_names(names)}"
        for description, names in differences.items()
        if names
    ]
    if not common:
        raise NotComparable(f"the evaluations have no task in common: {'; '.join(notes)}")
    if notes and not force:
        raise NotComparable(
            f"the evaluations did not run the same tasks: {'; '.join(notes)}. --force compares the "
            f"{len(common)} common tasks"
        )
    if notes:
        notes.append(f"only the {len(common)} common tasks are compared")
    return common, notes + _different_settings(first, second)


def _first_names(names: Sequence[str]) -> str:
    suffix = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + suffix


def _different_settings(first: Evaluation, second: Evaluation) -> list[str]:
    def setting_value(evaluation: Evaluation, name: str) -> Any:
        value = getattr(evaluation.spec, name)
        return value.model_dump_json() if isinstance(value, BaseModel) else value

    # An oracle or a control samples nothing.
    both_sample = not {first.spec.policy, second.spec.policy} & UNSAMPLED
    settings = [name for name in SETTINGS if both_sample or name != "sampling"]
    pairs = [(name, setting_value(first, name), setting_value(second, name)) for name in settings]
    pairs.append(("commit", first.stamp.commit, second.stamp.commit))
    first_stamp, second_stamp = first.stamp, second.stamp
    pairs.append(("image", first_stamp.image, second_stamp.image))
    pairs += [
        (name, first_stamp.applications.get(name), second_stamp.applications.get(name))
        for name in sorted({*first_stamp.applications, *second_stamp.applications})
    ]
    return [
        f"{name} differs: {first_value} and {second_value}"
        for name, first_value, second_value in pairs
        if first_value != second_value
    ]


def compare(
    first: Sequence[Trial], second: Sequence[Trial], tasks: Sequence[str], seed: int
) -> Comparison:
    """Compare the trials of two policies, at least one trial of each of the `tasks`."""
    first_rates, second_rates = rates_by_task(first), rates_by_task(second)
    differences = [second_rates[name] - first_rates[name] for name in tasks]
    pairs = {name: (first_rates[name] > 0.5, second_rates[name] > 0.5) for name in tasks}
    only_first = tuple(name for name, pair in pairs.items() if pair == (True, False))
    only_second = tuple(name for name, pair in pairs.items() if pair == (False, True))
    return Comparison(
        tasks=len(tasks),
        first_rate=math.fsum(first_rates[name] for name in tasks) / len(tasks),
        second_rate=math.fsum(second_rates[name] for name in tasks) / len(tasks),
        difference=math.fsum(differences) / len(tasks),
        ci95=bootstrap_mean(differences, seed),
        p_value=mcnemar_exact(len(only_first), len(only_second)),
        both=sum(pair == (True, True) for pair in pairs.values()),
        neither=sum(pair == (False, False) for pair in pairs.values()),
        only_first=only_first,
        only_second=only_second,
    )


def rates_by_task(trials: Sequence[Trial]) -> Mapping[str, float]:
    """Share of solved trials of each task."""
    outcomes: dict[str, list[bool]] = defaultdict(list)
    for trial in trials:
        outcomes[trial.task_id].append(trial.success)
    return {name: sum(successes) / len(successes) for name, successes in outcomes.items()}
