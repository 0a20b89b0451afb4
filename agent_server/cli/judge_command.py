"""`deskhand eval judge`: how far a judge agrees with the verifiers of a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from envs.contract.validation import describe_first

if TYPE_CHECKING:
    from agent_server.evaluation.figures.agreement import Agreement
    from agent_server.evaluation.report.judging import Judging

NAME = "judge.json"


def judge(
    run: Annotated[
        Path, typer.Argument(help="folder of a training run or an evaluation", exists=True)
    ],
    endpoint: Annotated[
        str | None,
        typer.Option(help="OpenAI-compatible endpoint of the judge; none: rules, no model"),
    ] = None,
    endpoint_model: Annotated[str | None, typer.Option(help="name of the model there")] = None,
    api_key_env: Annotated[
        str | None, typer.Option(help="environment variable that holds the key")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="episodes, chosen at random")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="of the choice")] = 0,
    json: Annotated[Path | None, typer.Option("--json", help="also write the result here")] = None,
) -> None:
    """Ask a judge about episodes that verifiers have judged, and tell how far the two agree.

    Writes RUN/judge.json: agreement, Cohen's kappa and the confusion with 95% intervals, and a row
    for each episode."""
    import asyncio

    from pydantic import ValidationError

    from agent_server.agents.judge import JudgeConfig, make_judge
    from agent_server.evaluation.report.judging import judge_run
    from envs.io.atomic_write import write_whole

    if (endpoint is None) != (endpoint_model is None):
        raise typer.BadParameter("--endpoint and --endpoint-model go together")
    model = {"base_url": endpoint, "model": endpoint_model, "api_key_env": api_key_env}
    sources = {"source": "rules"} if endpoint is None else {"source": "endpoint", "endpoint": model}
    try:
        chosen_judge = make_judge(JudgeConfig.model_validate(sources))
    except ValidationError as error:
        raise typer.BadParameter(f"--endpoint: {describe_first(error)}") from error

    async def ask_and_close() -> Judging:
        try:
            return await judge_run(run, chosen_judge, limit, seed)
        finally:
            await chosen_judge.close()

    try:
        judging = asyncio.run(ask_and_close())
    except LookupError as error:
        raise typer.BadParameter(str(error), param_hint="RUN") from error
    for line in lines_of(judging.agreement):
        typer.echo(line)
    content = (judging.model_dump_json(indent=2) + "\n").encode()
    for path in (run / NAME, *([] if json is None else [json])):
        write_whole(path, [content])
        typer.echo(f"wrote {path}")
    if not judging.agreement.n:
        typer.echo(f"the judge gave no opinion at all, e.g.: {judging.rows[0].reason}", err=True)
        raise typer.Exit(1)


def lines_of(agreement: Agreement) -> Iterator[str]:
    """The figures as text."""
    yield f"{agreement.n} episodes judged by both, {agreement.failed} without an opinion"
    rows = {
        "agreement": (agreement.agreement, agreement.agreement_ci95),
        "kappa": (agreement.kappa, agreement.kappa_ci95),
        "precision of yes": (agreement.precision, agreement.precision_ci95),
        "recall of yes": (agreement.recall, agreement.recall_ci95),
    }
    for name, (value, interval) in rows.items():
        if value is None or interval is None:
            yield f"{name:<17} not defined"
        else:
            yield f"{name:<17} {value:.3f} [{interval[0]:.3f}, {interval[1]:.3f}]"
    yield f"{'':<17} {'judge: yes':>11} {'judge: no':>11}"
    yield f"{'verifier: yes':<17} {agreement.both_yes:>11} {agreement.only_verifier:>11}"
    yield f"{'verifier: no':<17} {agreement.only_judge:>11} {agreement.both_no:>11}"
