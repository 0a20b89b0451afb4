"""Agreement of a judge with verifiers; values worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_server.evaluation.figures.agreement import Pair, measure_agreement


def test_a_table_by_hand() -> None:
    # 20 yes/yes, 5 only the verifier, 10 only the judge, 15 no/no: Cohen's own kind of example.
    pairs: list[Pair] = [(True, True)] * 20 + [(True, False)] * 5
    pairs += [(False, True)] * 10 + [(False, False)] * 15 + [(True, None)] * 50
    figures = measure_agreement(pairs)
    assert (figures.n, figures.failed, figures.coverage) == (50, 50, 0.5)
    counts = (figures.both_yes, figures.only_verifier, figures.only_judge, figures.both_no)
    assert counts == (20, 5, 10, 15)
    assert figures.agreement == pytest.approx(0.7)
    # p_e = .6 x .5 + .4 x .5 = .5; kappa = (.7 - .5) / .5
    assert figures.kappa == pytest.approx(0.4)
    assert figures.precision == pytest.approx(20 / 30)
    assert figures.recall == pytest.approx(20 / 25)
    assert figures.kappa_ci95 is not None
    low, high = figures.kappa_ci95
    assert low < 0.4 < high


def test_where_one_of_them_always_says_the_same_chance_explains_all() -> None:
    figures = measure_agreement([(True, True)] * 9)
    assert (figures.agreement, figures.kappa, figures.kappa_ci95) == (1.0, None, None)


def test_nothing_is_no_agreement() -> None:
    figures = measure_agreement([(True, None)])
    assert (figures.agreement, figures.kappa, figures.coverage) == (None, None, 0.0)
    assert measure_agreement([]).coverage is None


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.sampled_from([True, False, None])), max_size=60))
def test_every_pair_is_counted_once_and_rates_are_in_their_intervals(pairs: list[Pair]) -> None:
    figures = measure_agreement(pairs)
    table = figures.both_yes + figures.both_no + figures.only_judge + figures.only_verifier
    assert table == figures.n
    assert figures.n + figures.failed == len(pairs)
    if figures.agreement is not None:
        low, high = figures.agreement_ci95
        assert low <= figures.agreement <= high
