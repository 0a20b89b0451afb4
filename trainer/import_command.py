"""`deskhand import-agentnet` and `import-osworld`: trajectories that others collected, as examples
to imitate."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import ValidationError

from envs.contract.validation import describe_first
from envs.dialects.view import View

if TYPE_CHECKING:
    from agent_server.episodes.seeing_agent import Fit
    from trainer.trajectory_examples import ImportCounts

_Model = Annotated[Path, typer.Option(help="the model to train: how large it reads pictures")]
_To = Annotated[Path, typer.Option(help="folder to write chat.jsonl and pictures to")]
_Dialect = Annotated[str, typer.Option(help="uitars, computer_use or glm")]
_Coordinates = Annotated[str, typer.Option(help="relative or absolute")]
_History = Annotated[int, typer.Option(help="pictures in a prompt")]
_Explain = Annotated[bool, typer.Option(help="prompts begin with how to answer")]
_Thoughts = Annotated[bool, typer.Option(help="answers begin with the step's thought")]


def import_agentnet(
    file: Annotated[Path, typer.Argument(help="a file of AgentNet's form, one task a line")],
    pictures: Annotated[Path, typer.Option(help="folder of the screenshots that it names")],
    model: _Model,
    to: _To,
    dialect: _Dialect = "computer_use",
    coordinates: _Coordinates = "relative",
    history: _History = 1,
    explain: _Explain = False,
    thoughts: _Thoughts = True,
    min_alignment: Annotated[
        float, typer.Option(help="least alignment_score of a task, of 10", min=0, max=10)
    ] = 0.0,
) -> None:
    """Write steps of completed tasks as examples for imitate.data, in the model's dialect."""
    from trainer import agentnet

    def run(view: View, fit: Fit) -> Awaitable[ImportCounts]:
        return agentnet.import_agentnet(file, pictures, to, view, fit, min_alignment)

    _import(run, to, model, _view(dialect, coordinates, history, explain, thoughts))


def import_osworld(
    results: Annotated[Path, typer.Argument(help="results of OSWorld's runners, or our export")],
    model: _Model,
    to: _To,
    tasks: Annotated[
        Path | None, typer.Option(help="folder of OSWorld's task files: the instructions")
    ] = None,
    dialect: _Dialect = "computer_use",
    coordinates: _Coordinates = "relative",
    history: _History = 1,
    explain: _Explain = False,
    thoughts: _Thoughts = True,
    min_score: Annotated[
        float, typer.Option(help="least result of a task, of 1", min=0, max=1)
    ] = 1.0,
) -> None:
    """Write steps of solved OSWorld tasks as examples for imitate.data, in the model's dialect."""
    from trainer import osworld_results

    def run(view: View, fit: Fit) -> Awaitable[ImportCounts]:
        return osworld_results.import_osworld(results, to, view, fit, tasks, min_score)

    _import(run, to, model, _view(dialect, coordinates, history, explain, thoughts))


def _view(dialect: str, coordinates: str, history: int, explain: bool, thoughts: bool) -> View:
    fields: dict[str, Any] = {
        "observe": "picture",
        "dialect": dialect,
        "coordinates": coordinates,
        "pictures": history,
        "explain": explain,
        "thoughts": thoughts,
    }
    try:
        return View.model_validate(fields)
    except ValidationError as error:
        raise typer.BadParameter(describe_first(error)) from error


def _import(
    run: Callable[[View, Fit], Awaitable[ImportCounts]], to: Path, model: Path, view: View
) -> None:
    """Runs an import for the model, and prints what became of the steps."""
    from agent_server.policy.pictured_prompt import fit_picture
    from trainer.model_files import load_config
    from trainer.picture_format import PictureFormatUnusable, picture_format
    from trainer.pictures import PictureReader
    from trainer.tokenizer import load_tokenizer
    from trainer.trajectory_examples import ImportRefused

    async def import_all(fit: Fit) -> ImportCounts:
        return await run(view, fit)

    try:
        form = picture_format(load_tokenizer(model), load_config(model), PictureReader(model))
        counts = asyncio.run(import_all(partial(fit_picture, form=form)))
    except (ImportRefused, PictureFormatUnusable, OSError) as error:
        raise typer.BadParameter(str(error)) from error
    typer.echo(f"wrote {counts.examples} examples of {counts.tasks} tasks to {to}")
    for reason, count in counts.left_out.most_common():
        typer.echo(f"left out {count} {reason}")
