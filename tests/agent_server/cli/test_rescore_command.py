"""`deskhand eval rescore` replaces verdicts only by those judged alike."""

from __future__ import annotations

import json
from pathlib import Path

import typer
from typer.testing import CliRunner

from agent_server.cli.rescore_command import rescore
from agent_server.evaluation.job.plan import EvalSpec
from tests.agent_server.evaluation.recorded_evaluation import End, record, task


def run_command(*arguments: object) -> tuple[int, str]:
    app = typer.Typer()
    app.command()(rescore)
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return result.exit_code, result.output


def test_trials_without_evidence_keep_their_verdicts(tmp_path: Path) -> None:
    ends = {("oracle", "a", 0): End()}
    record(tmp_path / "run", EvalSpec(policy="oracle"), [("os", task("a"))], ends)
    code, output = run_command(tmp_path / "run")
    assert code == 0
    assert "a trial 1 (oracle): 1, not judged again: not recorded" in output
    assert "oracle: 1 solved -> 1" in output
    assert json.loads((tmp_path / "run" / "rescored.json").read_text())["compat"] is False


def test_verdicts_judged_otherwise_are_not_written_back(tmp_path: Path) -> None:
    record(tmp_path / "run", EvalSpec(policy="oracle"), [("os", task("a"))], {})
    code, output = run_command(tmp_path / "run", "--compat", "--write")
    assert code == 2
    assert "--write" in output
