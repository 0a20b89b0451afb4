"""Paired comparison of phases against values worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from trainer.paired import compare_solved, paired_phases


def result(*solved: str, n: int = 10) -> dict[str, Any]:
    return {"n": n, "solved": list(solved)}


def test_only_the_tasks_that_one_of_two_solved_tell_them_apart() -> None:
    # Both solved "a"; only the second solved five more: of 2^5 outcomes the two extremes, 2/32.
    figures = compare_solved(result("a"), result("a", "b", "c", "d", "e", "f"))
    assert figures == {
        "n": 10,
        "only_first": 0,
        "only_second": 5,
        "difference": 0.5,
        "p": pytest.approx(2 / 32),
    }


def test_one_lost_and_five_won_is_not_significant() -> None:
    # 1 of 6 or fewer, both sides: 2 (1 + 6) / 2^6.
    figures = compare_solved(result("x"), result("a", "b", "c", "d", "e"))
    assert figures["p"] == pytest.approx(14 / 64)
    assert figures["difference"] == pytest.approx(0.4)


def test_a_task_that_was_tried_several_times_is_one_pair() -> None:
    # Of three tasks four times each, "a" was solved 1 and 4 times, "b" 2 and 2, "c" 1 and 0.
    first, second = result(*"abbc", n=12), result(*"aaaabb", n=12)
    figures = compare_solved(first, second)
    assert (figures["only_first"], figures["only_second"], figures["p"]) == (1, 1, 1.0)
    assert figures["difference"] == pytest.approx(2 / 12)


def test_equal_phases_have_p_one() -> None:
    assert compare_solved(result("a"), result("a"))["p"] == 1.0


def test_different_numbers_of_tasks_cannot_be_paired() -> None:
    with pytest.raises(ValueError, match="10 tasks against 9"):
        compare_solved(result(), result(n=9))


def test_each_phase_is_compared_with_the_one_before_and_the_last_with_the_first() -> None:
    evaluations = [("imitate", result()), ("reinforce", result("a")), ("pulse", result("a", "b"))]
    pairs = [
        (row["first"], row["second"], row["only_second"]) for row in paired_phases(evaluations)
    ]
    assert pairs == [
        ("imitate", "reinforce", 1),
        ("reinforce", "pulse", 1),
        ("imitate", "pulse", 2),
    ]
    assert len(paired_phases(evaluations[:2])) == 1
    assert paired_phases([("imitate", {})]) == []
