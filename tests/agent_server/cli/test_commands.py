"""The commands of this layer, by their names and errors."""

from __future__ import annotations

from pathlib import Path

import typer
from typer.testing import CliRunner

from agent_server.cli import commands


def deskhand() -> typer.Typer:
    app = typer.Typer()
    commands.register(app)
    return app


def test_every_command_is_there_with_a_line_of_help() -> None:
    shown = CliRunner().invoke(deskhand(), ["--help"], env={"COLUMNS": "200"}).output
    for name in ("serve", "worker", "desktop", "mcp", "replay", "doctor", "eval", "gym", "tasks"):
        assert f" {name} " in shown


def test_an_unknown_episode_is_a_bad_parameter(tmp_path: Path) -> None:
    result = CliRunner().invoke(deskhand(), ["replay", str(tmp_path), "e1"])
    assert result.exit_code == 2
    assert "EPISODE" in result.output
