"""Plans an evaluation and creates its folder; nothing runs yet.

Guarantees: everything that prevents the evaluation is reported before anything is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from agent_server.evaluation.job.plan import (
    EvalSpec,
    Evaluation,
    Hosts,
    NotAnEvaluation,
    PolicyStamp,
    plan_task,
)
from agent_server.evaluation.job.selection import Selection, select_tasks
from agent_server.evaluation.job.stamp import (
    describe_started_hosts,
    differing_settings,
    make_stamp,
    policy_stamp,
)
from agent_server.settings import Settings
from agent_server.store.episodes import new_id

SHOWN_TASKS = 3


class FolderTaken(Exception):
    """The folder exists already; the message says what to do."""


def create_evaluation(spec: EvalSpec, folder: Path) -> list[str]:
    """Create the folder and return the plan in sentences. Raises TaskFileError, NothingToRun,
    BadVersion, FolderTaken."""
    selection = select_tasks(spec, Settings.from_env().assets)
    tasks = [task for _, task in selection.tasks]
    evaluation = make_plan(spec, selection, policy_stamp(spec), describe_started_hosts(spec, tasks))
    try:
        evaluation.write(folder, tasks)
    except FileExistsError as error:
        raise FolderTaken(_describe_taken(folder, spec)) from error
    return list(_plan_sentences(evaluation, folder))


def _describe_taken(folder: Path, spec: EvalSpec) -> str:
    """What is in the way of a new evaluation, and what to do."""
    try:
        differences = differing_settings(Evaluation.read(folder).spec, spec)
    except NotAnEvaluation:
        return f"{folder} exists already and is no evaluation: give another --name"
    if differences:
        return (
            f"{folder} is an evaluation with other settings ({'; '.join(differences)}): give "
            f"another --name, or continue that one as it is with `deskhand eval resume {folder}`"
        )
    return (
        f"{folder} is this evaluation already: continue it with `deskhand eval resume {folder}`, "
        "or give another --name"
    )


def make_plan(
    spec: EvalSpec, selection: Selection, policy: PolicyStamp, hosts: Hosts
) -> Evaluation:
    """The plan with its stamp and a new run id."""
    unsupported_ids = {task.id for task in selection.unsupported}
    return Evaluation(
        run_id=new_id("r"),
        spec=spec,
        stamp=make_stamp(spec, [task for _, task in selection.tasks], policy, hosts),
        tasks=tuple(
            plan_task(domain, task)
            for domain, task in selection.tasks
            if task.id not in unsupported_ids
        ),
        not_run=selection.unsupported,
        broken=selection.broken,
    )


def _plan_sentences(evaluation: Evaluation, folder: Path) -> Iterator[str]:
    spec, unsupported = evaluation.spec, evaluation.not_run
    episodes = sum(len(evaluation.planned_trials(name)) for name in spec.contenders)
    yield f"run folder: {folder}"
    most = "at most " if spec.until_width is not None else ""
    yield (
        f"{most}{len(evaluation.tasks)} tasks x {spec.trials} trials = {episodes} episodes of "
        f"{' and '.join(spec.contenders)}"
    )
    controls = [name for name in spec.policies if name not in spec.contenders]
    if controls:
        control_episodes = len(evaluation.planned_trials()) - episodes
        yield f"{control_episodes} more of the controls {' and '.join(controls)}"
    if unsupported:
        yield f"{len(unsupported)} tasks cannot run here and are not in the denominator:"
        for task in unsupported[:SHOWN_TASKS]:
            yield f"  {task.id}: {'; '.join(task.reasons)}"
        if len(unsupported) > SHOWN_TASKS:
            yield f"  and {len(unsupported) - SHOWN_TASKS} more, in {folder}/evaluation.json"
    if evaluation.broken:
        yield f"{len(evaluation.broken)} errors in task files, which are skipped:"
        for error in evaluation.broken[:SHOWN_TASKS]:
            yield f"  {error}"
