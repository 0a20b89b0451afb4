"""`deskhand train`, `demo` and `report`, found through the entry point group `deskhand.commands`.

Guarantees: an error of the user is one sentence; Ctrl-C and SIGTERM stop everything that was
started, leave the checkpoint intact and say how to go on.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from agent_server.interrupts import until_interrupted

PRESETS = Path(__file__).resolve().parents[1] / "configs"


def register(app: typer.Typer) -> None:
    app.command()(train)
    app.command()(demo)
    app.command()(report)


def demo(
    preset: Annotated[
        str, typer.Option(help="default: about half an hour; smoke: about five minutes")
    ] = "default",
    runs: Annotated[Path, typer.Option(help="folder of all runs")] = Path("runs"),
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="key=value over the preset, repeatable")
    ] = None,
) -> None:
    """Train a policy from scratch on a real browser, end to end, on this machine."""
    path = PRESETS / f"{preset}.toml"
    if not path.exists():
        known = ", ".join(sorted(file.stem for file in PRESETS.glob("*.toml")))
        raise typer.BadParameter(f"no preset {preset!r}; there are: {known}", param_hint="--preset")
    train(path, set_, None, runs)


def train(
    config: Annotated[Path | None, typer.Option(help="TOML file; see --print-config")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="key=value over the file, repeatable")
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="run folder to continue")] = None,
    runs: Annotated[Path, typer.Option(help="folder of all runs")] = Path("runs"),
    name: Annotated[str | None, typer.Option(help="name of the run; default: the time")] = None,
    services: Annotated[
        bool,
        typer.Option(
            "--services",
            help="use the services that DESKHAND_* name (docker-compose), start none; a run that "
            "is in their run folder already goes on",
        ),
    ] = False,
    print_config: Annotated[bool, typer.Option(help="print all keys with defaults, stop")] = False,
) -> None:
    """Run the training schedule: imitate, reinforce, pulse, reinforce, evaluated after each."""
    from agent_server.settings import Settings
    from trainer.config_file import describe, load_config, load_to_resume, to_toml

    if print_config:
        given = config is not None or set_
        typer.echo(to_toml(load_config(config, set_ or ())) if given else "\n".join(describe()))
        return
    settings = None
    if services:
        if resume is not None or name is not None:
            raise typer.BadParameter(
                "the run folder of services is DESKHAND_RUN_DIR; give neither --resume nor --name",
                param_hint="--services",
            )
        settings = Settings.from_env()
        run_dir = settings.run_dir
        started = (run_dir / "config.toml").is_file()
        loaded = load_to_resume(run_dir, set_ or ()) if started else load_config(config, set_ or ())
        resume = run_dir if started else None
    elif resume is not None:
        if config is not None or name is not None:
            raise typer.BadParameter(
                "a resumed run keeps its own config and name; change single keys with --set",
                param_hint="--resume",
            )
        run_dir, loaded = resume, load_to_resume(resume, set_ or ())
    else:
        loaded = load_config(config, set_ or ())
        run_dir = runs / (name or f"{loaded.preset}-{time.strftime('%Y%m%d-%H%M%S')}")
    console = Console()

    from trainer.run import run_training

    console.print(f"run folder: {run_dir}", highlight=False)
    again = "the same command" if services else f"deskhand train --resume {run_dir}"
    result = until_interrupted(
        lambda: run_training(loaded, run_dir, console, resume is not None, settings),
        console,
        f"Continue with: {again}",
    )
    _print_result(console, result, run_dir)


def report(run: Annotated[Path, typer.Argument(help="run folder")]) -> None:
    """Write report.json and report.html of a run again, also of one that was interrupted."""
    from agent_server.settings import Settings
    from trainer.report import write_report

    settings = Settings.from_env({**os.environ, "DESKHAND_RUN_DIR": str(run)})
    _print_result(Console(), write_report(run, settings), run)


def _rate(result: dict[str, Any]) -> str:
    low, high = result["ci95"]
    return f"{result['success_rate']:6.1%}  [{low:.1%}, {high:.1%}]  n={result['n']}"


def _print_result(console: Console, report: dict[str, Any], run_dir: Path) -> None:
    for phase in report["phases"]:
        result = phase["eval"]
        if result is None:
            continue
        console.print(
            f"{phase['name']:<14} held-out success {_rate(result)}  "
            f"version {phase['policy_version']}",
            highlight=False,
        )
        for name, unseen in result.get("unseen", {}).items():
            console.print(f"  {'unseen ' + name:<20} success {_rate(unseen)}", highlight=False)
    console.print(f"report: {run_dir / 'report.html'}", highlight=False)
