"""`deskhand pretrain`, found through the entry point group `deskhand.commands`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from agent_server.cli.interrupts import run_until_interrupted


def register(app: typer.Typer) -> None:
    """Adds the command to the program's."""
    app.command()(pretrain)


def pretrain(
    config: Annotated[Path | None, typer.Option(help="TOML file; see --print-config")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="key=value over the file, repeatable")
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="run folder to continue")] = None,
    runs: Annotated[Path, typer.Option(help="folder of all runs")] = Path("runs"),
    name: Annotated[str | None, typer.Option(help="name of the run; default: the time")] = None,
    print_config: Annotated[bool, typer.Option(help="print all keys with defaults, stop")] = False,
) -> None:
    """Teach a policy to read pages, before it acts: a new one, or the one at model.path."""
    from trainer.config_file import describe, load_sections
    from trainer.reading.config import ReaderConfig

    if print_config:
        typer.echo("\n".join(describe(ReaderConfig)))
        return
    if resume is not None and (config is not None or name is not None):
        raise typer.BadParameter(
            "a resumed run keeps its own config and name; change single keys with --set",
            param_hint="--resume",
        )
    settings = load_sections(ReaderConfig, resume / "config.toml" if resume else config, set_ or [])
    run_dir = resume or runs / (name or f"{settings.preset}-{time.strftime('%Y%m%d-%H%M%S')}")
    console = Console()

    from trainer.reading.run import run_reading

    console.print(f"run folder: {run_dir}", highlight=False)
    report = run_until_interrupted(
        lambda: run_reading(settings, run_dir, console, resume is not None),
        console,
        f"Continue with: deskhand pretrain --resume {run_dir}",
    )
    _print_result(console, report, run_dir)


def _print_result(console: Console, report: dict[str, Any], run_dir: Path) -> None:
    for group, figures in report["curve"][-1]["groups"].items():
        low, high = figures["ci95"]
        console.print(
            f"{group:<14} read {figures['read']:6.1%}  [{low:.1%}, {high:.1%}]  n={figures['n']}",
            highlight=False,
        )
    console.print(f"report: {run_dir / 'report.html'}", highlight=False)
