"""Whole evaluations of agents that are not served here: solved, stopped at once, gone on with."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer import Typer
from typer.testing import CliRunner

from agent_server.agents.config import PythonClass
from agent_server.agents.make import AgentUnusable
from agent_server.cli import evaluation_commands as commands
from agent_server.evaluation.figures.statistics import wilson
from agent_server.evaluation.job.create import create_evaluation
from agent_server.evaluation.job.plan import EvalSpec
from agent_server.evaluation.job.runner import PolicyChanged, run_job
from tests.agent_server.agents.model_server import Said, chat, playing

ROOT = Path(__file__).parents[3]
KEY = "sk-very-secret"
SHOPPER = """
from agent_server.policy.oracle import find_oracle

class Shopper:
    def reset(self, task):
        self.oracle = find_oracle(task)

    async def act(self, observation):
        return self.oracle.move(observation).action.model_dump()
"""


def deskhand(folder: Path, *arguments: str, code: int = 0) -> str:
    python = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "agent_server", "eval", *arguments], cwd=folder, timeout=120,
        capture_output=True, text=True, check=False,
        env={**os.environ, "COLUMNS": "200", "A_KEY": KEY, "PYTHONPATH": python},
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def total(folder: Path) -> dict[str, Any]:
    figures: dict[str, Any] = json.loads((folder / "figures.json").read_text())
    totals: dict[str, Any] = figures["policies"][0]["total"]
    return totals


def test_an_agent_that_does_not_answer_starts_nothing(tmp_path: Path) -> None:
    app = Typer()
    commands.register(app)
    app.callback()(lambda: None)
    file = tmp_path / "wrong.toml"
    with playing(Said({"error": "no such model"}, 404)) as server:
        file.write_text(f'dialect = "compact"\nbase_url = "{server.url}"\nmodel = "m"\n')
        shown = CliRunner().invoke(app, ["eval", "--policy", str(file), "--runs", str(tmp_path)])
    assert isinstance(shown.exception, AgentUnusable)
    assert "policy_denied" in str(shown.exception)
    assert "no such model" in str(shown.exception)
    assert list(tmp_path.iterdir()) == [file]


def test_a_class_that_has_changed_is_not_gone_on_with(tmp_path: Path) -> None:
    source = tmp_path / "changing_agent.py"
    source.write_text(SHOPPER)
    entry = "changing_agent:Shopper"
    agent = PythonClass(name="Shopper", dialect="python", entry=entry, path=str(tmp_path))
    create_evaluation(EvalSpec(policy="Shopper", agent=agent, episodes=1), tmp_path / "job")
    source.write_text(SHOPPER + "# better\n")
    message = rf"Shopper has changed .*the source of {entry}.*another --name"
    with pytest.raises(PolicyChanged, match=message):
        asyncio.run(run_job(tmp_path / "job", Console(), wilson))


@pytest.mark.browser
@pytest.mark.timeout(200)
def test_a_class_of_ones_own_solves_tasks_of_the_shop(tmp_path: Path) -> None:
    (tmp_path / "shopper.py").write_text(SHOPPER)
    output = deskhand(
        tmp_path, "--policy", "shopper:Shopper", "--episodes", "3", "--concurrency", "2",
        "--runs", ".", "--name", "job", "--json", "figures.json",
    )  # fmt: skip
    assert "policy Shopper (python: shopper:Shopper)" in output
    totals = total(tmp_path)
    assert (totals["n"], totals["solved"], totals["format_errors"]) == (3, 3, 0)
    assert totals["tokens"] is None, "nobody counted"


@pytest.mark.browser
@pytest.mark.timeout(200)
def test_a_job_outlives_a_rate_limit_stops_when_denied_and_is_gone_on_with(tmp_path: Path) -> None:
    replies = [
        chat("done"),
        Said({"error": "busy"}, 429, {"Retry-After": "0"}),
        Said(b"<html>bad gateway"),
        chat("I would rather not."),
        chat("so\ndone"),
        Said({"error": f"wrong key {KEY}"}, 401),
        chat("so\ndone = nothing"),
    ]
    with playing(*replies) as server:
        (tmp_path / "talker.toml").write_text(
            f'dialect = "compact"\nbase_url = "{server.url}/v1"\nmodel = "m"\n'
            'api_key_env = "A_KEY"\ntemperature = 0.5\nprice_in = 1000\nprice_out = 1000\n'
        )
        arguments = ["--policy", "talker.toml", "--episodes", "2", "--concurrency", "1",
                     "--runs", ".", "--name", "job"]  # fmt: skip
        output = deskhand(tmp_path, *arguments, code=1)
        assert "stopped, since every request would be refused" in output
        assert "answered 401" in output
        assert "1 of 2 trials have a verdict" in output
        output = deskhand(tmp_path, "resume", "job", "--json", "figures.json")
    assert "1 answers could not be parsed" in output
    assert "policy talker (compact: m)" in output
    totals = total(tmp_path)
    assert (totals["n"], totals["lost"], totals["format_errors"]) == (2, 0, 1)
    assert totals["cost"] == pytest.approx(3 * 0.12), "three answers of 120 tokens"
    stamp = json.loads((tmp_path / "job" / "evaluation.json").read_text())["stamp"]["policy"]
    assert stamp["agent"]["endpoint"] == f"{server.url}/v1"
    assert (stamp["agent"]["model"], stamp["agent"]["temperature"]) == ("m", 0.5)
    left = [path for path in tmp_path.rglob("*") if path.is_file() and "broker" not in path.parts]
    assert not [path for path in left if KEY.encode() in path.read_bytes()]
    assert all(headers["Authorization"] == f"Bearer {KEY}" for _, headers, _ in server.received)
