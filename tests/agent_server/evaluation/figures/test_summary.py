"""Figures that a reader can check: two domains, three tasks, two trials."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.evaluation.figures.statistics import wilson
from agent_server.evaluation.figures.summary import Summary, summarize
from agent_server.evaluation.job.plan import EvalSpec, UnsupportedTask
from agent_server.evaluation.job.results import read_trials
from envs.contract.outcomes import EndReason
from tests.agent_server.evaluation.recorded_evaluation import CLICK, End, record, task

TASKS = [("mail", task("m1")), ("mail", task("m2")), ("files", task("f1"))]
ENDS = {
    ("oracle", "m1", 0): End(),
    ("oracle", "m1", 1): End(tokens=7),
    ("oracle", "m2", 0): End(),
    ("oracle", "m2", 1): End(score=0.5, reason=EndReason.STEP_LIMIT),
    ("oracle", "f1", 0): End(lost=True),
    ("noop", "m1", 0): End(score=0, actions=()),
    ("noop", "m2", 0): End(score=1, actions=()),
    ("noop", "f1", 0): End(score=0, actions=()),
}


@pytest.fixture
def summary(tmp_path: Path) -> Summary:
    """One trial of f1 was lost, the other has not run; infeasible has not run at all."""
    spec = EvalSpec(policy="oracle", trials=2, controls=True)
    evaluation = record(tmp_path / "run", spec, TASKS, ENDS)
    return summarize(evaluation, read_trials(tmp_path / "run", evaluation))


def test_the_denominator_is_the_plan_whatever_was_lost(summary: Summary) -> None:
    total = summary.policies[0].total
    assert (total.tasks, total.n, total.solved, total.lost, total.not_run_yet) == (3, 6, 3, 1, 1)
    assert total.success_rate == 0.5
    assert total.ci95 == wilson(3, 6)
    assert total.score_mean == pytest.approx(3.5 / 6)
    assert total.outcomes == {"done": 3, "lost: stale": 1, "not run yet": 1, "step_limit": 1}
    assert not summary.complete


def test_pass_figures_are_means_over_tasks(summary: Summary) -> None:
    """m1 2 of 2, m2 1 of 2, f1 0 of 2."""
    total = summary.policies[0].total
    assert total.pass_at_k == pytest.approx({"1": 0.5, "2": 2 / 3})
    assert total.pass_hat_k == pytest.approx({"1": 0.5, "2": 1 / 3})


def test_domains_add_up_and_a_single_task_has_no_interval_over_tasks(summary: Summary) -> None:
    files, mail = summary.policies[0].domains
    assert (files.domain, files.n, files.solved, files.ci95_tasks) == ("files", 2, 0, None)
    assert (mail.domain, mail.n, mail.solved) == ("mail", 4, 3)
    assert mail.ci95_tasks == (0.5, 1.0)


def test_steps_tokens_and_times_are_of_trials_with_a_verdict(summary: Summary) -> None:
    """Of 2 s: reset 0.5, evaluate 0.25, and in each of two steps policy 0.1, act 0.02, observe
    0.03; the rest is 0.95."""
    total = summary.policies[0].total
    assert total.steps == {"p50": 2, "p90": 2, "p95": 2}
    assert total.tokens == {"p50": 14, "p90": 14, "p95": 14}
    assert total.wall_s == {"p50": 2, "p90": 2, "p95": 2}
    assert total.time_s == pytest.approx(
        {"reset": 0.5, "policy": 0.2, "act": 0.04, "settle": 0, "observe": 0.06, "evaluate": 0.25,
         "other": 0.95}
    )  # fmt: skip
    assert summary.elapsed_s is not None
    assert 0 < summary.elapsed_s < 60, "all were recorded just now"
    files = summary.policies[0].domains[0]
    assert (files.steps, files.tokens, files.wall_s, files.time_s) == (None, None, None, None)


def test_tokens_of_failures_are_part_of_what_a_success_costs(tmp_path: Path) -> None:
    """Two steps of 7 tokens each; one of three tasks is solved."""
    ends = {("oracle", name, 0): End(score=name == "m1", tokens=7) for name in ("m1", "m2", "f1")}
    evaluation = record(tmp_path / "run", EvalSpec(policy="oracle"), TASKS, ends)
    summary = summarize(evaluation, read_trials(tmp_path / "run", evaluation))
    total = summary.policies[0].total
    assert (total.tokens_per_success, total.cost_per_success) == (42.0, None)
    assert summary.seconds_left is None
    files = summary.policies[0].domains[0]
    assert files.tokens_per_success is None, "nothing was solved"


def test_a_job_that_runs_has_an_expected_end(summary: Summary) -> None:
    """Of 12 trials, one of the oracle's and three of infeasible's have not run."""
    assert summary.elapsed_s is not None
    assert summary.seconds_left == pytest.approx(summary.elapsed_s * 4 / 8)
    assert summary.policies[0].total.tokens_per_success is None, "not all were counted"


def test_controls_stand_beside_the_policy_with_a_denominator_of_their_own(
    summary: Summary,
) -> None:
    oracle, noop, infeasible = summary.policies
    assert [oracle.control, noop.control, infeasible.control] == [False, True, True]
    assert (noop.total.n, noop.total.solved) == (3, 1)
    assert (infeasible.total.n, infeasible.total.not_run_yet) == (3, 3)


def test_tasks_that_cannot_run_here_are_told_and_what_they_would_make_of_the_rate(
    tmp_path: Path,
) -> None:
    left_out = UnsupportedTask(id="f1", domain="files", reasons=("needs the internet",))
    ends = {key: end for key, end in ENDS.items() if key[1] != "f1"}
    spec = EvalSpec(policy="oracle", trials=2)
    evaluation = record(tmp_path / "run", spec, TASKS, ends, [left_out])
    summary = summarize(evaluation, read_trials(tmp_path / "run", evaluation))
    assert summary.policies[0].total.n == 4
    assert summary.policies[0].total.success_rate == 3 / 4
    assert summary.success_rate_whole_set == 3 / 6
    assert summary.complete


def test_the_figures_survive_json(summary: Summary) -> None:
    assert Summary.model_validate_json(summary.model_dump_json()) == summary


def test_shares_of_trials_solved_within_so_many_steps(tmp_path: Path) -> None:
    """One of four trials takes 2 steps, one 4, one fails after 2, one has not run."""
    tasks = [("d", task(name)) for name in "abcd"]
    ends = {
        ("oracle", "a", 0): End(),
        ("oracle", "b", 0): End(actions=(CLICK, CLICK, CLICK)),
        ("oracle", "c", 0): End(score=0),
    }
    evaluation = record(tmp_path / "run", EvalSpec(policy="oracle"), tasks, ends)
    total = summarize(evaluation, read_trials(tmp_path / "run", evaluation)).policies[0].total
    assert total.solved_within == {"1": 0.0, "2": 0.25, "3": 0.25, "5": 0.5}


def test_two_contenders_are_compared_pair_by_pair(tmp_path: Path) -> None:
    tasks = [("d", task(name)) for name in "abc"]
    ends = {("oracle", name, 0): End() for name in "abc"}
    ends |= {("random", name, 0): End(score=float(name == "a")) for name in "abc"}
    spec = EvalSpec(policy="oracle", versus="random")
    evaluation = record(tmp_path / "run", spec, tasks, ends)
    summary = summarize(evaluation, read_trials(tmp_path / "run", evaluation))
    assert [row.control for row in summary.policies] == [False, False]
    assert summary.paired is not None
    assert summary.paired.only_first == ("b", "c")
    assert summary.paired.difference == pytest.approx(-2 / 3)


def test_what_has_not_run_has_no_rates(tmp_path: Path) -> None:
    """A rate of 0 would say that the agent failed."""
    ends = {("oracle", "m1", 0): End(), ("oracle", "m2", 0): End(lost=True)}
    evaluation = record(tmp_path / "run", EvalSpec(policy="oracle", controls=True), TASKS, ends)
    summary = summarize(evaluation, read_trials(tmp_path / "run", evaluation))
    oracle, noop, _ = summary.policies
    files, mail = oracle.domains
    assert (mail.success_rate, mail.score_mean) == (0.5, 0.5)
    for row in (files, noop.total, *noop.domains):
        assert row.not_run_yet == row.n
        assert (row.success_rate, row.ci95, row.ci95_tasks, row.score_mean) == (None,) * 4
        assert (row.pass_at_k, row.pass_hat_k, row.solved_within) == ({}, {}, {})
    assert summary.success_rate_whole_set == pytest.approx(1 / 3)
    assert Summary.model_validate_json(summary.model_dump_json()) == summary


def test_contenders_are_compared_once_both_have_run(tmp_path: Path) -> None:
    spec = EvalSpec(policy="oracle", versus="noop")
    ends = {("oracle", "m1", 0): End()}
    alone = record(tmp_path / "alone", spec, TASKS, ends)
    assert summarize(alone, read_trials(tmp_path / "alone", alone)).paired is None
    both = record(tmp_path / "both", spec, TASKS, ends | {("noop", "m1", 0): End(score=0)})
    assert summarize(both, read_trials(tmp_path / "both", both)).paired is not None
