"""A judge beside verifiers on recorded episodes, and the command that tells how far they agree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from agent_server.agents.judge import RulesJudge
from agent_server.cli import evaluation_commands
from agent_server.episodes.trajectory import EpisodeResult
from agent_server.evaluation.report.judging import judge_run
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Run
from envs.contract.actions import Done
from envs.contract.outcomes import EndReason, Status
from envs.contract.session import Verdict
from envs.contract.task import Task
from tests.agent_server.agents.model_server import chat, playing
from tests.agent_server.episodes.test_attempt import make_step

app = typer.Typer()
evaluation_commands.register(app)
DONE = make_step(1).model_copy(update={"action": Done()})
ENDS = [  # what the verifier says, and how it ended
    (True, EndReason.DONE),
    (True, EndReason.STEP_LIMIT),
    (False, EndReason.DONE),
    (False, EndReason.LOOP),
]
"""Rules believe the first and the third."""


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Four judged episodes, and one that nobody judged."""
    folder = tmp_path / "run"
    settings = Settings(run_dir=folder)
    artifacts = Artifacts(settings.artifacts)
    with Store.open(settings) as store:
        store.runs.create(Run(id="run", kind="eval"))
        for number, (success, reason) in enumerate(ENDS):
            task = Task(id=f"t{number}", instruction="buy a hat").model_dump(mode="json")
            row = Episode(id=f"e{number}", run_id="run", purpose="eval", task=task)
            store.episodes.create([row])
            assert store.episodes.lease(f"e{number}", "worker") is not None
            with Recorder(artifacts, f"e{number}") as recorder:
                recorder.record_step(make_step())
                recorder.record_step(DONE)
            verdict = Verdict(score=float(success))
            result = EpisodeResult(Status.SCORED, reason, verdict=verdict, steps=2)
            store.episodes.finish(f"e{number}", "worker", result)
        store.episodes.create([Episode(id="open", run_id="run", purpose="eval", task=task)])
    return folder


async def test_each_judged_episode_is_a_row(run: Path) -> None:
    judging = await judge_run(run, RulesJudge(), limit=10)
    opinions = {row.task: (row.verifier, row.judge) for row in judging.rows}
    assert opinions == {
        "t0": (True, True),
        "t1": (True, False),
        "t2": (False, True),
        "t3": (False, False),
    }
    assert (judging.agreement.agreement, judging.agreement.kappa) == (0.5, 0.0)


async def test_the_same_seed_chooses_the_same_episodes(run: Path) -> None:
    first, again = [await judge_run(run, RulesJudge(), limit=2, seed=3) for _ in range(2)]
    assert len(first.rows) == 2
    assert first == again


async def test_a_run_without_verdicts_has_nothing_to_compare(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="has a verdict to compare a judge with"):
        await judge_run(tmp_path, RulesJudge(), limit=2)


def test_the_command_writes_the_figures_of_rules(run: Path) -> None:
    result = CliRunner().invoke(app, ["eval", "judge", str(run)])
    assert result.exit_code == 0, result.output
    assert "agreement         0.500 [" in result.output
    assert json.loads((run / "judge.json").read_text())["agreement"]["only_judge"] == 1


def test_a_judge_that_answers_nonsense_is_counted_and_said(run: Path) -> None:
    with playing(chat("I think so")) as server:
        arguments = ["--endpoint", server.url, "--endpoint-model", "m"]
        result = CliRunner().invoke(app, ["eval", "judge", str(run), *arguments])
    assert result.exit_code == 1
    assert "0 episodes judged by both, 4 without an opinion" in result.output
    assert "no single JSON object in 'I think so'" in result.output


def test_half_an_endpoint_is_refused(run: Path) -> None:
    result = CliRunner().invoke(app, ["eval", "judge", str(run), "--endpoint-model", "m"])
    assert result.exit_code == 2
    assert "go together" in result.output
