"""Self-imitation with recalibrated advantages (SPEAR, Qin et al. 2025, arXiv:2509.22601): GRPO, and
successes of earlier batches replayed with
    A~ = R - P50(b),   b = mean rewards of the recent groups,   only where A~ > 0,
weighted by gamma = (1 - cos(pi * progress / warmup)) / 2 up to 1: first explore, then exploit.

A success that was rare when it was sampled is no longer worth as much once the policy solves most
tasks: the median of the recent baselines says how good the policy is now. The recent groups are
those of the batch. Tokens that would take entropy away are clipped by covariance, here among all
reinforced tokens. SPEAR's reward for calling tools is left out: every action here is a call.
"""

from __future__ import annotations

import numpy as np
from pydantic import Field

from trainer.algorithms.protocol import Algorithm, BatchView, GroupView, LossTerms, spread
from trainer.algorithms.scores import Vector, standard_scores


class Spear(Algorithm):
    """GRPO without scale on what is new, self-imitation on what is kept."""

    replayed: int = Field(1, ge=1, description="kept successes beside a group that is not solved")
    warmup: float = Field(
        0.5, gt=0, le=1, description="share of the phase in which self-imitation grows"
    )
    scale: bool = Field(False, description="divide the new episodes' advantages by the deviation")

    def advantages(self, batch: BatchView) -> list[list[Vector]]:
        """New episodes by their group, replayed ones by the median of the groups' means."""
        means = [float(_new_rewards(group).mean()) for group in batch.groups if group.episodes]
        median = float(np.median(means)) if means else 0.0
        weight = (1 - np.cos(np.pi * min(batch.progress / self.warmup, 1.0))) / 2
        return [self._group_advantages(group, median, float(weight)) for group in batch.groups]

    def _group_advantages(self, group: GroupView, median: float, weight: float) -> list[Vector]:
        scores = iter(standard_scores(_new_rewards(group), self.scale))
        values = [
            weight * max(episode.reward - median, 0.0) if episode.replayed else float(next(scores))
            for episode in group.episodes
        ]
        return spread(group, np.array(values))

    def loss_terms(self) -> LossTerms:
        """Clip by covariance with the bounds of the released code."""
        return {"covariance": "clip", "covariance_share": 2e-3, "covariance_high": 40.0}

    def replays(self, rewards: Vector) -> int:
        """None beside a group that is solved."""
        return self.replayed if rewards.size and rewards.mean() < 1.0 else 0


def _new_rewards(group: GroupView) -> Vector:
    return np.array([episode.reward for episode in group.episodes if not episode.replayed])
