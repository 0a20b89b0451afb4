"""Keys of profiles, and files that are no log-in state."""

from __future__ import annotations

import stat
from pathlib import Path

import typer
from typer.testing import CliRunner

from agent_server.cli import profile_commands
from agent_server.store.profiles import Profiles
from envs.contract.browser_state import BrowserState


def run(*words: str) -> tuple[int, str]:
    app = typer.Typer()
    profile_commands.register(app)
    # A group of one command would be that command.
    app.command()(lambda: None)
    result = CliRunner().invoke(app, ["profiles", *words], env={"COLUMNS": "300"})
    return result.exit_code, result.output


def test_a_new_key_comes_first_and_old_ones_stay(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    assert run("key", str(file))[0] == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    Profiles(str(tmp_path), file).save("anna", BrowserState())
    first = file.read_text().split()
    assert run("key", str(file))[0] == 0
    assert file.read_text().split()[1:] == first
    assert Profiles(str(tmp_path), file).load("anna") == BrowserState()


def test_a_file_that_others_may_read_gets_no_key(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text("")
    file.chmod(0o644)
    code, output = run("key", str(file))
    assert code == 2
    assert "others may read" in output
    assert file.read_text() == ""


def test_no_value_of_a_bad_state_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    file.write_text('{"cookies": [{"name": "sid", "value": ["s3cret"], "domain": "x.example"}]}')
    code, output = run("import", "anna", str(file))
    assert code == 2
    assert "value" in output
    assert "s3cret" not in output
