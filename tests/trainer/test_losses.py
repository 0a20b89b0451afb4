"""Losses and corrections against values worked out by hand."""

from __future__ import annotations

import math

import pytest
import torch
from torch import tensor

from trainer.corrections import (
    LOG_RATIO_LIMIT,
    Mismatch,
    k3,
    log_ratio,
    off_policy_mask,
    truncated_importance_weights,
)
from trainer.losses import StreamCounts, policy_gradient, reference_kl
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


def test_mismatch_is_the_mean_over_tokens_of_all_batches() -> None:
    mismatch = Mismatch()
    mismatch.add(tensor([0.0, 0.2]))
    mismatch.add(tensor([-0.4, math.nan]))
    found = mismatch.metrics("mismatch")
    assert found["mismatch/abs_logprob_mean"] == pytest.approx(0.2)
    assert found["mismatch/abs_logprob_max"] == pytest.approx(0.4)
    assert found["mismatch/tokens"] == 3
    assert found["mismatch/dropped"] == 1


def test_nothing_compared_is_not_a_difference_of_zero() -> None:
    assert Mismatch().metrics("mismatch") == {"mismatch/tokens": 0.0, "mismatch/dropped": 0.0}


def test_k3_is_zero_for_equal_policies_and_positive_else() -> None:
    found = k3(tensor([0.0, math.log(2.0), -math.log(2.0)]))
    assert found.tolist() == pytest.approx([0.0, 1 - math.log(2), math.log(2) - 0.5], abs=1e-6)


def test_reference_kl_looks_from_the_reference() -> None:
    # r = log pi_ref - log pi = log 2: exp(r) - r - 1.
    assert reference_kl(tensor([-2.0]), tensor([-2.0 + math.log(2.0)])).item() == pytest.approx(
        1 - math.log(2), abs=1e-6
    )


@pytest.mark.parametrize(
    ("ratio", "advantage", "loss", "clipped"),
    [
        (1.0, 2.0, -2.0, False),
        (1.5, 1.0, -1.28, True),
        (0.5, 1.0, -0.5, False),
        (0.5, -1.0, 0.8, True),
        (1.5, -1.0, 1.5, False),
        (20.0, -1.0, 10.0, True),
    ],
)
def test_the_surrogate_is_clipped_on_the_side_that_would_go_too_far(
    ratio: float, advantage: float, loss: float, clipped: bool
) -> None:
    found, taken = policy_gradient(
        tensor([math.log(ratio)]), tensor([0.0]), tensor([advantage]), 0.2, 0.28, 10.0
    )
    assert found.item() == pytest.approx(loss, rel=1e-5)
    assert bool(taken) is clipped


def test_a_clipped_token_has_no_gradient() -> None:
    logprobs = tensor([math.log(1.5), 0.0], requires_grad=True)
    loss, _ = policy_gradient(logprobs, torch.zeros(2), torch.ones(2), 0.2, 0.28, None)
    (grad,) = torch.autograd.grad(loss.sum(), logprobs)
    assert grad.tolist() == pytest.approx([0.0, -1.0])


def test_each_stream_is_divided_by_its_own_tokens() -> None:
    samples = [
        Sample((1, 2, 3), (4, 5), (-0.1, -0.2), advantage=1.0, rl=1.0),
        Sample((1, 2), (4, 5, 6), ce=(0.0, 1.0, 1.0), prompt_ce=0.1),
    ]
    counts = StreamCounts.of(samples)
    assert (counts.rl, counts.ce, counts.ref_kl) == (2, 2, 0)
    assert counts.prompt_ce == 1, "the first prompt token is never a target"
    assert counts.completion == 5
