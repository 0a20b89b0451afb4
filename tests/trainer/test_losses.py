"""Losses against values worked out by hand."""

from __future__ import annotations

import math
from typing import Literal

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import tensor

from trainer.loss_config import LossConfig
from trainer.losses import (
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
        tensor([math.log(ratio)]), tensor([advantage]), 0.2, 0.28, 10.0
    )
    assert losses.item() == pytest.approx(loss, rel=1e-5)
    assert bool(is_clipped) is clipped


def test_a_clipped_token_has_no_gradient() -> None:
    logprobs = tensor([math.log(1.5), 0.0], requires_grad=True)
    loss, _ = policy_gradient(logprobs, torch.ones(2), 0.2, 0.28, None)
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


def test_tokens_without_effect_are_not_counted() -> None:
    samples = [
        Sample((1,), (2, 3), advantage=0.0, rl=1.0),
        Sample((1,), (2, 3), advantage=1.0, rl=0.0),
        Sample((1,), (2, 3, 4), advantage=(0.0, 1.0, 1.0), rl=(1.0, 0.0, 1.0)),
    ]
    counts = StreamCounts.of(samples)
    assert counts.rl == 1, "the last token alone has a weight and an advantage"
    assert counts.entropy == 4, "its bonus needs no advantage"
    assert [sample.moves_weights for sample in samples] == [False, False, True]


def test_a_token_weighs_the_same_in_whichever_mini_batch_it_is() -> None:
    samples = [
        Sample((1, 2, 3), (4, 5), advantage=1.0, rl=1.0, ref_kl=0.1),
        Sample((1, 2), (4, 5, 6), ce=1.0, prompt_ce=0.1),
    ]
    assert StreamCounts.of(samples, minibatches=2) == StreamCounts(
        rl=1.0, ce=1.5, ref_kl=1.0, prompt_ce=0.5, entropy=1.0
    )


GOLDEN = [
    Sample((1, 2), (3, 4), (-1.0, -1.0), advantage=1.0, rl=1.0, ref_kl=0.1),
    # The learner's probability is four times the sampler's: capped at two.
    Sample((1,), (5,), (-1.0 - math.log(4.0),), advantage=-2.0, rl=1.0),
    Sample((1,), (6,), (-1.0,), advantage=0.0, rl=1.0),
    Sample((7, 8), (4, 5, 6), ce=(0.0, 0.5, 0.5), prompt_ce=0.1),
]


def loss_of(
    part: list[Sample], counts: StreamCounts, logprobs_V: torch.Tensor, config: LossConfig
) -> torch.Tensor:
    """Every token id has one logprob, the same before the update; the reference gives it twice the
    probability; the entropy is 1."""
    (batch,) = pack(part, 100)
    current_N = logprobs_V[batch.targets_N]
    tokens = TokenLogprobs(
        current_N=current_N,
        entropy_N=-current_N,
        proximal_N=current_N.detach(),
        reference_N=current_N.detach() + math.log(2.0),
    )
    return total_loss(config, tokens, batch, counts)[0]


def test_the_loss_of_a_batch_is_the_sum_of_its_streams() -> None:
    loss = loss_of(GOLDEN, StreamCounts.of(GOLDEN), torch.full((9,), -1.0), LossConfig())
    rl = (-1.0 - 1.0 + 2.0 * 2.0) / 3  # the sample without an advantage is no fourth token
    ref_kl = 0.1 * (1 - math.log(2))  # the mean over the two tokens that are pulled
    ce = 0.5 * 1.0  # the mean over two tokens
    prompt_ce = 0.1 * 1.0
    assert loss.item() == pytest.approx(rl + ref_kl + ce + prompt_ce)
    assert loss.item() == pytest.approx(1.2973, abs=1e-4)


@given(st.lists(st.integers(0, 3), min_size=len(GOLDEN), max_size=len(GOLDEN)))
def test_the_gradient_is_the_same_for_any_split(places: list[int]) -> None:
    counts, config = StreamCounts.of(GOLDEN), LossConfig(entropy_weight=0.1)
    parts = [
        [sample for sample, place in zip(GOLDEN, places, strict=True) if place == index]
        for index in range(4)
    ]

    def gradient(splits: list[list[Sample]]) -> list[float]:
        logprobs_V = torch.full((9,), -1.0, requires_grad=True)
        for split in splits:
            if split:
                loss_of(split, counts, logprobs_V, config).backward()  # type: ignore[no-untyped-call]
        assert logprobs_V.grad is not None
        return logprobs_V.grad.tolist()  # type: ignore[no-any-return]

    assert gradient(parts) == pytest.approx(gradient([GOLDEN]), abs=1e-6)


@pytest.mark.parametrize("tis_cap", [2.0, None])
def test_the_mask_drops_tokens_with_and_without_importance_weights(tis_cap: float | None) -> None:
    # Ratios to the sampler: 1, 0.1 and one that is not finite.
    logprobs = (-1.0, -1.0 - math.log(0.1), math.nan)
    sample = Sample((1,), (2, 3, 4), logprobs, advantage=1.0, rl=1.0)
    (batch,) = pack([sample], 100)
    current_N = torch.full((3,), -1.0, requires_grad=True)
    tokens = TokenLogprobs(
        current_N=current_N,
        entropy_N=torch.zeros(3),
        proximal_N=current_N.detach(),
        reference_N=None,
    )
    config = LossConfig(tis_cap=tis_cap, mask_low=0.5, mask_high=2.0)
    loss, sums = total_loss(config, tokens, batch, StreamCounts.of([sample]))
    (grad,) = torch.autograd.grad(loss, current_N)
    assert grad.tolist() == pytest.approx([-1 / 3, 0.0, 0.0]), "dropped tokens are counted"
    assert (sums["masked"], sums["tis_capped"]) == (2.0, 0.0)


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


