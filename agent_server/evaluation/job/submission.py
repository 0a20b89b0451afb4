"""Submits the trials of an evaluation: rows in the database, messages to the workers.

Guarantees: a trial that has a verdict, or is still on its way to one, is not submitted again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from agent_server.evaluation.job.plan import Evaluation, PlannedTrial
from agent_server.queue.broker import Dispatcher
from agent_server.store.episodes import new_id
from agent_server.store.queries import GroupMember
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Group, Run
from envs.contract.task import Task


def create_run(evaluation: Evaluation, tasks: Mapping[str, Task], store: Store) -> None:
    """Create the run and its groups: one for each policy and task. Raises RunExists."""
    spec = evaluation.spec
    config = evaluation.model_dump(mode="json")
    store.runs.create(Run(id=evaluation.run_id, kind="eval", seed=spec.seed, config=config))
    store.episodes.create_groups(
        [
            Group(
                id=evaluation.group_id(policy, task.id),
                run_id=evaluation.run_id,
                phase=policy,
                template=tasks[task.id].template or "",
                seed=tasks[task.id].seed,
                size=spec.trials_of(policy),
            )
            for policy in spec.policies
            for task in evaluation.tasks
        ]
    )


def submit_missing_trials(
    evaluation: Evaluation,
    tasks: Mapping[str, Task],
    dispatcher: Dispatcher,
    key_name: str | None = None,
) -> None:
    """Submit every planned trial that has no verdict and is not on its way. `key_name`: whose
    limits they count against. Raises QuotaRefused."""
    members = dispatcher.store.episodes.members(evaluation.run_id)
    missing = [
        planned
        for planned in evaluation.planned_trials()
        if (member := members.get((planned.group_id, planned.trial))) is None
        or member.state not in ("arrived", "open")
    ]
    # One object a task: its trials share it, and the store keeps a large one once.
    bodies = {
        task_id: evaluation.spec.apply_to(tasks[task_id]).model_dump(mode="json")
        for task_id in {planned.task.id for planned in missing}
    }
    dispatcher.dispatch(
        [_episode(evaluation, planned, bodies[planned.task.id], key_name) for planned in missing]
    )


def count_ended(members: Iterable[GroupMember]) -> int:
    """Trials that will not change any more unless they are submitted again."""
    return sum(member.state != "open" for member in members)


def _episode(
    evaluation: Evaluation, planned: PlannedTrial, task: dict[str, Any], key_name: str | None
) -> Episode:
    return Episode(
        key_name=key_name,
        id=new_id(),
        run_id=evaluation.run_id,
        phase=planned.policy,
        purpose="eval",
        group_id=planned.group_id,
        slot=planned.trial,
        task=task,
        policy=planned.policy,
        sampling=evaluation.sampling_of(planned).model_dump(),
        screenshots=evaluation.spec.screenshots,
    )
