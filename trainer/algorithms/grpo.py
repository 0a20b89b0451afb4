"""GRPO over whole episodes (Shao et al. 2024, DeepSeekMath, arXiv:2402.03300):
    A_i = (r_i - mean(r)) / std(r), the same for every step of episode i.

Without `scale`, A_i = r_i - mean(r): dividing by the deviation favours tasks that are almost always
or almost never solved (Dr. GRPO, Liu et al. 2025, arXiv:2503.20783).
"""

from __future__ import annotations

from pydantic import Field

from trainer.algorithms.protocol import EpisodeAlgorithm, GroupView
from trainer.algorithms.scores import Vector, standard_scores


class Grpo(EpisodeAlgorithm):
    """The mean of the group is the baseline."""

    scale: bool = Field(True, description="divide by the deviation; false: Dr. GRPO")

    def episode_advantages(self, group: GroupView) -> Vector:
        """Standard scores of the episodes' rewards."""
        return standard_scores(group.rewards, self.scale)
