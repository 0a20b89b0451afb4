"""`deskhand bench PART --json FILE` for each benchmark, and `deskhand bench all`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[Path | None, typer.Option("--json", help="write the figures to this file")]


def register(app: typer.Typer) -> None:
    """Adds `bench` with its subcommands to the program."""
    bench = typer.Typer(help="Measure speed and memory on this machine.", no_args_is_help=True)
    bench.command()(browser)
    bench.command()(desktop)
    bench.command("eval")(evaluation)
    bench.command()(gyms)
    bench.command()(models)
    bench.command()(policy)
    bench.command()(learner)
    bench.command("all")(everything)
    app.add_typer(bench, name="bench")


def browser(json: Json = None) -> None:
    """Act + observe, reset, steps/s with 8 sessions, over HTTP on the shop."""
    from benchmarks.browser import run

    run(json)


def desktop(
    json: Json = None,
    desktops: Annotated[int, typer.Option(min=1, help="desktops alive at once")] = 16,
    seconds: Annotated[float, typer.Option(min=1, help="how long they are used, seconds")] = 60,
) -> None:
    """Act + picture, tree of Calc, reset, memory, tools of a desktop; many desktops at once."""
    from benchmarks.desktop import run

    run(json, desktops, seconds)


def evaluation(json: Json = None) -> None:
    """Reset + setup + verdict of sixty bundled desktop tasks, without the agent's steps."""
    from benchmarks.eval import run

    run(json)


def gyms(json: Json = None) -> None:
    """Reset and act + tree in the gyms' apps, and the memory of their server."""
    from benchmarks.gyms import run

    run(json)


def models(json: Json = None) -> None:
    """Learner and server against transformers for tiny models of published families; adapters."""
    from benchmarks.models import run

    run(json)


def policy(json: Json = None) -> None:
    """The pause of a verified swap under 32 requests in flight, and the server's throughput."""
    from benchmarks.policy import run

    run(json)


def learner(json: Json = None) -> None:
    """The packed learner beside a plain padded transformers loop, in the same run."""
    from benchmarks.learner import run

    run(json)


def everything(
    to: Annotated[
        Path, typer.Option(help="folder of the JSON files; README.md follows the default one")
    ] = Path("docs/results/bench"),
    part: Annotated[
        list[str] | None, typer.Option(help="only this benchmark; may be repeated")
    ] = None,
    allow_changes: Annotated[
        bool, typer.Option("--allow-changes", help="measure though files were changed")
    ] = False,
) -> None:
    """All of them in turn, about a quarter of an hour, and the tables of README.md from them."""
    from benchmarks.all import PARTS, ChangedFiles, run

    unknown = sorted(set(part or ()) - set(PARTS))
    if unknown:
        raise typer.BadParameter(f"{', '.join(unknown)}: there are {', '.join(PARTS)}")
    try:
        failed = run(to, part or PARTS, allow_changes)
    except ChangedFiles as error:
        raise typer.BadParameter(str(error)) from error
    if failed:
        typer.echo(f"failed: {', '.join(failed)}", err=True)
        raise typer.Exit(1)
