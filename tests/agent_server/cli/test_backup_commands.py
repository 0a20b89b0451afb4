"""A run is backed up, checked and restored from the shell."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from agent_server.cli import backup_commands
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.tables import Run


def call(*arguments: str) -> tuple[int, str]:
    app = typer.Typer()
    backup_commands.register(app)
    result = CliRunner().invoke(app, [*arguments], env={"COLUMNS": "200"})
    return result.exit_code, result.output


@pytest.fixture(autouse=True)
def no_other_database(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DESKHAND_DATABASE_URL", raising=False)


def test_a_run_goes_out_and_comes_back(tmp_path: Path) -> None:
    run, file, new = tmp_path / "run", tmp_path / "run.tar.gz", tmp_path / "new"
    with Store.open(Settings(run_dir=run)) as store:
        store.runs.create(Run(id="api", kind="serve"))
    (run / "report.json").write_text("{}")
    code, output = call("backup", str(run), "--to", str(file))
    assert (code, output) == (0, "1 files, 0.0 MB; rows: 1 of run\n")
    assert call("restore", str(file)) == (0, f"{output}it is whole\n")
    assert call("restore", str(file), "--to", str(new))[0] == 0
    assert (new / "report.json").read_text() == "{}"
    assert (new / "deskhand.db").exists()


@pytest.mark.parametrize(
    ("command", "says"), [("backup", "there is no"), ("restore", "is not whole")]
)
def test_a_mistake_is_a_sentence(tmp_path: Path, command: str, says: str) -> None:
    (tmp_path / "file").write_text("no backup")
    arguments = [str(tmp_path / "none"), "--to", str(tmp_path / "x")]
    if command == "restore":
        arguments[0] = str(tmp_path / "file")
    code, output = call(command, *arguments)
    assert code == 2
    assert says in " ".join(output.split())
