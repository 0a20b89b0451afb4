"""Golden values are worked out in the comments, or published."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_server.evaluation.figures.statistics import (
    bootstrap_mean,
    effective_trials,
    mcnemar_exact,
    pass_at_k,
    pass_hat_k,
    percentiles,
    wilson,
)


def test_wilson_agrees_with_published_values() -> None:
    """Newcombe 1998, table I, method 3."""
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=1e-4)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("total", [1, 2, 7, 35, 210, 1000])
def test_the_interval_contains_the_rate_of_all_and_of_none(total: int) -> None:
    assert wilson(total, total)[1] == 1.0
    assert wilson(0, total)[0] == 0.0
    for solved in range(total + 1):
        low, high = wilson(solved, total)
        assert 0.0 <= low <= solved / total <= high <= 1.0


def test_trials_of_one_task_are_worth_no_more_than_the_task() -> None:
    assert effective_trials("abcde") == 5
    assert effective_trials("aaabbb") == 2
    assert effective_trials("aab") == pytest.approx(9 / 5)
    assert wilson(6, 6, effective_trials("aaabbb")) == wilson(2, 2)


def test_pass_at_k_is_the_share_of_draws_with_a_success() -> None:
    """5 trials, 2 solved. Of the 10 pairs, the 3 among the failed ones have none: 7/10."""
    assert pass_at_k(5, 2, 1) == pytest.approx(0.4)
    assert pass_at_k(5, 2, 2) == pytest.approx(0.7)
    assert pass_at_k(5, 2, 4) == 1.0
    assert pass_at_k(3, 0, 3) == 0.0


def test_pass_hat_k_is_the_share_of_draws_that_are_all_successes() -> None:
    """5 trials, 3 solved. Of the 10 pairs, 3 are of solved ones: 3/10; of the 10 triples 1."""
    assert pass_hat_k(5, 3, 1) == pytest.approx(0.6)
    assert pass_hat_k(5, 3, 2) == pytest.approx(0.3)
    assert pass_hat_k(5, 3, 3) == pytest.approx(0.1)
    assert pass_hat_k(5, 3, 4) == 0.0


@given(st.lists(st.booleans(), min_size=1, max_size=8), st.data())
def test_both_agree_with_counting_all_draws(trials: list[bool], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(trials)))
    draws = list(combinations(trials, k))
    some = sum(map(any, draws)) / len(draws)
    every = sum(map(all, draws)) / len(draws)
    assert pass_at_k(len(trials), sum(trials), k) == pytest.approx(some)
    assert pass_hat_k(len(trials), sum(trials), k) == pytest.approx(every)


@pytest.mark.parametrize(("trials", "solved", "k"), [(3, 1, 4), (3, 4, 1), (3, 1, 0)])
def test_what_cannot_be_is_refused(trials: int, solved: int, k: int) -> None:
    with pytest.raises(ValueError, match=f"{solved} of {trials}"):
        pass_at_k(trials, solved, k)
    with pytest.raises(ValueError, match=f"{solved} of {trials}"):
        pass_hat_k(trials, solved, k)


def test_mcnemar_is_a_fair_coin_s_two_tails() -> None:
    """1 and 5: (C(6,0) + C(6,1)) / 2^6 = 7/64, twice that is 0.21875."""
    assert mcnemar_exact(1, 5) == mcnemar_exact(5, 1) == pytest.approx(0.21875)
    assert mcnemar_exact(0, 6) == pytest.approx(2 / 64)
    assert mcnemar_exact(3, 3) == 1.0
    assert mcnemar_exact(0, 0) == 1.0


def test_percentiles_lie_between_neighbours() -> None:
    assert percentiles([1, 2, 3, 4], [0, 50, 90, 100]) == pytest.approx(
        {"p0": 1.0, "p50": 2.5, "p90": 3.7, "p100": 4.0}
    )
    assert percentiles([], [50]) is None


def test_the_bootstrap_of_values_that_are_all_alike_is_a_point() -> None:
    assert bootstrap_mean([0.5] * 7, seed=1) == (0.5, 0.5)


def test_the_bootstrap_of_a_coin_agrees_with_its_binomial() -> None:
    """Means of 20 draws of a fair 0/1 sample are Binomial(20, 1/2)/20, whose 2.5% and 97.5% points
    are 6/20 and 14/20."""
    assert bootstrap_mean([0.0, 1.0] * 10, seed=3) == pytest.approx((0.3, 0.7))


def test_the_bootstrap_repeats_itself_by_its_seed() -> None:
    values = [0.0, 0.2, 0.9, 1.0, 1.0, 0.35]
    assert bootstrap_mean(values, seed=5, resamples=50) == bootstrap_mean(values, 5, resamples=50)
    assert bootstrap_mean(values, seed=5, resamples=50) != bootstrap_mean(values, 6, resamples=50)


def test_whole_tasks_are_drawn_not_their_trials() -> None:
    """Two tasks, one always and one never solved: with four trials each the interval of tasks is
    everything, whatever the number of trials, while Wilson's shrinks."""
    assert bootstrap_mean([0.0, 1.0], seed=1) == (0.0, 1.0)
    low, high = wilson(4, 8)
    assert 0.2 < low < high < 0.8


def test_no_values_are_no_interval() -> None:
    with pytest.raises(ValueError, match="no values"):
        bootstrap_mean([], seed=1)
