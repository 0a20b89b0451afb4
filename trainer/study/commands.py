"""`deskhand study`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from agent_server.cli.interrupts import run_until_interrupted

IN_TERMINAL = ("arm", "seeds", "success [95%]", "more than the reference [95%]", "minutes")
"""Columns that fit a terminal; the report has all."""


def register(app: typer.Typer) -> None:
    """Adds the command to the program's."""
    app.command()(study)


def study(
    file: Annotated[Path, typer.Argument(help="TOML file of the study")],
    runs: Annotated[Path, typer.Option(help="folder of all runs")] = Path("runs"),
    report: Annotated[
        bool, typer.Option("--report", help="only write the report of what is there")
    ] = False,
) -> None:
    """Run arms x seeds of training and compare them; the same command continues."""
    from trainer.study.config import load_study
    from trainer.study.report import HEAD, table_rows, write_study
    from trainer.study.runs import StudyRuns

    console = Console()
    config = load_study(file)

    def show(line: str) -> None:
        console.print(line, highlight=False, markup=False)

    work = StudyRuns(study=config, file=file, folder=runs / config.name, show=show)
    if report and not work.folder.is_dir():
        raise typer.BadParameter(f"{work.folder} does not exist: nothing has run yet")
    if report:
        work.check()
    else:
        again = f"Continue with: deskhand study {file} --runs {runs}"
        run_until_interrupted(work.run, console, again)
    figures = write_study(work)
    table = Table(*IN_TERMINAL)
    for row in table_rows(figures):
        table.add_row(*(row[HEAD.index(column)] for column in IN_TERMINAL))
    console.print(table)
    if figures["missing"]:
        show(f"not finished: {', '.join(figures['missing'])}")
    if len(figures["commits"]) > 1:
        commits = ", ".join(figures["commits"])
        show(f"runs are of several commits ({commits}): worlds or code may differ between them")
    show(f"report: {work.folder / 'study.html'}")
