"""The name of a run on the command line: it becomes a folder, so it is one plain name."""

from __future__ import annotations

import re

import typer

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def check_run_name(name: str | None) -> str | None:
    """The name itself. Raises typer.BadParameter for what is not one plain folder name."""
    if name is not None and not _NAME.fullmatch(name):
        raise typer.BadParameter(
            f"{name[:100]!r} is not a name: use letters, digits, '.', '-' and '_', up to 100, "
            "beginning with a letter or digit (--runs sets the folder)"
        )
    return name
