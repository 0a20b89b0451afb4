"""`deskhand import-agentnet`: trajectories that others collected, as examples to imitate."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from envs.contract.validation import describe_first
from envs.dialects.view import View


def import_agentnet(
    file: Annotated[Path, typer.Argument(help="a file of AgentNet's form, one task a line")],
    pictures: Annotated[Path, typer.Option(help="folder of the screenshots that it names")],
    model: Annotated[Path, typer.Option(help="the model to train: how large it reads pictures")],
    to: Annotated[Path, typer.Option(help="folder to write chat.jsonl and pictures to")],
    dialect: Annotated[str, typer.Option(help="uitars, computer_use or glm")] = "computer_use",
    coordinates: Annotated[str, typer.Option(help="relative or absolute")] = "relative",
    history: Annotated[int, typer.Option(help="pictures in a prompt")] = 1,
    explain: Annotated[bool, typer.Option(help="prompts begin with how to answer")] = False,
    thoughts: Annotated[bool, typer.Option(help="answers begin with the step's thought")] = True,
    min_alignment: Annotated[
        float, typer.Option(help="least alignment_score of a task, of 10", min=0, max=10)
    ] = 0.0,
) -> None:
    """Write steps of completed tasks as examples for imitate.data, in the model's dialect."""
    from agent_server.policy.pictured_prompt import fit_picture
    from trainer import agentnet
    from trainer.model_files import load_config
    from trainer.picture_format import PictureFormatUnusable, picture_format
    from trainer.pictures import PictureReader
    from trainer.tokenizer import load_tokenizer

    try:
        view = View.model_validate(
            {
                "observe": "picture",
                "dialect": dialect,
                "coordinates": coordinates,
                "pictures": history,
                "explain": explain,
                "thoughts": thoughts,
            }
        )
        form = picture_format(load_tokenizer(model), load_config(model), PictureReader(model))
        counts = asyncio.run(
            agentnet.import_agentnet(
                file, pictures, to, view, partial(fit_picture, form=form), min_alignment
            )
        )
    except ValidationError as error:
        raise typer.BadParameter(describe_first(error)) from error
    except (agentnet.ImportRefused, PictureFormatUnusable, OSError) as error:
        raise typer.BadParameter(str(error)) from error
    typer.echo(f"wrote {counts.examples} examples of {counts.tasks} tasks to {to}")
    for reason, count in counts.left_out.most_common():
        typer.echo(f"left out {count} {reason}")
