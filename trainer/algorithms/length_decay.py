"""Trajectory-aware advantages with rewards that decay with length (MobGRPO of MobileGUI-RL,
arXiv:2507.05720): one advantage an episode, copied to all of its steps, from a reward that
- falls with the length of a success,
- is negative for a failure that gave up early,
and no training on groups in which all fail. The paper describes this in words; the formulas are
ours. With L steps of an episode, L* of the group's shortest success, M of the limit:
    success: decay ** (L / L* - 1),   failure: -penalty * (1 - L / M),   A = standard score.
"""

from __future__ import annotations

import numpy as np
from pydantic import Field

from trainer.algorithms.protocol import EpisodeAlgorithm, EpisodeView, GroupView
from trainer.algorithms.scores import Vector, standard_scores


class LengthDecay(EpisodeAlgorithm):
    """Short successes are better than long ones, and giving up early is worse than trying."""

    decay: float = Field(0.8, gt=0, le=1, description="reward of a success twice as long")
    penalty: float = Field(0.2, ge=0, description="of a failure that ends at once")

    def episode_advantages(self, group: GroupView) -> Vector:
        """Standard scores of the decayed rewards; zeros where all fail."""
        lengths = [len(episode.steps) for episode in group.episodes if episode.success]
        if not lengths:
            return np.zeros(len(group.episodes))
        shortest = max(min(lengths), 1)
        rewards = [self._reward(episode, shortest, group.max_steps) for episode in group.episodes]
        return standard_scores(np.array(rewards))

    def keeps(self, rewards: Vector) -> bool:
        """See `Algorithm.keeps`: successes of different lengths have signal, too."""
        return bool(rewards.size > 1 and rewards.max() >= 1.0)

    def _reward(self, episode: EpisodeView, shortest: int, limit: int) -> float:
        length = len(episode.steps)
        if episode.success:
            return float(self.decay ** (length / shortest - 1))
        early = max(1 - length / limit, 0.0) if limit else 0.0
        return episode.reward - self.penalty * early
