"""`deskhand keys create|list|limit|rotate|revoke|log`: named keys of the HTTP API."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from agent_server.store.quotas import Quota
    from agent_server.store.store import Store

RunDir = Annotated[
    Path,
    typer.Option("--run", help="run folder of what serves, if DESKHAND_DATABASE_URL is not set"),
]
SERVED = Path("runs/serve")
Name = Annotated[str, typer.Argument(help="the key's name")]
InFlight = Annotated[int | None, typer.Option(min=1, help="episodes that wait or run at once")]
Episodes = Annotated[int | None, typer.Option(min=1, help="episodes a day")]
Steps = Annotated[int | None, typer.Option(min=1, help="steps a day")]
Tokens = Annotated[int | None, typer.Option(min=1, help="tokens of prompts and answers a day")]
Seconds = Annotated[float | None, typer.Option(min=0.001, help="seconds of episodes a day")]
Cost = Annotated[
    float | None, typer.Option(min=0.000001, help="a day, at the prices of the agents' files")
]


def register(app: typer.Typer) -> None:
    """Add the command group `keys`."""
    keys = typer.Typer(
        help="Named keys of the HTTP API, beside the operator's.", no_args_is_help=True
    )
    for command in (create, limit, rotate, revoke, log):
        keys.command()(command)
    keys.command("list")(list_)
    app.add_typer(keys, name="keys")


@contextmanager
def open_store(run_dir: Path) -> Iterator[Store]:
    """The database of a run folder, or of DESKHAND_DATABASE_URL."""
    from agent_server.settings import Settings
    from agent_server.store.keys import KeyRefused
    from agent_server.store.store import Store

    settings = Settings(**(Settings.from_env().model_dump() | {"run_dir": run_dir}))
    if not settings.database_url and not run_dir.is_dir():
        raise typer.BadParameter(f"there is no {run_dir}", param_hint="--run")
    try:
        with Store.open(settings) as store:
            yield store
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
    in_flight: InFlight = None,
    episodes: Episodes = None,
    steps: Steps = None,
    tokens: Tokens = None,
    seconds: Seconds = None,
    cost: Cost = None,
    run_dir: RunDir = SERVED,
) -> None:
    """Make a key. It is printed once, and cannot be shown again. Without limits it has none."""
    quota = _make_quota(in_flight, episodes, steps, tokens, seconds, cost)
    with open_store(run_dir) as store:
        typer.echo(store.keys.create(name, scope, days, per_minute, quota))


def limit(
    name: Name,
    in_flight: InFlight = None,
    episodes: Episodes = None,
    steps: Steps = None,
    tokens: Tokens = None,
    seconds: Seconds = None,
    cost: Cost = None,
    run_dir: RunDir = SERVED,
) -> None:
    """Give a key these limits instead of those that it has; without options, none. They hold at
    once, also for what runs."""
    quota = _make_quota(in_flight, episodes, steps, tokens, seconds, cost)
    with open_store(run_dir) as store:
        store.keys.limit(name, quota)
        typer.echo(store.quotas.standings([name])[name].describe() or f"{name} has no limits")


def _make_quota(
    in_flight: int | None,
    episodes: int | None,
    steps: int | None,
    tokens: int | None,
    seconds: float | None,
    cost: float | None,
) -> Quota:
    from agent_server.store.quotas import Quota

    return Quota(
        in_flight=in_flight,
        episodes=episodes,
        steps=steps,
        tokens=tokens,
        seconds=seconds,
        cost=cost,
    )


def rotate(name: Name, run_dir: RunDir = SERVED) -> None:
    """Put a new key in place of the old one, which ends within two seconds."""
    with open_store(run_dir) as store:
        typer.echo(store.keys.rotate(name))


def revoke(name: Name, run_dir: RunDir = SERVED) -> None:
    """End a key within two seconds."""
    with open_store(run_dir) as store:
        store.keys.revoke(name)
        typer.echo(f"{name} opens nothing from now on")


def list_(run_dir: RunDir = SERVED) -> None:
    """List the keys with scope, limits, what counts against them today, and state."""
    from agent_server.store.tables import utcnow

    with open_store(run_dir) as store:
        rows = store.keys.list_all()
        standings = store.quotas.standings([key.name for key in rows])
    table = Table("name", "scope", "per minute", "today", "made", "until")
    for key in rows:
        until = "-" if key.expires_at is None else f"{key.expires_at:%Y-%m-%d %H:%M}"
        if key.revoked_at is not None:
            until = f"revoked {key.revoked_at:%Y-%m-%d %H:%M}"
        elif key.expires_at is not None and key.expires_at <= utcnow():
            until = f"expired {until}"
        per_minute = "-" if key.per_minute is None else str(key.per_minute)
        today = standings[key.name].describe() or "-"
        made = f"{key.created_at:%Y-%m-%d}"
        table.add_row(key.name, key.scope, per_minute, today, made, until)
    Console().print(table if rows else "no keys; `deskhand keys create NAME` makes one")


def log(
    name: Annotated[str | None, typer.Argument(help="of this key only")] = None,
    count: Annotated[int, typer.Option("--limit", min=1, max=10_000, help="entries")] = 50,
    run_dir: RunDir = SERVED,
) -> None:
    """List the newest requests that changed something or were refused, newest first."""
    with open_store(run_dir) as store:
        entries = store.keys.list_entries(count, name)
    for entry in entries:
        typer.echo(
            f"{entry.at:%Y-%m-%d %H:%M:%S}  {entry.status}  {entry.key or '(no key)'}  "
            f"{entry.client}  {entry.method} {entry.path}"
        )
