"""`deskhand gym`: the list, and names that do not exist."""

from __future__ import annotations

import socket

import typer
from typer.testing import CliRunner

from agent_server.cli import gym_commands


def gym(*arguments: str) -> tuple[int, str]:
    app = typer.Typer()
    gym_commands.register(app)
    app.callback()(lambda: None)
    result = CliRunner().invoke(app, ["gym", *arguments], env={"COLUMNS": "200"})
    return result.exit_code, result.output


def test_the_list_has_every_gym_and_template(tmp_path: object) -> None:
    code, output = gym("list", "--runs", str(tmp_path))
    assert code == 0
    assert "billing" in output
    assert "gyms, " in output


def test_an_unknown_gym_is_a_bad_parameter_before_anything_starts() -> None:
    code, output = gym("audit", "no_such_gym")
    assert code == 2
    assert "no_such_gym" in output
    code, output = gym("audit", "billing", "--template", "no_such_template")
    assert code == 2
    assert "no_such_template" in output


def test_a_port_that_is_taken_is_a_bad_parameter() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, output = gym("play", "billing", "--port", str(taken.getsockname()[1]))
    assert code == 2
    assert "Address already in use" in output
