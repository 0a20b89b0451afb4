"""Off-policy corrections and mismatch metrics, in log space and fp32.

Shapes: all tensors are [N], one entry a trained token. Log-ratios are clamped to +-20 and
non-finite ones count as 0 weight, so that one broken token cannot spoil a batch.
"""

from __future__ import annotations

import torch
from torch import Tensor

CLAMP = 20.0


def log_ratio(logprobs_N: Tensor, behaviour_N: Tensor) -> Tensor:
    """log pi(token) - log mu(token), clamped; non-finite entries become 0."""
    ratio = (logprobs_N.float() - behaviour_N.float()).clamp(-CLAMP, CLAMP)
    return torch.nan_to_num(ratio, nan=0.0, posinf=0.0, neginf=0.0)


def truncated_importance(logprobs_N: Tensor, behaviour_N: Tensor, cap: float) -> Tensor:
    """Truncated importance sampling: min(pi/mu, cap), a constant weight a token (IMPALA's rho,
    arXiv:1802.01561; TIS for train/serve mismatch)."""
    weights = log_ratio(logprobs_N, behaviour_N).exp().clamp(max=cap)
    return torch.where(torch.isfinite(behaviour_N), weights, torch.zeros_like(weights))


def mismatch(logprobs_N: Tensor, behaviour_N: Tensor) -> dict[str, float]:
    """How far the learner's logprobs of the sampled tokens are from the server's.

    `abs_logprob_mean` in nats a token; `k3_mean` = E[rho - 1 - log rho] (Schulman's k3)."""
    if logprobs_N.numel() == 0:
        return {"abs_logprob_mean": 0.0, "k3_mean": 0.0}
    difference = log_ratio(logprobs_N, behaviour_N)
    return {
        "abs_logprob_mean": difference.abs().mean().item(),
        "k3_mean": (difference.exp() - 1 - difference).mean().item(),
    }
