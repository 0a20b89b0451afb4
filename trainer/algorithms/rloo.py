"""REINFORCE with a leave-one-out baseline (RLOO, Ahmadian et al. 2024, arXiv:2402.14740):
    A_i = r_i - mean of the rewards of the other episodes.

The baseline does not depend on the episode itself, so the gradient is unbiased; it is GRPO's
difference without scale, times n / (n - 1).
"""

from __future__ import annotations

import numpy as np

from trainer.algorithms.protocol import EpisodeAlgorithm, GroupView
from trainer.algorithms.scores import Vector, has_signal


class Rloo(EpisodeAlgorithm):
    """The others of the group are the baseline."""

    def episode_advantages(self, group: GroupView) -> Vector:
        """Differences to the mean of the others."""
        return rloo(group.rewards)


def rloo(rewards: Vector) -> Vector:
    """r_i - mean of the others."""
    if not has_signal(rewards):
        return np.zeros_like(rewards)
    others: Vector = (rewards.sum() - rewards) / (rewards.size - 1)
    return np.subtract(rewards, others)
