"""`deskhand train`, `demo` and `report`, found through the entry point group `deskhand.commands`.

Guarantees: an error of the user is one sentence; Ctrl-C and SIGTERM stop everything that was
started, leave the checkpoint intact and print how to continue. PyTorch is imported only by the
commands that need it: `deskhand --help` stays fast.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from agent_server.cli.interrupts import run_until_interrupted
from agent_server.cli.run_name import check_run_name
from trainer.import_command import import_agentnet, import_osworld
from trainer.model_commands import register as register_model_commands

if TYPE_CHECKING:
    from agent_server.settings import Settings
    from trainer.config import TrainConfig

PRESETS = Path(__file__).resolve().parents[1] / "configs"
PRETRAINING = frozenset({"reader.toml", "worlds.toml"})
"""Of `deskhand pretrain`: no run of episodes."""
FAMILIES = frozenset(
    {"qwen3.toml", "qwen3-vl.toml", "qwen2.5-vl.toml", "ui-tars.toml", "glm-4.1v.toml"}
)
"""For published models, with settings of their own for the learner: no presets of the recipe."""


def register(app: typer.Typer) -> None:
    """Adds the commands to the program's."""
    app.command()(train)
    app.command()(demo)
    app.command()(report)
    app.command()(import_agentnet)
    app.command()(import_osworld)
    register_model_commands(app)


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
    known = sorted(
        file.stem for file in PRESETS.glob("*.toml") if file.name not in PRETRAINING | FAMILIES
    )
    if preset not in known:
        raise typer.BadParameter(
            f"no preset {preset!r}; there are: {', '.join(known)}", param_hint="--preset"
        )
    train(PRESETS / f"{preset}.toml", set_, None, runs)


def train(
    config: Annotated[Path | None, typer.Option(help="TOML file; see --print-config")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="key=value over the file, repeatable")
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="run folder to continue")] = None,
    runs: Annotated[Path, typer.Option(help="folder of all runs")] = Path("runs"),
    name: Annotated[
        str | None,
        typer.Option(help="name of the run; default: the time", callback=check_run_name),
    ] = None,
    services: Annotated[
        bool,
        typer.Option(
            "--services",
            help="use the services that DESKHAND_* name (docker-compose), start none; a run that "
            "is in their run folder already is continued",
        ),
    ] = False,
    print_config: Annotated[bool, typer.Option(help="print all keys with defaults, stop")] = False,
) -> None:
    """Run the training schedule: imitate, reinforce, pulse, reinforce, evaluated after each."""
    from agent_server.settings import Settings

    overrides = set_ or []
    if print_config:
        _print_config(config, overrides)
        return
    if services:
        if resume is not None or name is not None:
            raise typer.BadParameter(
                "the run folder of services is DESKHAND_RUN_DIR; give neither --resume nor --name",
                param_hint="--services",
            )
        start = _start_on_services(config, overrides, Settings.from_env())
    elif resume is not None:
        if config is not None or name is not None:
            raise typer.BadParameter(
                "a resumed run keeps its own config and name; change single keys with --set",
                param_hint="--resume",
            )
        start = _start_by_resuming(resume, overrides)
    else:
        start = _start_new_run(config, overrides, runs, name)
    _run(start)


def _print_config(path: Path | None, overrides: Sequence[str]) -> None:
    """A configuration as it would run; without one, all keys with defaults and meanings."""
    from trainer.config_file import describe, load_config, to_toml

    if path is None and not overrides:
        typer.echo("\n".join(describe()))
    else:
        typer.echo(to_toml(load_config(path, overrides)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Start:
    """What `train` runs, and the command that continues it."""

    config: TrainConfig
    run_dir: Path
    resume: bool
    resume_command: str
    services: Settings | None = None


def _start_new_run(
    path: Path | None, overrides: Sequence[str], runs: Path, name: str | None
) -> _Start:
    from trainer.config_file import load_config

    config = load_config(path, overrides)
    run_dir = runs / (name or f"{config.preset}-{time.strftime('%Y%m%d-%H%M%S')}")
    return _Start(
        config=config,
        run_dir=run_dir,
        resume=False,
        resume_command=f"deskhand train --resume {run_dir}",
    )


def _start_by_resuming(run_dir: Path, overrides: Sequence[str]) -> _Start:
    from trainer.config_file import load_to_resume

    return _Start(
        config=load_to_resume(run_dir, overrides),
        run_dir=run_dir,
        resume=True,
        resume_command=f"deskhand train --resume {run_dir}",
    )


def _start_on_services(path: Path | None, overrides: Sequence[str], services: Settings) -> _Start:
    """A new run, or the one that is in the services' run folder."""
    from trainer.config_file import load_config, load_to_resume

    run_dir = services.run_dir
    resume = (run_dir / "config.toml").is_file()
    config = load_to_resume(run_dir, overrides) if resume else load_config(path, overrides)
    return _Start(
        config=config,
        run_dir=run_dir,
        resume=resume,
        resume_command="the same command",
        services=services,
    )


def _run(start: _Start) -> None:
    console = Console()

    from envs.io.traces import start_traces
    from trainer.device import check_device
    from trainer.run import run_training

    check_device(start.config.learner.device)
    start_traces("trainer")

    console.print(f"run folder: {start.run_dir}", highlight=False)
    result = run_until_interrupted(
        lambda: run_training(start.config, start.run_dir, console, start.resume, start.services),
        console,
        f"Continue with: {start.resume_command}",
    )
    _print_result(console, result, start.run_dir)


def report(run: Annotated[Path, typer.Argument(help="run folder")]) -> None:
    """Write report.json and report.html of a run again, even if it was interrupted."""
    from agent_server.settings import Settings
    from trainer.report import write_report

    settings = Settings.from_env().model_copy(update={"run_dir": run})
    _print_result(Console(), write_report(run, settings), run)


def _format_rate(result: dict[str, Any]) -> str:
    low, high = result["ci95"]
    return f"{result['success_rate']:6.1%}  [{low:.1%}, {high:.1%}]  n={result['n']}"


def _print_result(console: Console, report: dict[str, Any], run_dir: Path) -> None:
    for phase in report["phases"]:
        result = phase["eval"]
        if result is None:
            continue
        console.print(
            f"{phase['name']:<14} held-out success {_format_rate(result)}  "
            f"version {phase['policy_version']}",
            highlight=False,
        )
        if reasoning := result.get("reasoning"):
            console.print(f"  {'reasoning':<20} success {_format_rate(reasoning)}", highlight=False)
        for name, unseen in result.get("unseen", {}).items():
            console.print(
                f"  {'unseen ' + name:<20} success {_format_rate(unseen)}", highlight=False
            )
            for control, figures in unseen.get("controls", {}).items():
                console.print(
                    f"    {'by ' + control:<18} success {_format_rate(figures)}", highlight=False
                )
    if final := report["final"]:
        console.print(
            f"{'final':<14} held-out success {_format_rate(final)}  version "
            f"{final['policy_version']} of {final['phase']}, the best on dev tasks",
            highlight=False,
        )
    console.print(f"report: {run_dir / 'report.html'}", highlight=False)
    console.print(f"curves: tensorboard --logdir {run_dir / 'tensorboard'}", highlight=False)
