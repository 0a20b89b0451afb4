"""Losses against values worked out by hand."""

from __future__ import annotations

import math

import pytest
import torch
from torch import tensor

from trainer.losses import (
    LossConfig,
    StreamCounts,
    TokenLogprobs,
    policy_gradient,
    reference_kl,
    total_loss,
)
from trainer.packing import pack
from trainer.samples import Sample


def test_reference_kl_is_estimated_from_the_policys_own_tokens() -> None:
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
    losses, is_clipped = policy_gradient(
        tensor([math.log(ratio)]), tensor([0.0]), tensor([advantage]), 0.2, 0.28, 10.0
    )
    assert losses.item() == pytest.approx(loss, rel=1e-5)
    assert bool(is_clipped) is clipped


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


def test_parts_of_a_batch_sum_to_the_loss_of_the_whole() -> None:
    samples = [
        Sample((1, 2), (3, 4), (-0.5, -1.0), advantage=1.0, rl=1.0, ref_kl=0.1),
        Sample((5,), (6,), (-2.0,), advantage=-1.0, rl=1.0, ce=0.5, ref_kl=0.1),
    ]
    counts = StreamCounts.of(samples)

    def loss(part: list[Sample]) -> float:
        (batch,) = pack(part, 100)
        current_N = torch.full((len(batch.targets_N),), -1.0)
        tokens = TokenLogprobs(
            current_N=current_N,
            entropy_N=torch.ones_like(current_N),
            proximal_N=current_N,
            reference_N=current_N - 0.5,
        )
        return float(total_loss(LossConfig(entropy_weight=0.1), tokens, batch, counts)[0])

    assert loss(samples[:1]) + loss(samples[1:]) == pytest.approx(loss(samples))


def test_tokens_of_no_sampler_are_not_corrected() -> None:
    (batch,) = pack([Sample((1,), (2, 3), advantage=1.0, rl=1.0)], 100)
    current_N = torch.tensor([-1.0, -2.0])
    tokens = TokenLogprobs(
        current_N=current_N,
        entropy_N=torch.zeros(2),
        proximal_N=current_N,
        reference_N=None,
    )
    loss, sums = total_loss(LossConfig(), tokens, batch, StreamCounts(rl=2))
    assert loss.item() == -1.0, "ratio 1, advantage 1, mean over two tokens"
    assert (sums["tis_capped"], sums["rl_tokens"]) == (0.0, 2.0)
