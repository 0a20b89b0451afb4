"""`deskhand assets mirror|check`: local copies of the files that tasks name by URL."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from agent_server.cli.interrupts import run_until_interrupted
from agent_server.cli.task_commands import Split, Tasks

MEGABYTES = "{task.fields[mb]:.1f} MB"


def register(app: typer.Typer) -> None:
    """Add the command group `assets`."""
    assets = typer.Typer(help="Files that tasks need.", no_args_is_help=True)
    assets.command()(mirror)
    assets.command()(check)
    app.add_typer(assets, name="assets")


def mirror(
    folder: Tasks,
    to: Annotated[Path, typer.Option("--to", help="folder of the mirror", file_okay=False)],
    split: Split = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="take the files from this folder, zip or tar archive, or from below this address; "
            "default: each from its own address",
        ),
    ] = None,
    limit_mb: Annotated[int, typer.Option(min=1, help="size limit of one file, MB")] = 200,
    private: Annotated[
        bool, typer.Option("--private", help="also from loopback and private networks")
    ] = False,
) -> None:
    """Fetch the files that the tasks need and that are missing; a later call continues. Exit code 1
    if a file could not be fetched. A task file chooses the addresses: by default only those of the
    internet are reached."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from agent_server.tasksets.files import load_tasks
    from agent_server.tasksets.mirror import BOUNDS, Mirroring, asset_urls
    from agent_server.tasksets.mirror import mirror as fetch_all
    from envs.io.fetch import Bounds
    from envs.io.public_network import NOT_PUBLIC

    urls = asset_urls(load_tasks(folder, split))
    bounds = Bounds(limit_mb * 1024 * 1024, BOUNDS.quiet_s, BOUNDS.whole_s, BOUNDS.tries)
    console = Console()
    downloaded: dict[str, int] = {}

    async def run() -> Mirroring:
        columns = (TextColumn("files"), BarColumn(), MofNCompleteColumn(), TextColumn(MEGABYTES))
        with Progress(*columns, console=console) as progress:
            bar = progress.add_task("files", total=len(urls), mb=0.0)

            def on_bytes(url: str, count: int) -> None:
                downloaded[url] = count
                progress.update(bar, mb=sum(downloaded.values()) / 1e6)

            return await fetch_all(
                urls, to, bounds, on_bytes, lambda url: progress.advance(bar), source, private
            )

    result = run_until_interrupted(
        run, console, stopped="stopped; what is there stays, and the next call goes on"
    )
    for url, error in result.failed.items():
        console.print(
            error if url in error else f"{url}: {error}", style="red", highlight=False, markup=False
        )
    console.print(
        f"{len(urls)} files: {result.fetched} fetched ({result.bytes / 1e6:.1f} MB), "
        f"{result.kept} were there, {len(result.failed)} failed",
        highlight=False,
    )
    if not private and any(NOT_PUBLIC in error for error in result.failed.values()):
        console.print("--private also fetches from this machine and its networks", highlight=False)
    if result.failed:
        raise typer.Exit(1)


def check(
    folder: Tasks,
    mirrored: Annotated[
        Path | None,
        typer.Option("--in", help="folder of a mirror; default: DESKHAND_ASSETS", file_okay=False),
    ] = None,
    split: Split = None,
    json: Annotated[Path | None, typer.Option("--json", help="also write the list here")] = None,
) -> None:
    """List the files that the tasks need, the missing ones, and hash and size of the others. Exit
    code 1 if a file is missing or damaged."""
    import orjson

    from agent_server.settings import Settings
    from agent_server.tasksets.files import load_tasks
    from agent_server.tasksets.mirror import Finding, asset_urls, examine
    from envs.osworld.format.assets import asset_path

    urls = asset_urls(load_tasks(folder, split))
    place = mirrored or Settings.from_env().assets
    if place is None:
        findings = [Finding(url, "missing", asset_path(url, Path()).name) for url in urls]
    else:
        findings = examine(place, urls)
    console = Console()
    for finding in findings:
        # Lines and no table: a name that is cut in a narrow terminal cannot be copied.
        facts = f"{finding.bytes} bytes  {finding.sha256[:12]}" if finding.sha256 else ""
        line = "  ".join(part for part in (f"{finding.state:8}", finding.file, facts) if part)
        console.print(line, highlight=False, markup=False, soft_wrap=True)
        console.print(f"{'':10}{finding.url}", highlight=False, markup=False, soft_wrap=True)
    states = Counter(finding.state for finding in findings)
    megabytes = sum(finding.bytes for finding in findings) / 1e6
    counts = ", ".join(f"{count} {state}" for state, count in sorted(states.items())) or "none"
    console.print(f"{len(findings)} files: {counts}; {megabytes:.1f} MB are there", highlight=False)
    if json is not None:
        json.write_bytes(
            orjson.dumps([asdict(finding) for finding in findings], option=orjson.OPT_INDENT_2)
        )
    if states["missing"] or states["damaged"]:
        raise typer.Exit(1)
