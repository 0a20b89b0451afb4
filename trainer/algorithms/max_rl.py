"""Maximum-likelihood reinforcement (MaxRL, Tajwar et al. 2026):
    A_i = (r_i - mean(r)) / mean(r) for rewards >= 0.

The gradient of log of the success rate, not of the rate: hard tasks, of small mean, get the larger
steps that maximum likelihood would give them.
"""

from __future__ import annotations

import numpy as np

from trainer.algorithms.protocol import EpisodeAlgorithm, GroupView
from trainer.algorithms.scores import Vector, has_signal


class MaxRl(EpisodeAlgorithm):
    """A success of a task that is solved once in eight weighs seven times one of a task that is
    solved half of the time."""

    def episode_advantages(self, group: GroupView) -> Vector:
        """Relative differences to the mean."""
        return max_rl(group.rewards)


def max_rl(rewards: Vector) -> Vector:
    """(r_i - mean) / mean. Raises ValueError for a negative reward."""
    if rewards.size and rewards.min() < 0:
        raise ValueError(f"max_rl needs rewards >= 0, got {rewards.min()}")
    if not has_signal(rewards):
        return np.zeros_like(rewards)
    result: Vector = (rewards - rewards.mean()) / rewards.mean()
    return result
