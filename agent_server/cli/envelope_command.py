"""`deskhand eval envelope`: what a policy was evaluated in, and how far its use is outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from agent_server.evaluation.report.gap import Gap, Share

NAME = "envelope.json"


def envelope(
    run: Annotated[
        Path, typer.Argument(help="folder of an evaluation or a training run", exists=True)
    ],
    against: Annotated[
        Path | None,
        typer.Option(help="folder of a run where the policy is used: report the gap", exists=True),
    ] = None,
    patience: Annotated[
        int, typer.Option(min=1, help="unsure answers in a row that are outside")
    ] = 3,
    json: Annotated[Path | None, typer.Option("--json", help="also write the gap here")] = None,
) -> None:
    """Write RUN/envelope.json for the guard (DESKHAND_ENVELOPE); with --against, tell how often the
    policy leaves it there, and what it solves within and outside."""
    from agent_server.evaluation.report.gap import measure_gap, read_episodes
    from agent_server.policy.envelope import measure_envelope
    from envs.io.atomic_write import write_whole

    judged = [
        (template, success, steps)
        for template, success, steps in read_episodes(run)
        if success is not None
    ]
    measured = measure_envelope(judged, patience)
    write_whole(run / NAME, [(measured.model_dump_json(indent=2) + "\n").encode()])
    typer.echo(
        f"{measured.episodes} episodes, {measured.success_rate:.1%} solved: prompts up to "
        f"{measured.prompt_tokens} tokens, surprisal up to {measured.surprisal:.3f} nats a token"
    )
    typer.echo(f"wrote {run / NAME}")
    if against is None:
        return
    gap = measure_gap(measured, read_episodes(against))
    for line in lines_of(gap):
        typer.echo(line)
    if json is not None:
        write_whole(json, [(gap.model_dump_json(indent=2) + "\n").encode()])
        typer.echo(f"wrote {json}")


def lines_of(gap: Gap) -> Iterator[str]:
    """The gap as text."""
    yield f"solved where it was evaluated: {gap.evaluated:.1%}"
    yield f"solved there:    {_format(gap.success)}"
    yield f"  within:        {_format(gap.within)}"
    yield f"  outside:       {_format(gap.outside)}"
    yield f"leave it:        {_format(gap.stopped)}"
    for cause, count in gap.causes.items():
        yield f"  {cause}: {count}"
    if gap.new_templates:
        yield f"not evaluated before: {', '.join(gap.new_templates[:10])}"


def _format(share: Share) -> str:
    if share.rate is None:
        return "no episode"
    low, high = share.ci95
    return f"{share.rate:.1%} [{low:.1%}, {high:.1%}] of {share.n}"
