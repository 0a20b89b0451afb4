"""Keys from the shell: shown once, listed without themselves, refused with a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from agent_server.cli import key_commands


def run(folder: Path, *arguments: str) -> Result:
    app = typer.Typer()
    key_commands.register(app)
    command = ["keys", *arguments, "--run", str(folder)]
    return CliRunner().invoke(app, command, env={"COLUMNS": "200"})


def test_a_key_is_shown_once(tmp_path: Path) -> None:
    made = run(tmp_path, "create", "ci", "--scope", "read", "--days", "30", "--per-minute", "60")
    key = made.output.strip()
    assert key.startswith("dhk_")
    listed = run(tmp_path, "list").output
    assert "ci" in listed
    assert "read" in listed
    assert key not in listed
    rotated = run(tmp_path, "rotate", "ci").output.strip()
    assert rotated != key
    assert "opens nothing" in run(tmp_path, "revoke", "ci").output
    assert "revoked" in run(tmp_path, "list").output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("rotate", "ci"), "there is no key ci that holds"),
        (("create", "C I"), "is no name"),
        (("create", "ci", "--scope", "all"), "Invalid value"),
    ],
)
def test_a_mistake_is_a_sentence(tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    result = run(tmp_path, *arguments)
    assert result.exit_code == 2
    assert says in result.output


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert "there is no" in run(tmp_path / "none", "list").output


def test_limits_are_given_listed_and_changed(tmp_path: Path) -> None:
    run(tmp_path, "create", "ci", "--in-flight", "4", "--tokens", "5000", "--cost", "2.5")
    listed = " ".join(run(tmp_path, "list").output.split())
    assert "0 of 4 in flight, 0 of 5,000 tokens, 0 of 2.5 cost" in listed
    changed = run(tmp_path, "limit", "ci", "--episodes", "10").output
    assert changed == "0 of 10 episodes\n"
    assert run(tmp_path, "limit", "ci").output == "ci has no limits\n"
    assert "there is no key" in run(tmp_path, "limit", "nobody").output
