"""`deskhand keys create|list|rotate|revoke|log`: named keys of the HTTP API."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from agent_server.store.keys import KeyStore

RunDir = Annotated[
    Path,
    typer.Option("--run", help="run folder of what serves, if DESKHAND_DATABASE_URL is not set"),
]
SERVED = Path("runs/serve")
Name = Annotated[str, typer.Argument(help="the key's name")]


def register(app: typer.Typer) -> None:
    """Add the command group `keys`."""
    keys = typer.Typer(
        help="Named keys of the HTTP API, beside the operator's.", no_args_is_help=True
    )
    for command in (create, rotate, revoke, log):
        keys.command()(command)
    keys.command("list")(list_)
    app.add_typer(keys, name="keys")


@contextmanager
def open_keys(run_dir: Path) -> Iterator[KeyStore]:
    """The keys of a run folder's database, or of DESKHAND_DATABASE_URL."""
    from agent_server.settings import Settings
    from agent_server.store.keys import KeyRefused
    from agent_server.store.store import Store

    settings = Settings(**(Settings.from_env().model_dump() | {"run_dir": run_dir}))
    if not settings.database_url and not run_dir.is_dir():
        raise typer.BadParameter(f"there is no {run_dir}", param_hint="--run")
    try:
        with Store.open(settings) as store:
            yield store.keys
    except KeyRefused as error:
        raise typer.BadParameter(str(error)) from error


def create(
    name: Name,
    scope: Annotated[
        Literal["read", "run"], typer.Option(help="read: look only; run: tasks and evaluations too")
    ] = "run",
    days: Annotated[float | None, typer.Option(min=0, help="until it expires")] = None,
    per_minute: Annotated[
        int | None, typer.Option(min=1, help="requests, for each process of the API")
    ] = None,
    run_dir: RunDir = SERVED,
) -> None:
    """Make a key. It is printed once, and cannot be shown again."""
    with open_keys(run_dir) as keys:
        typer.echo(keys.create(name, scope, days, per_minute))


def rotate(name: Name, run_dir: RunDir = SERVED) -> None:
    """Put a new key in place of the old one, which ends within two seconds."""
    with open_keys(run_dir) as keys:
        typer.echo(keys.rotate(name))


def revoke(name: Name, run_dir: RunDir = SERVED) -> None:
    """End a key within two seconds."""
    with open_keys(run_dir) as keys:
        keys.revoke(name)
        typer.echo(f"{name} opens nothing from now on")


def list_(run_dir: RunDir = SERVED) -> None:
    """List the keys with scope, limits and state."""
    from agent_server.store.tables import utcnow

    with open_keys(run_dir) as keys:
        rows = keys.list_all()
    table = Table("name", "scope", "per minute", "made", "until")
    for key in rows:
        until = "-" if key.expires_at is None else f"{key.expires_at:%Y-%m-%d %H:%M}"
        if key.revoked_at is not None:
            until = f"revoked {key.revoked_at:%Y-%m-%d %H:%M}"
        elif key.expires_at is not None and key.expires_at <= utcnow():
            until = f"expired {until}"
        limit = "-" if key.per_minute is None else str(key.per_minute)
        table.add_row(key.name, key.scope, limit, f"{key.created_at:%Y-%m-%d}", until)
    Console().print(table if rows else "no keys; `deskhand keys create NAME` makes one")


def log(
    name: Annotated[str | None, typer.Argument(help="of this key only")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="entries")] = 50,
    run_dir: RunDir = SERVED,
) -> None:
    """List the newest requests that changed something or were refused, newest first."""
    with open_keys(run_dir) as keys:
        entries = keys.list_entries(limit, name)
    for entry in entries:
        typer.echo(
            f"{entry.at:%Y-%m-%d %H:%M:%S}  {entry.status}  {entry.key or '(no key)'}  "
            f"{entry.client}  {entry.method} {entry.path}"
        )
