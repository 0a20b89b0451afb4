"""Dead letters are listed and queued again beside a running server."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from agent_server.cli import dead_letter_commands
from agent_server.episodes.trajectory import EpisodeResult
from agent_server.queue.broker import Broker
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Run
from envs.contract.outcomes import EpisodeFault, InvalidReason
from tests.agent_server.store.test_queries import finish


def call(*arguments: str) -> tuple[int, str]:
    app = typer.Typer()
    dead_letter_commands.register(app)
    app.command("other")(lambda: None)
    result = CliRunner().invoke(app, ["dead-letters", *arguments])
    return result.exit_code, result.output


@pytest.fixture
def run_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("DESKHAND_DATABASE_URL", raising=False)
    with Store.open(Settings(run_dir=tmp_path)) as store:
        store.runs.create(Run(id="api", kind="serve"))
        for key, reason in (("e1", "unrunnable"), ("e2", "stale"), ("e3", "reset")):
            store.episodes.create([Episode(id=key, run_id="api", purpose="api", task={})])
            fault = EpisodeFault(InvalidReason(reason), "what\x1b[2J was said\nforged")
            finish(store, key, EpisodeResult.invalid(fault))
    return tmp_path


def test_they_are_listed_and_command_no_terminal(run_dir: Path) -> None:
    code, output = call("list", "--run", str(run_dir))
    assert code == 0
    assert "e1  api  1  unrunnable  what [2J was said forged" in output
    assert "e3" not in output
    assert "\x1b" not in output
    assert "e2" in call("list", "--reason", "stale", "--run", str(run_dir))[1]


def test_those_of_one_reason_are_sent_again(run_dir: Path) -> None:
    code, output = call("requeue", "--reason", "stale", "--run", str(run_dir))
    assert (code, output) == (0, "queued again: 1 of 1\n")
    assert Broker(Settings(run_dir=run_dir)).depth() == 1
    assert "1 of 2" in call("requeue", "e1", "e3", "--run", str(run_dir))[1]


def test_what_to_queue_again_must_be_said(run_dir: Path) -> None:
    assert call("requeue", "--run", str(run_dir))[0] == 2
    assert call("requeue", "e1", "--all", "--run", str(run_dir))[0] == 2
