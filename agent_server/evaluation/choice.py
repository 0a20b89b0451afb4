"""Which tasks an evaluation runs, and which of the set it cannot, each with the reason.

Guarantees: every task of the set is in one of the two lists; broken files are told all at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agent_server.evaluation.plan import Asked, NotRun
from agent_server.heldout import heldout_draws
from agent_server.policy.oracle import find_oracle
from agent_server.task_check import absent
from agent_server.task_files import TaskFile, TaskFileError, read_tasks
from agent_server.task_report import installed
from envs.gyms.registry import get_gym
from envs.tasks import Task
from envs.verify.needs import Here, unsupported


class NothingToRun(Exception):
    """No task of the set can run here; the message says why."""


@dataclass(frozen=True, slots=True)
class Choice:
    """`tasks`: the whole set in order, as (domain, task), those of `not_run` too."""

    tasks: tuple[tuple[str, Task], ...]
    not_run: tuple[NotRun, ...] = ()
    broken: tuple[str, ...] = ()


def choose(asked: Asked, assets: Path | None) -> Choice:
    """`assets`: folder of a mirror. Raises TaskFileError, NothingToRun."""
    if asked.tasks is None:
        return choose_from(asked, heldout(asked))
    return _something(_from_files(asked, assets))


def choose_from(asked: Asked, tasks: Sequence[tuple[str, Task]]) -> Choice:
    """Of tasks with their domains; what the machine lacks for them is not asked. Raises
    NothingToRun."""
    return _something(_judged(asked, tasks, {}))


def heldout(asked: Asked) -> list[tuple[str, Task]]:
    """Of the gym, each template in its turn. Raises KeyError."""
    gym = get_gym(asked.gym)
    drawn = heldout_draws(asked.templates or gym.templates, asked.episodes, asked.seed)
    return [(name, gym.make_task(name, seed)) for name, seed in drawn]


def _from_files(asked: Asked, assets: Path | None) -> Choice:
    found = read_tasks(Path(asked.tasks or ""), asked.split)
    broken = tuple(str(problem) for problem in found.problems)
    if broken and not (asked.skip_broken and found.tasks):
        raise TaskFileError("\n".join(broken))
    here = installed(found.tasks, assets)
    reasons = {file.task.id: _lacking(file, here) for file in found.tasks}
    choice = _judged(asked, [(file.domain, file.task) for file in found.tasks], reasons)
    return Choice(choice.tasks, choice.not_run, broken)


def _lacking(file: TaskFile, here: Here) -> list[str]:
    missing = [f"no {one.kind} {one.name!r} here ({one.where})" for one in absent(file.task)]
    return unsupported(file.task, here) + missing


def _judged(
    asked: Asked, tasks: Sequence[tuple[str, Task]], reasons: dict[str, list[str]]
) -> Choice:
    not_run = []
    for domain, task in tasks:
        why = list(reasons.get(task.id, ()))
        if not task.judged:
            why.append("nothing judges it: it has neither evaluator nor gym")
        if asked.policy == "oracle":
            try:
                find_oracle(asked.as_run(task))
            except KeyError as error:
                why.append(str(error.args[0]))
        if why:
            not_run.append(NotRun(id=task.id, domain=domain, reasons=tuple(why)))
    return Choice(tuple(tasks), tuple(not_run))


def _something(choice: Choice) -> Choice:
    """Raises NothingToRun."""
    if len(choice.not_run) < len(choice.tasks):
        return choice
    first = choice.not_run[0]
    raise NothingToRun(
        f"none of the {len(choice.tasks)} tasks can run here; the first, {first.id}: "
        f"{'; '.join(first.reasons)} (deskhand tasks check --unsupported lists all)"
    )
