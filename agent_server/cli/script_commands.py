"""`deskhand script make|run|show|list`: tasks that were done once, replayed without a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, cast, get_args

import typer
from rich.console import Console

from agent_server.cli.interrupts import run_until_interrupted
from envs.contract.approval import Mode

File = Annotated[Path, typer.Argument(help="the script's file")]
FOLDER = Path("scripts")


def register(app: typer.Typer) -> None:
    """Add the command group `script`."""
    script = typer.Typer(
        help="Tasks that were done once, replayed without a model.", no_args_is_help=True
    )
    script.command()(make)
    script.command()(run)
    script.command()(show)
    script.command("list")(list_)
    script.command()(schema)
    app.add_typer(script, name="script")


def make(
    run: Annotated[Path, typer.Argument(help="run folder")],
    episode: Annotated[str, typer.Argument(help="id of an episode that succeeded")],
    name: Annotated[str, typer.Option(help="of the script: small letters, digits, . _ -")],
    param: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="a value of the episode that replays may change; may be repeated. Values that "
            "were typed or chosen and stand in the instruction are found without",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="file to write; default: scripts/NAME.json")
    ] = None,
) -> None:
    """Make a script of an episode. Of a replay in which an agent took over: mend the script."""
    from pydantic import ValidationError

    from agent_server.cli.script_run import script_of_recorded
    from agent_server.scripts.files import write_script
    from agent_server.scripts.make import CannotScript
    from agent_server.scripts.report import describe_script

    path = out or FOLDER / f"{name}.json"
    try:
        script = script_of_recorded(run, episode, name, _read_pairs(param, "--param"))
    except KeyError as error:
        raise typer.BadParameter(f"{error.args[0]} in {run}", param_hint="EPISODE") from error
    except ValidationError as error:
        raise typer.BadParameter(str(error.errors(include_input=False)[0]["msg"])) from error
    except CannotScript as error:
        raise typer.BadParameter(str(error), param_hint="EPISODE") from error
    write_script(path, script)
    for line in describe_script(script):
        typer.echo(line)
    typer.echo(f"wrote {path}")


def run(
    file: File,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="value of a parameter; may be repeated"),
    ] = None,
    agent: Annotated[
        str | None,
        typer.Option(
            help="file of an agent (docs/agents.md), or a policy's name, that takes over where the "
            "script does not fit; none: the task ends there"
        ),
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="folder of a policy version, for --agent live")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="of a gym's script: another task of its template")
    ] = None,
    mend: Annotated[
        bool, typer.Option(help="write the mended script to its file when an agent took over")
    ] = True,
    approve: Annotated[
        str | None,
        typer.Option(
            help="actions that wait for you, here: never, risky, all. None: risky ones where "
            "--agent may take over on the internet"
        ),
    ] = None,
    secrets: Annotated[
        Path | None, typer.Option(help="file of secrets that the script names, mode 600")
    ] = None,
    folder: Annotated[
        Path, typer.Option("--run", help="folder for database, logs, artifacts")
    ] = Path("runs/script"),
) -> None:
    """Replay a script, and watch it step by step. Exit code 1 if the task was not finished."""
    from agent_server.cli.script_run import Replay, run_script

    if approve not in (None, *get_args(Mode)):
        raise typer.BadParameter(f"{approve}: there are never, risky, all", param_hint="--approve")
    replay = Replay(
        file=file,
        values=_read_pairs(set_, "--set"),
        agent=agent,
        model=model,
        seed=seed,
        mends=mend,
        run_dir=folder,
        approve=cast("Mode | None", approve),
        secrets=secrets,
    )
    console = Console()
    if not run_until_interrupted(lambda: run_script(replay, console), console):
        raise typer.Exit(1)


def show(file: File) -> None:
    """What a script does, which parameters it has, and what of it belongs to the recorded day."""
    from agent_server.scripts.files import read_script
    from agent_server.scripts.report import describe_script

    for line in describe_script(read_script(file)):
        typer.echo(line)


def list_(
    folder: Annotated[Path, typer.Argument(help="folder of scripts' files")] = FOLDER,
) -> None:
    """The scripts of a folder, one line each."""
    from agent_server.scripts.files import ScriptFileError, read_script

    files = sorted(folder.glob("*.json"))
    if not files:
        typer.echo(f"no scripts in {folder}: deskhand script make RUN EPISODE --name NAME")
    for file in files:
        try:
            script = read_script(file)
        except ScriptFileError as error:
            typer.echo(f"{file}: no script: {str(error).splitlines()[0]}", err=True)
            continue
        names = ", ".join(script.examples) or "no parameters"
        typer.echo(
            f"{file}  version {script.version}, {len(script.steps)} steps, {names}: "
            f"{script.task.instruction}"
        )


def schema() -> None:
    """The JSON Schema of scripts' files."""
    import orjson

    from agent_server.scripts.model import Script

    typer.echo(orjson.dumps(Script.model_json_schema(), option=orjson.OPT_INDENT_2).decode())


def _read_pairs(texts: Sequence[str] | None, option: str) -> dict[str, str]:
    pairs = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise typer.BadParameter(f"{text!r}: NAME=VALUE", param_hint=option)
        pairs[name] = value
    return pairs
