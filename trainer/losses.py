"""The learner's four losses as pure functions of flat per-token tensors.

Every function gives one loss a token, unweighted and unreduced; `StreamCounts` holds the global
counts that each stream is divided by, so that the sum over micro-batches is the loss of the whole
batch, however it was split:

    L = sum(w_rl c pg) / n_rl + sum(w_ce nll) / n_ce + sum(w_prompt nll) / n_prompt
        + sum(w_kl k3) / n_kl - entropy_weight * sum(w_rl H) / n_entropy

with the correction c = min(pi_old / pi_sampler, cap), 0 where the ratio is outside the mask's
bounds. A stream's n counts the tokens that can move it, so what has no effect (an advantage or a
weight of 0) does not weaken what has. The mask alone leaves n as it is: it is known only after the
forward, and dropping a token must not raise the weight of the others. The ratio of pg, the weight
and the mask are of a token or of its whole answer. Means over steps, episodes or tasks instead of
tokens are a matter of w_rl (`trainer.aggregation`).

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from trainer.corrections import (
    k3,
    leveled_log_ratio,
    log_ratio,
    off_policy_mask,
    truncated_importance_weights,
)
from trainer.loss_config import LossConfig
from trainer.packing import MicroBatch
from trainer.samples import Sample
from trainer.sequences import completion_means


def policy_gradient(
    log_ratio_N: Tensor,
    advantages_N: Tensor,
    eps_low: float,
    eps_high: float,
    dual_clip: float | None,
) -> tuple[Tensor, Tensor]:
    """Clipped surrogate -min(rho A, clip(rho) A), and where the clip took the gradient away; rho
    is exp(log ratio) of the policy and of itself before the update.

    PPO (arXiv:1707.06347) with DAPO's separate upper bound (arXiv:2503.14476); for A < 0 the
    surrogate is bounded by `dual_clip` * A (Ye et al. 2020, arXiv:1912.09729).
    """
    ratio_N = log_ratio_N.exp()
    plain_N = ratio_N * advantages_N
    clipped_N = ratio_N.clamp(1 - eps_low, 1 + eps_high) * advantages_N
    surrogate_N = torch.minimum(plain_N, clipped_N)
    is_clipped_N = clipped_N < plain_N
    if dual_clip is not None:
        floor_N = dual_clip * advantages_N
        bounded_N = (advantages_N < 0) & (surrogate_N < floor_N)
        surrogate_N = torch.where(bounded_N, floor_N, surrogate_N)
        is_clipped_N = is_clipped_N | bounded_N
    return -surrogate_N, is_clipped_N


def cross_entropy(logprobs_N: Tensor) -> Tensor:
    """Negative log-likelihood of the targets."""
    return -logprobs_N


def reference_kl(logprobs_N: Tensor, reference_N: Tensor) -> Tensor:
    """k3 estimate of KL(policy | reference) as in GRPO (arXiv:2402.03300): exp(r) - r - 1 with
    r = log pi_ref - log pi."""
    return k3(torch.nan_to_num(log_ratio(reference_N, logprobs_N)))


@dataclass(slots=True)
class StreamCounts:
    """Tokens that move each stream, over a whole batch; with mini-batches the mean of one, so that
    a token weighs the same in whichever mini-batch it is."""

    rl: float = 0.0
    """tokens with a weight and an advantage"""
    ce: float = 0.0
    ref_kl: float = 0.0
    prompt_ce: float = 0.0
    entropy: float = 0.0
    """tokens with an rl weight, whatever their advantage"""

    @classmethod
    def of(cls, samples: Iterable[Sample], minibatches: int = 1) -> StreamCounts:
        """Counts a whole batch's samples, before they are cut into mini-batches and packed."""
        counts = cls()
        for sample in samples:
            counts.rl += sample.reinforced_tokens / minibatches
            counts.ce += sample.weighted_tokens(sample.ce) / minibatches
            counts.ref_kl += sample.weighted_tokens(sample.ref_kl) / minibatches
            counts.entropy += sample.weighted_tokens(sample.rl) / minibatches
            if sample.prompt_ce:
                counts.prompt_ce += (len(sample.prompt_ids) - 1) / minibatches
        return counts


@dataclass(frozen=True, slots=True)
class Objective:
    """The loss of one learner step: how its streams become a number, and what they are divided
    by."""

    config: LossConfig
    counts: StreamCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenLogprobs:
    """What was computed for each target, and what it is compared with."""

    current_N: Tensor
    entropy_N: Tensor
    proximal_N: Tensor
    """learner's logprobs before the update, detached"""
    reference_N: Tensor | None


