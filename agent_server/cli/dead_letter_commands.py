"""`deskhand dead-letters list|requeue`: tasks that infrastructure lost for good."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from envs.contract.outcomes import InvalidReason

if TYPE_CHECKING:
    from agent_server.queue.broker import Dispatcher
    from agent_server.store.tables import Episode

RunDir = Annotated[
    Path,
    typer.Option("--run", help="run folder of what serves, if DESKHAND_DATABASE_URL is not set"),
]
SERVED = Path("runs/serve")
Reason = Annotated[
    InvalidReason | None, typer.Option(help="only those that were lost for this reason")
]
BATCH = 500


def register(app: typer.Typer) -> None:
    """Add the command group `dead-letters`."""
    group = typer.Typer(
        help="Tasks that infrastructure lost and nothing retries any more.", no_args_is_help=True
    )
    group.command("list")(list_)
    group.command()(requeue)
    app.add_typer(group, name="dead-letters")


@contextmanager
def open_dispatcher(run_dir: Path) -> Iterator[Dispatcher]:
    """On the database and the broker of a run folder, or of the environment."""
    from agent_server.queue.broker import Broker, Dispatcher
    from agent_server.settings import Settings
    from agent_server.store.store import Store

    settings = Settings(**(Settings.from_env().model_dump() | {"run_dir": run_dir}))
    if not settings.database_url and not run_dir.is_dir():
        raise typer.BadParameter(f"there is no {run_dir}", param_hint="--run")
    with Store.open(settings) as store:
        broker = Broker(settings)
        try:
            yield Dispatcher(store, broker)
        finally:
            broker.close()


def _iterate(dispatcher: Dispatcher, reason: InvalidReason | None) -> Iterator[Episode]:
    cursor = None
    while True:
        page = dispatcher.store.episodes.page(
            dead_only=True, reason=reason, cursor=cursor, limit=BATCH
        )
        yield from page.episodes
        cursor = page.next_cursor
        if cursor is None:
            return


def list_(reason: Reason = None, run_dir: RunDir = SERVED) -> None:
    """List dead letters, newest first: id, run, attempts, reason and what was said."""
    count = 0
    with open_dispatcher(run_dir) as dispatcher:
        for row in _iterate(dispatcher, reason):
            # What was said may come from a page: it commands no terminal.
            detail = "".join(ch if ch.isprintable() else " " for ch in row.detail or "")
            typer.echo(f"{row.root_id}  {row.run_id}  {row.attempt}  {row.reason}  {detail[:200]}")
            count += 1
    typer.echo(f"{count} dead letters", err=True)


def requeue(
    ids: Annotated[list[str] | None, typer.Argument(help="ids of tasks, as `list` shows")] = None,
    all_: Annotated[bool, typer.Option("--all", help="all of them")] = False,
    reason: Reason = None,
    run_dir: RunDir = SERVED,
) -> None:
    """Run dead letters once more: those named, or all, or all of one reason."""
    if bool(ids) == (all_ or reason is not None):
        raise typer.BadParameter("name ids, or --all, or --reason")
    with open_dispatcher(run_dir) as dispatcher:
        chosen = ids or [row.root_id for row in _iterate(dispatcher, reason)]
        queued: list[str] = []
        for start in range(0, len(chosen), BATCH):
            queued += dispatcher.store.episodes.requeue(chosen[start : start + BATCH])
        dispatcher.send(queued)
    typer.echo(f"queued again: {len(queued)} of {len(chosen)}")
    if len(queued) < len(chosen):
        typer.echo("the others are no dead letters, or their run has ended", err=True)
