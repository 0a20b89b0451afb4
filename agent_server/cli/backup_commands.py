"""`deskhand backup` and `deskhand restore`: a run as one file, checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from agent_server.settings import Settings
    from agent_server.stack.backup import Backup


def register(app: typer.Typer) -> None:
    """Add both commands."""
    app.command()(backup)
    app.command()(restore)


def _settings_of(run: Path) -> Settings:
    from agent_server.settings import Settings

    return Settings(**(Settings.from_env().model_dump() | {"run_dir": run}))


def _show(backup: Backup) -> None:
    rows = ", ".join(f"{count} of {name}" for name, count in backup.rows.items() if count)
    typer.echo(f"{backup.files} files, {backup.size / 2**20:.1f} MB; rows: {rows or 'none'}")


def backup(
    run: Annotated[Path, typer.Argument(help="run folder")],
    to: Annotated[Path, typer.Option("--to", help="the file to write, for example run.tar.gz")],
) -> None:
    """Write a run's database and files into one file, also while it runs, and check it.

    The database is that of DESKHAND_DATABASE_URL, if set. Artifacts at DESKHAND_ARTIFACTS_URL are
    not in it."""
    from agent_server.stack.backup import BackupError, back_up, check

    settings = _settings_of(run)
    try:
        back_up(settings, to)
        _show(check(to))
    except BackupError as error:
        raise typer.BadParameter(str(error)) from error
    if settings.artifacts_url:
        typer.echo(f"not in it: {settings.artifacts_url}", err=True)


def restore(
    file: Annotated[Path, typer.Argument(help="a file that `deskhand backup` wrote")],
    to: Annotated[
        Path | None, typer.Option("--to", help="run folder to make; none: only check the file")
    ] = None,
) -> None:
    """Check a backup, and with --to write it into a new run folder and an empty database."""
    from agent_server.stack.backup import BackupError, check
    from agent_server.stack.backup import restore as restore_run

    try:
        _show(check(file) if to is None else restore_run(file, _settings_of(to)))
    except BackupError as error:
        raise typer.BadParameter(str(error)) from error
    typer.echo("it is whole" if to is None else f"restored into {to}")
