"""`deskhand assets check` lists what is missing and fails."""

from __future__ import annotations

import json
from pathlib import Path

import typer
from typer.testing import CliRunner

from agent_server.cli import asset_commands
from envs.osworld.format.assets import asset_path

TASK = {
    "id": "t",
    "instruction": "x",
    "config": [
        {
            "type": "download",
            "parameters": {"files": [{"url": "https://a.example/b.txt", "path": "/home/user/b"}]},
        }
    ],
    "evaluator": {"func": "infeasible"},
}


def test_missing_assets_are_listed_and_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "t.json").write_text(json.dumps(TASK))
    app = typer.Typer()
    asset_commands.register(app)
    report = tmp_path / "list.json"
    arguments = ["assets", "check", str(tmp_path / "tasks"), "--in", str(tmp_path / "mirror")]
    narrow = {"COLUMNS": "30"}
    result = CliRunner().invoke(app, [*arguments, "--json", str(report)], env=narrow)
    assert result.exit_code == 1
    name = asset_path("https://a.example/b.txt", Path()).name
    assert name in result.output.splitlines()[0]
    assert result.output.splitlines()[1].strip() == "https://a.example/b.txt"
    assert "1 files: 1 missing" in result.output
    (finding,) = json.loads(report.read_text())
    assert (finding["url"], finding["state"]) == ("https://a.example/b.txt", "missing")


def test_a_file_of_this_machine_is_refused_with_the_option_that_allows_it(tmp_path: Path) -> None:
    asset = {"url": "http://127.0.0.1:9/b.txt", "path": "/home/user/b"}
    steps = [{"type": "download", "parameters": {"files": [asset]}}]
    file = tmp_path / "t.json"
    file.write_text(json.dumps(TASK | {"config": steps}))
    app = typer.Typer()
    asset_commands.register(app)
    arguments = ["assets", "mirror", str(file), "--to", str(tmp_path / "mirror")]
    result = CliRunner().invoke(app, arguments, env={"COLUMNS": "300"})
    assert result.exit_code == 1
    assert "is not an address of the internet" in result.output
    assert "--private also fetches from this machine" in result.output


def test_a_mirror_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(json.dumps(TASK))
    app = typer.Typer()
    asset_commands.register(app)
    for command, option in (("check", "--in"), ("mirror", "--to")):
        arguments = ["assets", command, str(tmp_path / "t.json"), option, str(tmp_path / "t.json")]
        assert CliRunner().invoke(app, arguments).exit_code == 2
