"""Two runs of the same tasks, by hand; and runs that are not comparable."""

from __future__ import annotations

from typing import Any

import pytest

from agent_server.episodes.agent import Sampling
from agent_server.evaluation.figures.compare import NotComparable, common_tasks, compare
from agent_server.evaluation.job.plan import EvalSpec
from agent_server.evaluation.job.results import Trial
from tests.agent_server.evaluation.recorded_evaluation import plan, task


def trials(*rates: tuple[int, int]) -> list[Trial]:
    """(solved, trials) of the tasks t0, t1, ..."""
    return [
        Trial("p", f"t{task}", "d", trial, "done", success=trial < solved)
        for task, (solved, count) in enumerate(rates)
        for trial in range(count)
    ]


def tasks(*names: str, **changed: Any) -> list[Any]:
    return [("d", task(name, **(changed if name == "b" else {}))) for name in names]


ASKED = EvalSpec(policy="oracle")


def test_the_difference_is_paired_and_flips_are_named() -> None:
    """t0 flips to the second run, t1 and t2 to it too, t3 back, t4 both, t5 neither.

    McNemar: 1 against 3 of 4: 2 * (1 + 4) / 16 = 0.625."""
    first = trials((0, 1), (0, 1), (0, 1), (1, 1), (1, 1), (0, 1))
    second = trials((1, 1), (1, 1), (1, 1), (0, 1), (1, 1), (0, 1))
    comparison = compare(first, second, [f"t{n}" for n in range(6)], seed=0)
    assert (comparison.first_rate, comparison.second_rate) == pytest.approx((2 / 6, 4 / 6))
    assert comparison.difference == pytest.approx(2 / 6)
    assert comparison.only_second == ("t0", "t1", "t2")
    assert comparison.only_first == ("t3",)
    assert (comparison.both, comparison.neither) == (1, 1)
    assert comparison.p_value == pytest.approx(0.625)
    low, high = comparison.ci95
    assert low < comparison.difference < high


def test_of_several_trials_more_than_half_make_a_task_solved() -> None:
    comparison = compare(trials((1, 2), (2, 3)), trials((2, 2), (1, 3)), ["t0", "t1"], seed=0)
    assert comparison.difference == pytest.approx((0.5 - 1 / 3) / 2)
    assert comparison.only_second == ("t0",)
    assert comparison.only_first == ("t1",)


def test_a_run_compared_with_itself_differs_in_nothing() -> None:
    own = trials((1, 2), (0, 2), (2, 2))
    comparison = compare(own, own, ["t0", "t1", "t2"], seed=0)
    assert (comparison.difference, comparison.ci95, comparison.p_value) == (0, (0, 0), 1)


def test_other_tasks_are_refused_and_named() -> None:
    first, second = plan(ASKED, tasks("a", "b", "c")), plan(ASKED, tasks("b", "c", "d"))
    with pytest.raises(NotComparable, match=r"1 tasks only in the first: a; .*second.*: d"):
        common_tasks(first, second, force=False)
    names, notes = common_tasks(first, second, force=True)
    assert names == ["b", "c"]
    assert any("only the 2 common tasks" in note for note in notes)


def test_a_task_that_was_changed_is_another_task() -> None:
    first, second = plan(ASKED, tasks("a", "b")), plan(ASKED, tasks("a", "b", hint="new"))
    with pytest.raises(NotComparable, match="1 tasks changed between them: b"):
        common_tasks(first, second, force=False)
    assert common_tasks(first, second, force=True)[0] == ["a"]


def test_nothing_in_common_cannot_be_forced() -> None:
    with pytest.raises(NotComparable, match="no task in common"):
        common_tasks(plan(ASKED, tasks("a")), plan(ASKED, tasks("c")), force=True)


def test_settings_that_differ_are_notes() -> None:
    first = plan(ASKED, tasks("a"))
    spec = EvalSpec(policy="oracle", max_steps=3, trials=2, compat=True)
    second = plan(spec, tasks("a"))
    assert common_tasks(first, second, force=False) == (
        ["a"],
        [
            "compat differs: False and True",
            "max_steps differs: None and 3",
            "trials differs: 1 and 2",
        ],
    )


def test_sampling_is_no_difference_to_a_policy_that_samples_nothing() -> None:
    hot, cold = Sampling(temperature=1.0), Sampling(temperature=0.0)
    oracle = plan(EvalSpec(policy="oracle", sampling=hot), tasks("a"))
    sample, other = (
        plan(EvalSpec(policy="live", sampling=sampling), tasks("a")) for sampling in (hot, cold)
    )
    assert common_tasks(oracle, other, force=False) == (["a"], [])
    (note,) = common_tasks(sample, other, force=False)[1]
    assert note.startswith("sampling differs")