def update_loss(
    samples: list[Sample], ratios: list[list[float]], config: LossConfig
) -> tuple[torch.Tensor, list[float]]:
    """The loss after an update that changed each token's probability by a factor, and its gradient
    by token in the order of the samples."""
    (batch,) = pack(samples, 100)
    proximal_N = torch.full((len(batch.targets_N),), -1.0)
    current_N = proximal_N.clone()
    for place, rows in batch.completions:
        current_N[rows] += torch.tensor(ratios[place]).log()
    current_N.requires_grad_()
    tokens = TokenLogprobs(
        current_N=current_N, entropy_N=torch.zeros(()), proximal_N=proximal_N, reference_N=None
    )
    loss, _ = total_loss(config, tokens, batch, StreamCounts.of(samples))
    (grad_N,) = torch.autograd.grad(loss, current_N)
    rows = dict(batch.completions)
    return loss, [value for place in range(len(samples)) for value in grad_N[rows[place]].tolist()]


def test_a_sequences_ratio_is_the_geometric_mean_of_its_tokens() -> None:
    # sqrt(4 * 1) = 2 for both tokens of the first answer, and 1 for the only one of the second.
    samples = [
        Sample((1, 2), (3, 4), (-1.0, -1.0), advantage=-1.0, rl=1.0),
        Sample((1, 2), (5,), (-1.0,), advantage=1.0, rl=1.0),
    ]
    config = LossConfig(ratio="sequence", dual_clip=None)
    loss, grads = update_loss(samples, [[4.0, 1.0], [1.0]], config)
    # Negative advantages are not clipped above: (2 + 2 - 1) / 3 tokens.
    assert loss.item() == pytest.approx(1.0, rel=1e-5)
    # The derivative of s = exp(mean of log ratios): both tokens share it, 2 * s / 2 / 3 each.
    assert grads == pytest.approx([2 / 3, 2 / 3, -1 / 3], rel=1e-5)


def test_a_sequence_is_clipped_as_a_whole() -> None:
    sample = Sample((1,), (3, 4), (-1.0, -1.0), advantage=1.0, rl=1.0)
    config = LossConfig(ratio="sequence", eps_low=3e-4, eps_high=4e-4)
    loss, grads = update_loss([sample], [[4.0, 1.0]], config)
    assert loss.item() == pytest.approx(-1.0004)
    assert grads == [0.0, 0.0]
    # Token by token only the first is beyond the bound.
    _, by_token = update_loss([sample], [[4.0, 1.0]], LossConfig())
    assert by_token == pytest.approx([0.0, -0.5])


@pytest.mark.parametrize(
    ("level", "weights"),
    [("token", [2.0, 0.5]), ("sequence", [1.5, 1.5]), ("mean", [1.5**0.5] * 2)],
)
def test_the_importance_weight_is_of_a_token_or_of_its_answer(
    level: Literal["token", "sequence", "mean"], weights: list[float]
) -> None:
    # Ratios to the sampler: 3 (capped at 2 by token) and 1/2. Their product is 3/2.
    logprobs = (-1.0 - math.log(3.0), -1.0 + math.log(2.0))
    sample = Sample((1,), (3, 4), logprobs, advantage=1.0, rl=1.0)
    _, grads = update_loss([sample], [[1.0, 1.0]], LossConfig(tis_level=level))
    assert grads == pytest.approx([-weight / 2 for weight in weights], rel=1e-5)


def test_an_answer_that_is_too_far_off_is_dropped_whole() -> None:
    # Ratios 3 and 1/2, geometric mean 1.22: kept by a bound of 1.3 on means, not by one of 1.2.
    logprobs = (-1.0 - math.log(3.0), -1.0 + math.log(2.0))
    sample = Sample((1,), (3, 4), logprobs, advantage=1.0, rl=1.0)
    for bound, expected in ((1.3, [-0.5, -0.5]), (1.2, [0.0, 0.0])):
        config = LossConfig(tis_cap=None, mask_high=bound, mask_level="mean")
        assert update_loss([sample], [[1.0, 1.0]], config)[1] == pytest.approx(expected)


def test_a_held_token_is_pulled_to_where_it_was() -> None:
    sample = Sample((1,), (3, 4), advantage=1.0, rl=1.0, proximal_kl=(2.0, 0.0))
    config = LossConfig(eps_high=9.0, covariance="hold")
    loss, grads = update_loss([sample], [[2.0, 2.0]], config)
    # k3 of r = -log 2: exp(r) - r - 1 = 1/2 + log 2 - 1; its derivative by log p is 1 - 1/2.
    assert loss.item() == pytest.approx((-2 - 2 + 2 * (math.log(2) - 0.5)) / 2, rel=1e-5)
    assert grads == pytest.approx([(-2 + 2 * 0.5) / 2, -1.0], rel=1e-5)
