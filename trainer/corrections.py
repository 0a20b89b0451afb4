"""Corrections for the difference between the policy that sampled and the policy that learns.

Two separate tools, both on log ratios in fp32, clamped so that nothing overflows, with non-finite
values dropped: a truncated importance weight (Espeholt et al. 2018, IMPALA, arXiv:1802.01561; for
rollouts of another engine: Yao et al. 2025), and a mask that drops tokens too far off. A dropped
token counts in the loss's denominator all the same, or masking would raise the others' weight.

Either looks at the ratio of a token or of its whole answer. A token's ratio leaves a bias where
earlier tokens of the answer were unlikely, the product over an answer has none but varies more the
longer it is, and its geometric mean says how far off an answer is whatever its length.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from trainer.loss_config import Level
from trainer.packing import MicroBatch
from trainer.sequences import completion_means, completion_sums

LOG_RATIO_LIMIT = 20.0
"""exp(20) is 5e8: far beyond any ratio that means something, far below fp32's overflow."""


def log_ratio(logprobs_N: Tensor, behaviour_N: Tensor) -> Tensor:
    """log pi_learner - log pi_behaviour in fp32; NaN where either is not finite."""
    difference_N = logprobs_N.float() - behaviour_N.float()
    finite_N = torch.isfinite(difference_N)
    clamped_N = difference_N.clamp(-LOG_RATIO_LIMIT, LOG_RATIO_LIMIT)
    return torch.where(finite_N, clamped_N, torch.full_like(clamped_N, torch.nan))


def leveled_log_ratio(log_ratio_N: Tensor, level: Level, batch: MicroBatch) -> Tensor:
    """The log ratio of each token, or that of its whole answer; NaN stays NaN, and counts as 0 in
    an answer."""
    if level == "token":
        return log_ratio_N
    over_answer = completion_sums if level == "sequence" else completion_means
    answer_N = over_answer(torch.nan_to_num(log_ratio_N), batch)
    clamped_N = answer_N.clamp(-LOG_RATIO_LIMIT, LOG_RATIO_LIMIT)
    return torch.where(torch.isnan(log_ratio_N), log_ratio_N, clamped_N)


def truncated_importance_weights(log_ratio_N: Tensor, cap: float) -> Tensor:
    """min(exp(log ratio), cap) a token; 0, dropping the token, where the log ratio is NaN."""
    weights_N = log_ratio_N.exp().clamp(max=cap)
    return torch.where(torch.isnan(log_ratio_N), torch.zeros_like(weights_N), weights_N)


def off_policy_mask(log_ratio_N: Tensor, low: float, high: float) -> Tensor:
    """1 where low <= exp(log ratio) <= high, else 0 (NaN included)."""
    ratio_N = log_ratio_N.exp()
    return ((ratio_N >= low) & (ratio_N <= high)).float()


@dataclass(slots=True)
class Mismatch:
    """Sums over tokens of the differences between two engines' logprobs of the same tokens."""

    abs_sum: float = 0.0
    k3_sum: float = 0.0
    ratio_sum: float = 0.0
    square_sum: float = 0.0
    """of squared ratios"""
    largest: float = 0.0
    tokens: int = 0
    dropped: int = 0

    def add(self, log_ratio_N: Tensor) -> None:
        """Takes log ratios of tokens that the behaviour policy sampled; NaN ones are dropped."""
        finite_N = log_ratio_N[~torch.isnan(log_ratio_N)]
        self.dropped += log_ratio_N.numel() - finite_N.numel()
        if finite_N.numel() == 0:
            return
        self.tokens += finite_N.numel()
        self.abs_sum += float(finite_N.abs().sum())
        self.k3_sum += float(k3(finite_N).sum())
        ratio_N = finite_N.double().exp()
        self.ratio_sum += float(ratio_N.sum())
        self.square_sum += float(ratio_N.square().sum())
        self.largest = max(self.largest, float(finite_N.abs().max()))

    def metrics(self, name: str) -> dict[str, float]:
        """Figures by key `name/...`. Means are left out where there was no token: that is not a
        difference of 0.

        With ratios rho = pi_learner / pi_behaviour of n tokens: chi2 = mean(rho^2) - 1 estimates
        the chi-squared divergence; ess = (sum rho)^2 / (n sum rho^2) is the share of the tokens
        that would say as much if none had to be weighed (Kish 1965)."""
        counts = {f"{name}/tokens": float(self.tokens), f"{name}/dropped": float(self.dropped)}
        if self.tokens == 0:
            return counts
        return counts | {
            f"{name}/abs_logprob_mean": self.abs_sum / self.tokens,
            f"{name}/k3_mean": self.k3_sum / self.tokens,
            f"{name}/chi2": self.square_sum / self.tokens - 1.0,
            f"{name}/ess": self.ratio_sum**2 / (self.tokens * self.square_sum),
            f"{name}/abs_logprob_max": self.largest,
        }


def k3(log_ratio_N: Tensor) -> Tensor:
    """exp(r) - r - 1 >= 0, the low-variance estimate of KL(behaviour | learner) from tokens that
    the behaviour sampled; r = log pi_learner - log pi_behaviour (Schulman 2020)."""
    return torch.expm1(log_ratio_N) - log_ratio_N
