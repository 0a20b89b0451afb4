"""Token losses. All tensors are [N], one entry a token; sums, so that the caller can divide by a
stream's global token count over all micro-batches.
"""

from __future__ import annotations

import torch
from torch import Tensor

from trainer.corrections import log_ratio


def clipped_policy_gradient(
    logprobs_N: Tensor,
    proximal_N: Tensor,
    advantages_N: Tensor,
    weights_N: Tensor,
    clip_low: float,
    clip_high: float,
) -> tuple[Tensor, Tensor]:
    """PPO's clipped surrogate with an asymmetric range (arXiv:1707.06347; clip-higher of DAPO,
    arXiv:2503.14476): -min(rho A, clip(rho, 1-low, 1+high) A), times an importance weight.

    Returns the sum and how many tokens were clipped."""
    ratio = log_ratio(logprobs_N, proximal_N).exp()
    clipped = ratio.clamp(1 - clip_low, 1 + clip_high)
    gain = torch.minimum(ratio * advantages_N, clipped * advantages_N)
    was_clipped = (ratio * advantages_N > clipped * advantages_N) & (weights_N > 0)
    return -(gain * weights_N).sum(), was_clipped.sum()


def cross_entropy(logprobs_N: Tensor, weights_N: Tensor) -> Tensor:
    """-sum w log p."""
    return -(logprobs_N * weights_N).sum()


def reference_kl(logprobs_N: Tensor, reference_N: Tensor, weights_N: Tensor) -> Tensor:
    """k3 estimator of KL(pi || ref) (GRPO's): sum w (e^d - d - 1), d = log ref - log pi."""
    difference = (reference_N - logprobs_N).clamp(-20.0, 20.0)
    return ((difference.exp() - difference - 1) * weights_N).sum()


def entropy(logits_NV: Tensor) -> Tensor:
    """Entropy of each row's distribution, in nats: [N]."""
    logprobs = logits_NV.log_softmax(-1)
    return -(logprobs.exp() * logprobs).sum(-1)
