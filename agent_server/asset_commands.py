"""`deskhand assets mirror|check`: the files that tasks name by their addresses, kept at hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from agent_server.interrupts import until_interrupted
from agent_server.task_commands import Split, Tasks

MEGABYTES = "{task.fields[mb]:.1f} MB"


def register(app: typer.Typer) -> None:
    assets = typer.Typer(help="Files that tasks need.", no_args_is_help=True)
    assets.command()(mirror)
    assets.command()(check)
    app.add_typer(assets, name="assets")


def mirror(
    folder: Tasks,
    to: Annotated[Path, typer.Option("--to", help="folder of the mirror")],
    split: Split = None,
    limit_mb: Annotated[int, typer.Option(min=1, help="no file may be larger")] = 200,
) -> None:
    """Fetch what the tasks need and is not there yet; a later call goes on. Exit code 1 if
    something could not be had."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from agent_server.mirror import BOUNDS, Mirroring, wanted
    from agent_server.mirror import mirror as fetch_all
    from agent_server.task_files import load_tasks
    from envs.fetch import Bounds

    urls = wanted(load_tasks(folder, split))
    bounds = Bounds(limit_mb * 1024 * 1024, BOUNDS.quiet_s, BOUNDS.whole_s, BOUNDS.tries)
    console = Console()
    there: dict[str, int] = {}

    async def run() -> Mirroring:
        columns = (TextColumn("files"), BarColumn(), MofNCompleteColumn(), TextColumn(MEGABYTES))
        with Progress(*columns, console=console) as progress:
            bar = progress.add_task("files", total=len(urls), mb=0.0)

            def told(url: str, count: int) -> None:
                there[url] = count
                progress.update(bar, mb=sum(there.values()) / 1e6)

            return await fetch_all(urls, to, bounds, told, lambda url: progress.advance(bar))

    result = until_interrupted(
        run, console, stopped="stopped; what is there stays, and the next call goes on"
    )
    for url, why in result.failed.items():
        console.print(
            why if url in why else f"{url}: {why}", style="red", highlight=False, markup=False
        )
    console.print(
        f"{len(urls)} files: {result.fetched} fetched ({result.bytes / 1e6:.1f} MB), "
        f"{result.kept} were there, {len(result.failed)} failed",
        highlight=False,
    )
    if result.failed:
        raise typer.Exit(1)


def check(
    folder: Tasks,
    mirrored: Annotated[
        Path | None, typer.Option("--in", help="folder of a mirror; default: DESKHAND_ASSETS")
    ] = None,
    split: Split = None,
    json: Annotated[Path | None, typer.Option("--json", help="also write the list here")] = None,
) -> None:
    """List what the tasks need, what is missing, and hash and size of what is there. Exit code 1 if
    something is missing or damaged."""
    import orjson
    from rich.table import Table

    from agent_server.mirror import Finding, examine, wanted
    from agent_server.settings import Settings
    from agent_server.task_files import load_tasks
    from envs.verify.assets import asset_path

    urls = wanted(load_tasks(folder, split))
    place = mirrored or Settings.from_env().assets
    if place is None:
        found = [Finding(url, "missing", asset_path(url, Path()).name) for url in urls]
    else:
        found = examine(place, urls)
    table = Table("state", "bytes", "sha256", "file", "address")
    for one in found:
        size = str(one.bytes) if one.sha256 else ""
        table.add_row(one.state, size, one.sha256[:12], one.file, one.url)
    console = Console()
    console.print(table)
    states = Counter(one.state for one in found)
    megabytes = sum(one.bytes for one in found) / 1e6
    told = ", ".join(f"{count} {state}" for state, count in sorted(states.items())) or "none"
    console.print(f"{len(found)} files: {told}; {megabytes:.1f} MB are there", highlight=False)
    if json is not None:
        json.write_bytes(orjson.dumps([asdict(one) for one in found], option=orjson.OPT_INDENT_2))
    if states["missing"] or states["damaged"]:
        raise typer.Exit(1)
