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
    config: Annotated[
        Path | None, typer.Option(help="TOML file of a run: memory with its settings")
    ] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="key=value over the file, repeatable")
    ] = None,
) -> None:
    """Say what a model is, the memory that it takes, and what is not supported; 1 if anything."""
    from trainer.config_file import load_config
    from trainer.device import check_device
    from trainer.memory_plan import GIB
    from trainer.model_check import check_model

    run = load_config(config, set_ or [])
    check_device(run.learner.device)
    report = check_model(
        folder,
        base,
        run.learner_config,
        run.serve.engine,
        needs_reference=run.needs_reference,
    )
    tied = "tied" if report.is_tied else "untied"
    memory, adapter = report.memory, run.learner.lora.rank
    start = f", {memory.start / GIB:.1f} GiB when it starts" * (memory.start > memory.learner)
    trains = f"an adapter of rank {adapter}" if adapter else "all weights"
    rest = f", {memory.reference / GIB:.1f} of it for the reference" * bool(memory.reference)
    devices = [report.learner_memory, report.server_memory]
    if memory.offloaded:  # the reference is there, too
        rest = f", and {memory.offloaded / GIB:.1f} GiB of main memory"
        devices.append(report.main_memory)
    places = {place.name: place for place in devices if place}
    for name, value in {
        "family": f"{report.family} ({report.architecture}, {tied} head)",
        "parameters": f"{report.parameters / 1e6:,.1f} million",
        "learner": f"about {memory.learner / GIB:.1f} GiB for {trains}{start}{rest}",
        "server": f"about {memory.server / GIB:.1f} GiB in bf16",
        "available": ", ".join(
            f"{each.free / GIB:.1f} GiB of {name}" for name, each in places.items()
        ),
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
