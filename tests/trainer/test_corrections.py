"""Importance weights, masks and mismatch figures against values worked out by hand."""

from __future__ import annotations

import math

import pytest
from torch import tensor

from trainer.corrections import (
    LOG_RATIO_LIMIT,
    Mismatch,
    k3,
    leveled_log_ratio,
    log_ratio,
    off_policy_mask,
    truncated_importance_weights,
)
from trainer.packing import pack
from trainer.samples import Sample


def test_the_importance_weight_is_the_ratio_up_to_its_cap() -> None:
    ratio = log_ratio(tensor([-1.0, -1.0, -1.0]), tensor([-1.0, -1.0 - math.log(1.5), -3.0]))
    assert truncated_importance_weights(ratio, 2.0).tolist() == pytest.approx([1.0, 1.5, 2.0])


def test_a_token_whose_ratio_is_not_finite_is_dropped() -> None:
    ratio = log_ratio(tensor([-1.0, -math.inf]), tensor([math.nan, -1.0]))
    assert truncated_importance_weights(ratio, 2.0).tolist() == [0.0, 0.0]
    assert off_policy_mask(ratio, 0.0, 10.0).tolist() == [0.0, 0.0]


def test_the_log_ratio_cannot_overflow() -> None:
    assert log_ratio(tensor([0.0]), tensor([-1000.0])).item() == LOG_RATIO_LIMIT


def test_the_mask_keeps_ratios_within_its_bounds() -> None:
    ratio = tensor([0.4, 0.5, 1.0, 2.0, 2.1]).log()
    assert off_policy_mask(ratio, 0.5 - 1e-6, 2.0 + 1e-6).tolist() == [0, 1, 1, 1, 0]


def test_an_answer_has_one_ratio_and_a_token_that_is_dropped_stays_so() -> None:
    samples = [Sample((1, 2), (3, 4, 5), ce=1.0), Sample((1, 2), (6,), ce=1.0)]
    (batch,) = pack(samples, 100)
    ratio = tensor([0.5, 1.0, math.nan, 0.3])
    assert leveled_log_ratio(ratio, "token", batch) is ratio
    product = leveled_log_ratio(ratio, "sequence", batch).tolist()
    assert product[:2] + product[3:] == pytest.approx([1.5, 1.5, 0.3])
    mean = leveled_log_ratio(ratio, "mean", batch).tolist()
    assert mean[:2] + mean[3:] == pytest.approx([0.5, 0.5, 0.3])
    assert math.isnan(product[2])
    assert math.isnan(mean[2])


def test_mismatch_is_the_mean_over_tokens_of_all_batches() -> None:
    mismatch = Mismatch()
    mismatch.add(tensor([0.0, 0.2]))
    mismatch.add(tensor([-0.4, math.nan]))
    figures = mismatch.metrics("mismatch")
    assert figures["mismatch/abs_logprob_mean"] == pytest.approx(0.2)
    assert figures["mismatch/abs_logprob_max"] == pytest.approx(0.4)
    assert figures["mismatch/tokens"] == 3
    assert figures["mismatch/dropped"] == 1


def test_chi_squared_and_effective_sample_size_are_of_the_ratios() -> None:
    # Ratios 2, 1 and 1/2: squares 4 + 1 + 1/4 = 5.25, sum 3.5.
    mismatch = Mismatch()
    mismatch.add(tensor([math.log(2.0), 0.0]))
    mismatch.add(tensor([-math.log(2.0)]))
    figures = mismatch.metrics("mismatch")
    assert figures["mismatch/chi2"] == pytest.approx(5.25 / 3 - 1, rel=1e-5)
    assert figures["mismatch/ess"] == pytest.approx(3.5**2 / (3 * 5.25), rel=1e-5)
    equal = Mismatch()
    equal.add(tensor([0.0, 0.0]))
    assert (equal.metrics("m")["m/chi2"], equal.metrics("m")["m/ess"]) == (0.0, 1.0)


def test_without_a_token_there_is_no_mean_difference() -> None:
    assert Mismatch().metrics("mismatch") == {"mismatch/tokens": 0.0, "mismatch/dropped": 0.0}


def test_k3_is_zero_for_equal_policies_and_positive_else() -> None:
    values = k3(tensor([0.0, math.log(2.0), -math.log(2.0)]))
    assert values.tolist() == pytest.approx([0.0, 1 - math.log(2), math.log(2) - 0.5], abs=1e-6)
