"""Puts the trials of an evaluation into the database and sends them to the workers.

Guarantees: a trial that has a verdict, or will have one by itself, is not asked for again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agent_server.dispatch import Dispatcher
from agent_server.evaluation.plan import Cell, Evaluation
from agent_server.store.episodes import new_id
from agent_server.store.queries import Slot
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Group, Run
from envs.tasks import Task


def create_run(evaluation: Evaluation, tasks: Mapping[str, Task], store: Store) -> None:
    """The run and its groups. Raises RunExists."""
    asked = evaluation.asked
    config = evaluation.model_dump(mode="json")
    store.runs.create(Run(id=evaluation.run_id, kind="eval", seed=asked.seed, config=config))
    store.episodes.create_groups(
        [
            Group(
                id=evaluation.group_id(policy, task.id),
                run_id=evaluation.run_id,
                phase=policy,
                template=tasks[task.id].template or "",
                seed=tasks[task.id].seed,
                size=asked.trials_of(policy),
            )
            for policy in asked.policies
            for task in evaluation.tasks
        ]
    )


def ask(evaluation: Evaluation, tasks: Mapping[str, Task], dispatcher: Dispatcher) -> None:
    """Asks for every trial that is neither there nor on its way."""
    slots = dispatcher.store.episodes.slots(evaluation.run_id)
    missing = [
        cell
        for cell in evaluation.cells()
        if (slot := slots.get((cell.group_id, cell.trial))) is None
        or slot.state not in ("arrived", "open")
    ]
    dispatcher.dispatch([_episode(evaluation, cell, tasks[cell.task.id]) for cell in missing])


def ended(slots: Iterable[Slot]) -> int:
    return sum(slot.state != "open" for slot in slots)


def _episode(evaluation: Evaluation, cell: Cell, task: Task) -> Episode:
    return Episode(
        id=new_id(),
        run_id=evaluation.run_id,
        phase=cell.policy,
        purpose="eval",
        group_id=cell.group_id,
        slot=cell.trial,
        task=evaluation.asked.as_run(task).model_dump(mode="json"),
        policy=cell.policy,
        sampling=evaluation.sampling(cell).model_dump(),
        screenshots=evaluation.asked.screenshots,
    )
