"""Selects the tasks of an evaluation, and names those that cannot run on this machine.

Guarantees: every task of the set is either planned or listed with its reasons; all broken files
are reported at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agent_server.evaluation.job.plan import EvalSpec, UnsupportedTask
from agent_server.policy.oracle import find_oracle
from agent_server.tasksets.check import absent
from agent_server.tasksets.files import TaskFile, TaskFileError, read_tasks
from agent_server.tasksets.heldout import sample_heldout
from agent_server.tasksets.report import UNJUDGED, local_inventory
from envs.contract.task import Split, Task
from envs.osworld.format.requirements import DESKTOP_IMAGE, Installation, unsupported_reasons
from tasksets.registry import get_gym


class NothingToRun(Exception):
    """No task of the set can run on this machine; the message says why."""


@dataclass(frozen=True, slots=True)
class Selection:
    """`tasks`: the whole set in order as (domain, task), unsupported tasks included. `broken`:
    files that could not be read as tasks, one sentence each."""

    tasks: tuple[tuple[str, Task], ...]
    unsupported: tuple[UnsupportedTask, ...] = ()
    broken: tuple[str, ...] = ()


def select_tasks(spec: EvalSpec, assets: Path | None) -> Selection:
    """The tasks that the specification names. `assets`: folder of a mirror. Raises TaskFileError,
    NothingToRun."""
    if spec.tasks is None:
        return select_from(spec, heldout_tasks(spec))
    return _require_runnable(_select_files(spec, assets))


def select_from(spec: EvalSpec, tasks: Sequence[tuple[str, Task]]) -> Selection:
    """Select among tasks with their domains, without a look at what this machine has. Raises
    NothingToRun."""
    return _require_runnable(_select(spec, tasks, reasons={}))


def heldout_tasks(spec: EvalSpec) -> list[tuple[str, Task]]:
    """Held-out tasks of the gym as (template, task), or training tasks where the specification says
    so; the templates in turn. Raises KeyError."""
    gym = get_gym(spec.gym)
    split: Split = "train" if spec.training else "test"
    draws = sample_heldout(spec.templates or gym.templates, spec.episodes, spec.seed, split)
    return [(template, gym.make_task(template, seed)) for template, seed in draws]


def _select_files(spec: EvalSpec, assets: Path | None) -> Selection:
    task_set = read_tasks(Path(spec.tasks or ""), spec.split)
    broken = tuple(str(problem) for problem in task_set.problems)
    if broken and not (spec.skip_broken and task_set.tasks):
        raise TaskFileError("\n".join(broken))
    screen = spec.screen_for(file.task for file in task_set.tasks)
    if spec.provider == "box":
        inventory = local_inventory(task_set.tasks, assets, screen)
    else:
        # Programs of this machine are none of a container's or a virtual machine's.
        inventory = replace(DESKTOP_IMAGE, assets=assets, screen=screen)
    reasons = {file.task.id: _missing_parts(file, inventory) for file in task_set.tasks}
    selection = _select(spec, [(file.domain, file.task) for file in task_set.tasks], reasons)
    return Selection(selection.tasks, selection.unsupported, broken)


def _missing_parts(file: TaskFile, inventory: Installation) -> list[str]:
    unknown = [f"unknown {part.kind} {part.name!r} ({part.where})" for part in absent(file.task)]
    return unsupported_reasons(file.task, inventory) + unknown


def _select(
    spec: EvalSpec, tasks: Sequence[tuple[str, Task]], reasons: dict[str, list[str]]
) -> Selection:
    """`reasons`: by task id, why a task cannot run, as far as known already."""
    unsupported_tasks = []
    for domain, task in tasks:
        task_reasons = list(reasons.get(task.id, ()))
        if not task.is_judged:
            task_reasons.append(UNJUDGED)
        if "oracle" in spec.contenders:
            try:
                find_oracle(spec.apply_to(task))
            except KeyError as error:
                task_reasons.append(str(error.args[0]))
        if task_reasons:
            unsupported_tasks.append(
                UnsupportedTask(id=task.id, domain=domain, reasons=tuple(task_reasons))
            )
    return Selection(tuple(tasks), tuple(unsupported_tasks))


def _require_runnable(selection: Selection) -> Selection:
    """Raises NothingToRun where no task is left."""
    if len(selection.unsupported) < len(selection.tasks):
        return selection
    first = selection.unsupported[0]
    raise NothingToRun(
        f"none of the {len(selection.tasks)} tasks can run here; the first, {first.id}: "
        f"{'; '.join(first.reasons)} (deskhand tasks check --unsupported lists all)"
    )