def total_loss(
    config: LossConfig, tokens: TokenLogprobs, batch: MicroBatch, counts: StreamCounts
) -> tuple[Tensor, dict[str, Tensor]]:
    """The micro-batch's part of the global loss, and sums for metrics: scalars on its device."""
    # The sampler is compared with the policy before the update: the ratio to it is fixed data, so
    # it weighs the gradient and is not part of it.
    weight_ratio_N, correction_N = _corrections(config, tokens.proximal_N, batch)
    update_N = torch.nan_to_num(log_ratio(tokens.current_N, tokens.proximal_N))
    gradient_N, is_clipped_N = policy_gradient(
        completion_means(update_N, batch) if config.ratio == "sequence" else update_N,
        batch.advantage_N,
        config.eps_low,
        config.eps_high,
        config.dual_clip,
    )
    reinforced_N = batch.rl_N * correction_N * gradient_N
    if config.covariance == "hold":
        reinforced_N = reinforced_N + batch.proximal_kl_N * k3(-update_N)
    rl = _mean(reinforced_N, counts.rl)
    nll_N = cross_entropy(tokens.current_N)
    ce = _mean(batch.ce_N * nll_N, counts.ce)
    prompt_ce = _mean(batch.prompt_ce_N * nll_N, counts.prompt_ce)
    kl = torch.zeros_like(tokens.current_N).sum()
    if tokens.reference_N is not None:
        kl_N = reference_kl(tokens.current_N, tokens.reference_N)
        kl = _mean(batch.ref_kl_N * kl_N, counts.ref_kl)
    loss = rl + ce + prompt_ce + kl
    if config.entropy_weight:
        bonus = _mean(batch.rl_N * tokens.entropy_N, counts.entropy)
        loss = loss - config.entropy_weight * bonus
    in_rl_N = ((batch.rl_N != 0) & (batch.advantage_N != 0)).float()
    sampled_N = ~torch.isnan(batch.behaviour_N)
    is_capped_N = sampled_N & (weight_ratio_N.exp() > (config.tis_cap or math.inf))
    is_masked_N = sampled_N & (correction_N == 0)
    sums = {
        "rl": rl.detach(),
        "ce": ce.detach(),
        "prompt_ce": prompt_ce.detach(),
        "ref_kl": kl.detach(),
        "entropy": (batch.completion_N * tokens.entropy_N.detach()).sum(),
        "completion": batch.completion_N.sum(),
        "nll": (batch.completion_N * nll_N.detach()).sum(),
        "clipped": (in_rl_N * is_clipped_N).sum(),
        "tis_capped": (in_rl_N * is_capped_N).sum(),
        "masked": (in_rl_N * is_masked_N).sum(),
        "rl_tokens": in_rl_N.sum(),
    }
    return loss, sums


def _mean(weighted_N: Tensor, count: float) -> Tensor:
    """Over the tokens of a stream in the whole batch. Without tokens it is 0, not 0 / 0."""
    total = weighted_N.sum()
    return total / count if count else total


def _corrections(
    config: LossConfig, proximal_N: Tensor, batch: MicroBatch
) -> tuple[Tensor, Tensor]:
    """The log ratio that the importance weight is made of, and weights of tokens for the sampler's
    policy; 1 where no policy sampled the token.

    The mask does not depend on the truncated weight: without one, a token that is too far off is
    dropped all the same."""
    log_ratio_N = log_ratio(proximal_N, batch.behaviour_N)
    masked_ratio_N = leveled_log_ratio(log_ratio_N, config.mask_level, batch)
    weight_ratio_N = leveled_log_ratio(log_ratio_N, config.tis_level, batch)
    weights_N = off_policy_mask(masked_ratio_N, config.mask_low, config.mask_high)
    if config.tis_cap is not None:
        weights_N = weights_N * truncated_importance_weights(weight_ratio_N, config.tis_cap)
    no_sampler_N = torch.isnan(batch.behaviour_N)
    return weight_ratio_N, torch.where(no_sampler_N, torch.ones_like(weights_N), weights_N)


def weigh_targets(
    current_N: Tensor,
    entropy_N: Tensor,
    reference_N: Tensor | None,
    batch: MicroBatch,
    before_L: Sequence[Tensor | None],
    counts: StreamCounts,
    loss_config: LossConfig,
) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
    """The loss's part of one micro-batch, the proximal logprobs [N], and sums for metrics.

    Proximal logprobs are those of `before_L`, and the present ones where it has None."""
    proximal_N = current_N.detach().clone()
    if before_L:
        for place, rows in batch.completions:
            known_L = before_L[place]
            if known_L is not None:
                proximal_N[rows] = known_L.to(proximal_N.device, non_blocking=True)
    tokens = TokenLogprobs(
        current_N=current_N,
        entropy_N=entropy_N,
        proximal_N=proximal_N,
        reference_N=reference_N,
    )
    loss, sums = total_loss(loss_config, tokens, batch, counts)
    return loss, proximal_N, sums
