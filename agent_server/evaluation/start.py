"""Plans an evaluation and makes its folder; nothing runs yet.

Guarantees: what cannot be evaluated is told before anything is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from agent_server.evaluation.choice import Choice, choose
from agent_server.evaluation.plan import Asked, Evaluation, Hosts, PolicyStamp, planned
from agent_server.evaluation.stamp import local_hosts, make_stamp, policy_stamp
from agent_server.settings import Settings
from agent_server.store.episodes import new_id

NAMED = 3


class FolderTaken(Exception):
    """There is something under the name already; the message says what to do."""


def start(asked: Asked, folder: Path) -> list[str]:
    """Makes the folder; what is going to be run, in sentences. Raises TaskFileError, NothingToRun,
    BadVersion, FolderTaken."""
    choice = choose(asked, Settings.from_env().assets)
    tasks = [task for _, task in choice.tasks]
    evaluation = plan(asked, choice, policy_stamp(asked), local_hosts(tasks))
    try:
        evaluation.write(folder, tasks)
    except FileExistsError as error:
        raise FolderTaken(
            f"{folder} is there already: give another --name, or go on with "
            f"`deskhand eval resume {folder}`"
        ) from error
    return list(_sentences(evaluation, folder))


def plan(asked: Asked, choice: Choice, policy: PolicyStamp, hosts: Hosts) -> Evaluation:
    """What is going to be run, with its stamp."""
    left_out = {one.id for one in choice.not_run}
    return Evaluation(
        run_id=new_id("r"),
        asked=asked,
        stamp=make_stamp(asked, [task for _, task in choice.tasks], policy, hosts),
        tasks=tuple(planned(*one) for one in choice.tasks if one[1].id not in left_out),
        not_run=choice.not_run,
        broken=choice.broken,
    )


def _sentences(evaluation: Evaluation, folder: Path) -> Iterator[str]:
    asked = evaluation.asked
    own = len(evaluation.cells(asked.policy))
    yield f"run folder: {folder}"
    tasks, trials = len(evaluation.tasks), asked.trials
    yield f"{tasks} tasks x {trials} trials = {own} episodes of {asked.policy}"
    if asked.policies[1:]:
        named = " and ".join(asked.policies[1:])
        yield f"{len(evaluation.cells()) - own} more of the controls {named}"
    if evaluation.not_run:
        yield f"{len(evaluation.not_run)} tasks cannot run here and are not in the denominator:"
        for one in evaluation.not_run[:NAMED]:
            yield f"  {one.id}: {'; '.join(one.reasons)}"
        if len(evaluation.not_run) > NAMED:
            yield f"  and {len(evaluation.not_run) - NAMED} more, in {folder}/evaluation.json"
    if evaluation.broken:
        yield f"{len(evaluation.broken)} errors in task files, which are skipped:"
        for error in evaluation.broken[:NAMED]:
            yield f"  {error}"
