"""All benchmarks in turn: on a clean commit only, and one that fails does not stop the others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from benchmarks import all as all_benchmarks
from benchmarks.all import PARTS, ChangedFiles, run
from benchmarks.commands import register
from benchmarks.figures_page import BLOCKS, RESULTS


def test_changed_files_are_not_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(all_benchmarks, "commit", lambda: "abc+")
    with pytest.raises(ChangedFiles, match="commit them first"):
        run(tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_benchmark_that_fails_is_named_and_the_next_runs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    commands: list[list[str]] = []

    def fail_first(command: list[str], check: bool) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(command, returncode=2 - len(commands))

    monkeypatch.setattr(all_benchmarks, "commit", lambda: "abc")
    monkeypatch.setattr(subprocess, "run", fail_first)
    parts = ("gyms", "pipeline_remote")
    assert run(tmp_path, parts, allow_changes=False) == ["gyms"]
    remote = str(tmp_path / "pipeline_remote.json")
    assert [command[4:] for command in commands] == [
        ["gyms", "--json", str(tmp_path / "gyms.json")],
        ["pipeline", "--part", "remote", "--json", remote],
    ]


def test_every_benchmark_of_the_documentation_runs() -> None:
    of_pages = {row.part for rows in BLOCKS.values() for row in rows}
    assert of_pages <= set(PARTS)
    assert {path.stem for path in RESULTS.glob("*.json")} == set(PARTS)


def test_an_unknown_benchmark_is_refused() -> None:
    app = typer.Typer()
    app.callback()(lambda: None)
    register(app)
    result = CliRunner().invoke(app, ["bench", "all", "--part", "nothing"])
    assert result.exit_code == 2
    assert "there are browser" in " ".join(result.output.split())
