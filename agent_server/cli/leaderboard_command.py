"""`deskhand eval leaderboard`: many evaluations side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from agent_server.cli.evaluation_options import check_output


def leaderboard(
    runs: Annotated[
        list[Path], typer.Argument(help="folders of evaluations", metavar="RUN...", exists=True)
    ],
    html: Annotated[
        Path | None, typer.Option(help="also write a page", callback=check_output)
    ] = None,
    json: Annotated[
        Path | None, typer.Option("--json", help="also write the boards", callback=check_output)
    ] = None,
) -> None:
    """Rank evaluations of the same tasks by their success rate, with intervals and costs."""
    import orjson

    from agent_server.evaluation.figures.summary import summarize
    from agent_server.evaluation.job.plan import Evaluation
    from agent_server.evaluation.job.results import read_trials
    from agent_server.evaluation.report.leaderboard import HEAD, board_rows, make_boards, write_page
    from envs.io.atomic_write import write_whole

    evaluations = [(folder, Evaluation.read(folder)) for folder in runs]
    summaries = [
        (folder.resolve().name, summarize(evaluation, read_trials(folder, evaluation)))
        for folder, evaluation in evaluations
    ]
    boards = make_boards(summaries)
    console = Console()
    for board in boards:
        console.print(board.title, style="bold", highlight=False, markup=False)
        for row in board_rows(board):
            # A line an entry: a table of so many columns is cut in a terminal.
            cells = (f"{name} {cell}" for name, cell in zip(HEAD, row, strict=True) if cell != "-")
            console.print("  ".join(cells), highlight=False, markup=False, soft_wrap=True)
    if html is not None:
        write_page(html, boards)
        console.print(f"wrote {html}", highlight=False)
    if json is not None:
        data = [board.model_dump(mode="json") for board in boards]
        write_whole(json, [orjson.dumps(data, option=orjson.OPT_INDENT_2), b"\n"])
