"""`deskhand eval rescore`: judges every trial of an evaluation again and lists what changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from agent_server.evaluation.report.rescore import Rescored, Rescoring

NAMES = {False: "rescored.json", True: "rescored-compat.json"}
"""File beside the run's evaluation.json; key: whether metrics kept OSWorld's defects."""


def rescore(
    run: Annotated[Path, typer.Argument(help="folder of the evaluation")],
    compat: Annotated[
        bool | None,
        typer.Option(
            "--compat/--no-compat",
            help="judge with OSWorld's own defects; none: as the evaluation did",
        ),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="replace the recorded verdicts by the new ones")
    ] = False,
    json: Annotated[Path | None, typer.Option("--json", help="also write the result here")] = None,
) -> None:
    """Judge every trial again from its recorded evidence, without any environment.

    Writes RUN/rescored.json; the recorded verdicts stay unless --write is given."""
    import asyncio

    from agent_server.evaluation.job.plan import Evaluation
    from agent_server.evaluation.report.rescore import rescore as rescore_run
    from agent_server.evaluation.report.rescore import write_back
    from envs.io.atomic_write import write_whole

    evaluation = Evaluation.read(run)
    spec = evaluation.spec
    use_compat = spec.compat if compat is None else compat
    if write and use_compat != spec.compat:
        raise typer.BadParameter(
            "only verdicts judged as in the evaluation may replace the recorded ones",
            param_hint="--write",
        )
    rescoring = asyncio.run(rescore_run(run, evaluation, use_compat))
    for line in _lines(rescoring, spec.policies):
        typer.echo(line)
    content = (rescoring.model_dump_json(indent=2) + "\n").encode()
    for path in (run / NAMES[use_compat], *([] if json is None else [json])):
        write_whole(path, [content])
        typer.echo(f"wrote {path}")
    if write:
        typer.echo(f"{write_back(run, rescoring.trials)} recorded verdicts replaced")


def _lines(rescoring: Rescoring, policies: tuple[str, ...]) -> Iterator[str]:
    for trial in rescoring.changed_trials:
        yield f"{_trial_name(trial)}: {_score_text(trial.was)} -> {_score_text(trial.now)}"
    for trial in rescoring.trials:
        if trial.why:
            yield f"{_trial_name(trial)}: {_score_text(trial.was)}, not judged again: {trial.why}"
    judged = sum(trial.now is not None for trial in rescoring.trials)
    changed = len(rescoring.changed_trials)
    yield f"{judged} of {len(rescoring.trials)} trials judged again, {changed} changed"
    for policy in policies:
        before, after = rescoring.count_solved(policy)
        yield f"{policy}: {before} solved -> {after}"


def _trial_name(trial: Rescored) -> str:
    return f"{trial.task_id} trial {trial.trial + 1} ({trial.policy})"


def _score_text(score: float | None) -> str:
    return "no verdict" if score is None else f"{score:g}"
