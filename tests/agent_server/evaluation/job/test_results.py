"""Every planned trial has one entry, whatever became of it."""

from __future__ import annotations

from pathlib import Path

from agent_server.evaluation.job.plan import EvalSpec
from agent_server.evaluation.job.results import NOT_RUN, read_trials
from tests.agent_server.evaluation.recorded_evaluation import End, record, task


def test_lost_trials_and_those_that_have_not_run_have_no_numbers(tmp_path: Path) -> None:
    tasks = [("os", task(name)) for name in ("a", "b", "c")]
    ends = {("oracle", "a", 0): End(tokens=4), ("oracle", "b", 0): End(lost=True)}
    evaluation = record(tmp_path / "run", EvalSpec(policy="oracle"), tasks, ends)
    judged, lost, waiting = read_trials(tmp_path / "run", evaluation)
    assert (judged.has_verdict, judged.success, judged.steps) == (True, True, 2)
    assert judged.tokens == 8, "four tokens in each of two steps"
    assert (lost.outcome, lost.has_verdict, lost.steps) == ("lost: stale", False, None)
    assert (waiting.outcome, waiting.episode_id) == (NOT_RUN, None)


def test_the_seconds_of_a_trial_add_up(tmp_path: Path) -> None:
    ends = {("oracle", "a", 0): End()}
    evaluation = record(tmp_path / "run", EvalSpec(policy="oracle"), [("os", task("a"))], ends)
    (trial,) = read_trials(tmp_path / "run", evaluation)
    assert trial.time_s["reset"] == 0.5
    assert trial.time_s["policy"] == 0.2, "100 ms in each of two steps"
    assert sum(trial.time_s.values()) == trial.wall_s == 2.0
