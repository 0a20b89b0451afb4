"""`deskhand eval rescore`: every verdict of an evaluation made again, and what changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from agent_server.evaluation.rescore import Rescored, Rescoring

NAMES = {False: "rescored.json", True: "rescored-compat.json"}
"""Beside the run's evaluation.json, by whether upstream's defects counted."""


def rescore(
    run: Annotated[Path, typer.Argument(help="folder of the evaluation")],
    compat: Annotated[
        bool | None,
        typer.Option(
            "--compat/--no-compat", help="judge with OSWorld's own defects; none: as it was judged"
        ),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="put the new verdicts in the place of the recorded")
    ] = False,
    json: Annotated[Path | None, typer.Option("--json", help="also write it here")] = None,
) -> None:
    """Make every verdict again from what was recorded, without any environment.

    Writes RUN/rescored.json; the recorded verdicts stay, unless --write is given."""
    import asyncio

    from agent_server.evaluation.plan import Evaluation
    from agent_server.evaluation.rescore import rescore as made_again
    from agent_server.evaluation.rescore import write_back
    from envs.whole_file import write_whole

    evaluation = Evaluation.read(run)
    asked = evaluation.asked.compat if compat is None else compat
    if write and asked != evaluation.asked.compat:
        raise typer.BadParameter(
            "only verdicts made as the evaluation asked take their place", param_hint="--write"
        )
    rescoring = asyncio.run(made_again(run, evaluation, asked))
    for line in _lines(rescoring, evaluation.asked.policies):
        typer.echo(line)
    content = (rescoring.model_dump_json(indent=2) + "\n").encode()
    for place in (run / NAMES[asked], *([] if json is None else [json])):
        write_whole(place, [content])
        typer.echo(f"wrote {place}")
    if write:
        typer.echo(f"{write_back(run, rescoring.trials)} recorded verdicts replaced")


def _lines(rescoring: Rescoring, policies: tuple[str, ...]) -> Iterator[str]:
    for one in rescoring.changed:
        yield f"{_named(one)}: {_shown(one.was)} -> {_shown(one.now)}"
    for one in rescoring.trials:
        if one.why:
            yield f"{_named(one)}: {_shown(one.was)}, not judged again: {one.why}"
    again, changed = sum(one.now is not None for one in rescoring.trials), len(rescoring.changed)
    yield f"{again} of {len(rescoring.trials)} trials judged again, {changed} changed"
    for policy in policies:
        was, now = rescoring.solved(policy)
        yield f"{policy}: {was} solved -> {now}"


def _named(one: Rescored) -> str:
    return f"{one.task_id} trial {one.trial + 1} ({one.policy})"


def _shown(score: float | None) -> str:
    return "no verdict" if score is None else f"{score:g}"
