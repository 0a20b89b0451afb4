"""`deskhand`: one command for people. Upper layers add theirs through `deskhand.commands`.

Guarantees: `--help` is fast (everything heavy is imported by the command that needs it); an error
of the user is one sentence on stderr and exit code 1, a traceback only with DESKHAND_DEBUG=1.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import entry_points

import typer

app = typer.Typer(
    name="deskhand",
    help="Trains, serves and evaluates computer-use agents.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Entry point of the console script."""
    from agent_server import commands

    commands.register(app)
    for entry in sorted(entry_points(group="deskhand.commands"), key=lambda found: found.name):
        try:
            entry.load()(app)
        except ImportError as error:
            typer.echo(f"deskhand: the {entry.name} commands are missing: {error}", err=True)
    try:
        app()
    except Exception as error:
        if os.environ.get("DESKHAND_DEBUG"):
            raise
        typer.echo(f"deskhand: {error}", err=True)
        sys.exit(1)
