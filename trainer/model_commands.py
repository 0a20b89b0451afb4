"""`deskhand model tiny`, `deskhand model check` and `deskhand model merge`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Adds `model` with its subcommands to the program."""
    model = typer.Typer(help="Make and check folders of models.", no_args_is_help=True)
    model.command()(tiny)
    model.command()(check)
    model.command()(merge)
    app.add_typer(model, name="model")


def tiny(
    family: Annotated[
        str, typer.Argument(help="qwen3, qwen3-tied, qwen2.5-vl, qwen3-vl or glm-4.1v")
    ],
    to: Annotated[Path, typer.Option(help="folder to write")],
    seed: Annotated[int, typer.Option(help="of the random weights")] = 0,
) -> None:
    """Write random weights in the format of a real family, small: for tests and trials."""
    from trainer.tiny_models import make_tiny_model

    make_tiny_model(family, to, seed)
    typer.echo(f"{to}: a tiny {family} with random weights")


def check(
    folder: Annotated[Path, typer.Argument(help="folder of a model or of an adapter")],
    base: Annotated[Path | None, typer.Option(help="folder of an adapter's base")] = None,
) -> None:
    """Say what a model is, the memory that it takes, and what is not supported; 1 if anything."""
    from trainer.model_check import GIB, check_model

    report = check_model(folder, base)
    tied = "tied" if report.is_tied else "untied"
    for name, value in {
        "family": f"{report.family} ({report.architecture}, {tied} head)",
        "parameters": f"{report.parameters / 1e6:,.1f} million",
        "learner": f"about {report.learner_bytes / GIB:.1f} GiB in bf16, and "
        f"{report.reference_bytes / GIB:.1f} GiB more with a reference",
        "server": f"about {report.server_bytes / GIB:.1f} GiB in bf16",
        "available": f"{report.available_bytes / GIB:.1f} GiB",
    }.items():
        typer.echo(f"{name:<11} {value}")
    for problem in report.problems:
        typer.echo(f"problem     {problem}")
    if report.problems:
        raise typer.Exit(1)


def merge(
    adapter: Annotated[Path, typer.Argument(help="folder of an adapter")],
    to: Annotated[Path, typer.Option(help="folder to write")],
    base: Annotated[
        Path | None, typer.Option(help="folder of its base; default: the one that it names")
    ] = None,
) -> None:
    """Write the base's weights with an adapter's added: a model of its own."""
    from trainer.lora import merge_adapter
    from trainer.model_check import check_model

    base = check_model(adapter, base).folder
    merge_adapter(adapter, base, to)
    typer.echo(f"{to}: {base} with {adapter}")
