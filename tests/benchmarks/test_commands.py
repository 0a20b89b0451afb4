"""Every benchmark is a subcommand."""

from __future__ import annotations

import typer
from typer.testing import CliRunner

from benchmarks.commands import register


def test_bench_lists_all_benchmarks() -> None:
    app = typer.Typer()
    app.callback()(lambda: None)
    register(app)
    result = CliRunner().invoke(app, ["bench", "--help"], env={"COLUMNS": "200"})
    assert result.exit_code == 0
    names = ("browser", "desktop", "eval", "gyms", "policy", "learner")
    for name in (*names, "faults", "soak", "contract"):
        assert f" {name} " in result.output


def test_a_desktop_count_below_one_is_refused() -> None:
    app = typer.Typer()
    app.callback()(lambda: None)
    register(app)
    result = CliRunner().invoke(app, ["bench", "desktop", "--desktops", "0"])
    assert result.exit_code == 2
