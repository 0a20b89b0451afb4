"""Tables and sentences on a terminal."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from agent_server.evaluation.figures.summary import Summary, summarize
from agent_server.evaluation.figures.tables import interval, policy_name, show, statement
from agent_server.evaluation.job.plan import EvalSpec
from agent_server.evaluation.job.results import Trial, read_trials
from tests.agent_server.evaluation.recorded_evaluation import End, record, task


def recorded(folder: Path) -> tuple[Summary, list[Trial]]:
    spec = EvalSpec(policy="oracle", controls=True)
    tasks = [("mail", task("a")), ("files", task("b"))]
    ends = {("oracle", "a", 0): End(), ("oracle", "b", 0): End(score=0)}
    evaluation = record(folder, spec, tasks, ends)
    trials = read_trials(folder, evaluation)
    return summarize(evaluation, trials), trials


def test_an_interval_is_in_percent() -> None:
    assert interval((0.25, 1.0)) == "25.0% to 100.0%"
    assert interval(None) == "-"


def test_the_statement_has_rate_controls_and_stamp(tmp_path: Path) -> None:
    summary, _ = recorded(tmp_path / "run")
    sentences = statement(summary)
    assert sentences[0].startswith("success 50.0%  [")
    assert "noop: not run yet  n=2" in sentences
    assert any("commit 0123456789ab" in sentence for sentence in sentences)
    assert policy_name(summary.evaluation.stamp.policy) == "oracle"


def test_the_tables_fit_a_narrow_terminal_and_the_result_is_last(tmp_path: Path) -> None:
    out = io.StringIO()
    show(Console(file=out, width=80), *recorded(tmp_path / "run"))
    shown = out.getvalue()
    assert shown.index("not solved") < shown.index("success 50.0%")
    assert "mail" in shown


def test_a_job_that_runs_shows_what_has_ended_so_far(tmp_path: Path) -> None:
    tasks = [("mail", task(name)) for name in "abcd"]
    ends = {("oracle", "a", 0): End(), ("oracle", "b", 0): End(score=0)}
    evaluation = record(tmp_path / "run", EvalSpec(policy="oracle"), tasks, ends)
    sentences = statement(summarize(evaluation, read_trials(tmp_path / "run", evaluation)))
    (so_far,) = [sentence for sentence in sentences if sentence.startswith("so far")]
    assert so_far.startswith("so far 1 of 2 that have ended: 50.0%  [9.5%, 90.5%]; at this pace")


def test_a_job_of_which_nothing_has_run_says_so_and_gives_no_rate(tmp_path: Path) -> None:
    tasks = [("mail", task("a")), ("files", task("b"))]
    spec = EvalSpec(policy="oracle", versus="noop", controls=True, trials=2)
    evaluation = record(tmp_path / "run", spec, tasks, {})
    trials = read_trials(tmp_path / "run", evaluation)
    summary = summarize(evaluation, trials)
    sentences = statement(summary)
    assert sentences[0] == "no trial of oracle has run yet  n=4"
    assert "infeasible: not run yet  n=2" in sentences
    out = io.StringIO()
    show(Console(file=out, width=80), summary, trials)
    assert "0.0%" not in out.getvalue()


def test_a_domain_that_has_not_run_has_no_rate_beside_those_that_have(tmp_path: Path) -> None:
    tasks = [("mail", task("a")), ("files", task("b"))]
    ends = {("oracle", "a", 0): End(), ("oracle", "a", 1): End()}
    evaluation = record(tmp_path / "run", EvalSpec(policy="oracle", trials=2), tasks, ends)
    trials = read_trials(tmp_path / "run", evaluation)
    out = io.StringIO()
    show(Console(file=out, width=80), summarize(evaluation, trials), trials)
    rows = [line.split()[1:] for line in out.getvalue().splitlines() if line.startswith(" files ")]
    assert rows == [["1", "0/2", *"----"], [*"-----"]]


def test_failures_tell_what_the_first_failed_action_was_told(tmp_path: Path) -> None:
    ends = {("oracle", "a", 0): End(score=0, failing=True)}
    evaluation = record(tmp_path / "run", EvalSpec(policy="oracle"), [("mail", task("a"))], ends)
    trials = read_trials(tmp_path / "run", evaluation)
    out = io.StringIO()
    show(Console(file=out, width=200), summarize(evaluation, trials), trials)
    assert "no such thing" in out.getvalue()
