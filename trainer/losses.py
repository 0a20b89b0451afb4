"""The learner's streams as pure functions of flat per-token tensors.

Every function gives one loss a token, unweighted and unreduced; `StreamCounts` holds the global
counts that each stream is divided by, so that the sum over micro-batches is the loss of the whole
batch, however it was split.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor

from trainer.corrections import k3, log_ratio, off_policy_mask, truncated_importance_weights
from trainer.packing import MicroBatch
from trainer.samples import Sample, Weights


def policy_gradient(
    logprobs: Tensor,
    proximal: Tensor,
    advantages: Tensor,
    eps_low: float,
    eps_high: float,
    dual_clip: float | None,
) -> tuple[Tensor, Tensor]:
    """Clipped surrogate -min(rho A, clip(rho) A), and where the clip took the gradient away.

    PPO (arXiv:1707.06347) with DAPO's separate upper bound (arXiv:2503.14476); for A < 0 the
    surrogate is bounded by `dual_clip` * A (Ye et al. 2020, arXiv:1912.09729).
    """
    ratio = torch.nan_to_num(log_ratio(logprobs, proximal)).exp()
    plain = ratio * advantages
    clipped = ratio.clamp(1 - eps_low, 1 + eps_high) * advantages
    surrogate = torch.minimum(plain, clipped)
    taken = clipped < plain
    if dual_clip is not None:
        floor = dual_clip * advantages
        bounded = (advantages < 0) & (surrogate < floor)
        surrogate = torch.where(bounded, floor, surrogate)
        taken = taken | bounded
    return -surrogate, taken


def cross_entropy(logprobs: Tensor) -> Tensor:
    return -logprobs


def reference_kl(logprobs: Tensor, reference: Tensor) -> Tensor:
    """k3 estimate of KL(policy | reference) as in GRPO (arXiv:2402.03300): exp(r) - r - 1 with
    r = log pi_ref - log pi."""
    return k3(torch.nan_to_num(log_ratio(reference, logprobs)))


@dataclass(slots=True)
class StreamCounts:
    """Tokens with a weight in each stream, over all samples of one optimiser step."""

    rl: int = 0
    ce: int = 0
    ref_kl: int = 0
    prompt_ce: int = 0
    completion: int = 0

    @classmethod
    def of(cls, samples: Iterable[Sample]) -> StreamCounts:
        counts = cls()
        for sample in samples:
            length = len(sample.completion_ids)
            counts.rl += _weighted(sample.rl, length)
            counts.ce += _weighted(sample.ce, length)
            counts.ref_kl += _weighted(sample.ref_kl, length)
            if sample.prompt_ce:
                counts.prompt_ce += len(sample.prompt_ids) - 1
            counts.completion += length
        return counts


def _weighted(weights: Weights, length: int) -> int:
    if isinstance(weights, tuple):
        return sum(weight != 0.0 for weight in weights)
    return length if weights != 0.0 else 0


class LossConfig(BaseModel):
    """How the streams become one number."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    eps_low: float = Field(0.2, ge=0, lt=1, description="clip of the ratio below 1")
    eps_high: float = Field(0.28, ge=0, description="clip of the ratio above 1")
    dual_clip: float | None = Field(10.0, gt=1, description="bound for negative advantages")
    tis_cap: float | None = Field(
        2.0, gt=0, description="cap of the truncated importance weight; none = no correction"
    )
    mask_low: float = Field(
        0.0, ge=0, description="drop tokens whose ratio to the sampler is lower"
    )
    mask_high: float = Field(1e6, gt=0, description="drop tokens whose ratio is higher")
    entropy_weight: float = Field(0.0, description="bonus on the entropy of weighted rl tokens")


@dataclass(frozen=True, slots=True)
class TokenLogprobs:
    """Per target [N]: what was computed, and what it is compared with."""

    current: Tensor
    entropy: Tensor
    proximal: Tensor
    """learner's logprobs before the update, detached"""
    reference: Tensor | None


def total_loss(
    config: LossConfig, tokens: TokenLogprobs, batch: MicroBatch, counts: StreamCounts
) -> tuple[Tensor, dict[str, float]]:
    """The micro-batch's part of the global loss, and sums for metrics."""
    zero = torch.zeros_like(tokens.current)
    ratio = log_ratio(tokens.proximal, batch.behaviour)
    sampled = ~torch.isnan(batch.behaviour)
    correction = torch.ones_like(zero)
    if config.tis_cap is not None:
        corrected = truncated_importance_weights(ratio, config.tis_cap)
        corrected = corrected * off_policy_mask(ratio, config.mask_low, config.mask_high)
        correction = torch.where(sampled, corrected, correction)
    gradient, clipped = policy_gradient(
        tokens.current,
        tokens.proximal,
        batch.advantage,
        config.eps_low,
        config.eps_high,
        config.dual_clip,
    )
    rl = (batch.rl * correction * gradient).sum() / max(counts.rl, 1)
    nll = cross_entropy(tokens.current)
    ce = (batch.ce * nll).sum() / max(counts.ce, 1)
    prompt_ce = (batch.prompt_ce * nll).sum() / max(counts.prompt_ce, 1)
    kl = zero.sum()
    if tokens.reference is not None:
        kl = (batch.ref_kl * reference_kl(tokens.current, tokens.reference)).sum()
        kl = kl / max(counts.ref_kl, 1)
    loss = rl + ce + prompt_ce + kl
    if config.entropy_weight:
        bonus = (batch.rl * tokens.entropy).sum() / max(counts.rl, 1)
        loss = loss - config.entropy_weight * bonus
    in_rl = (batch.rl != 0).float()
    sums = {
        "rl": float(rl.detach()),
        "ce": float(ce.detach()),
        "prompt_ce": float(prompt_ce.detach()),
        "ref_kl": float(kl.detach()),
        "entropy": float((batch.completion * tokens.entropy.detach()).sum()),
        "completion": float(batch.completion.sum()),
        "nll": float((batch.completion * nll.detach()).sum()),
        "clipped": float((in_rl * clipped).sum()),
        "tis_capped": float((in_rl * (correction != ratio.exp()) * sampled).sum()),
        "rl_tokens": float(in_rl.sum()),
    }
    return loss, sums
