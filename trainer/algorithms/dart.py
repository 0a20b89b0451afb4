"""Curation of rollouts as in DART-GUI (arXiv:2509.23866). The advantage is step-level GRPO on
episode rewards, A = (R_i - mean) / std over all step samples of the task.

- number of rollouts: above a success rate of 0.6 a task gets fewer; here they fall linearly to
  `least` at a rate of 1 (the paper gives the threshold, and 8 to 5 on the average);
- length: an episode may be as long as the longest success of its kind, within 10 and the task's
  own limit;
- high-entropy steps: 1[H_t >= quantile 0.2 of the task's steps]; H_t is estimated by the mean of
  -log p over the answer that was sampled;
- a success from the pool joins a task whose episodes all failed;
- the ratio to the sampler is truncated at 1, the upper clip is 0.28.
"""

from __future__ import annotations

import numpy as np
from pydantic import Field

from trainer.algorithms.protocol import GroupAlgorithm, GroupView, LossTerms, spread
from trainer.algorithms.scores import Vector, concatenation, joined_scores


class Dart(GroupAlgorithm):
    """Effort where it teaches: hard tasks, uncertain steps, and one success where there is none."""

    easy: float = Field(0.6, ge=0, lt=1, description="success rate from which tasks get fewer")
    least: int = Field(3, ge=2, description="episodes of a task that is always solved")
    shortest_limit: int = Field(10, ge=1, description="least limit of an episode's steps")
    dropped: float = Field(
        0.2, ge=0, lt=1, description="share of a task's steps, the surest, that are left out"
    )

    def group_advantages(self, group: GroupView) -> list[Vector]:
        """Scores of the episodes' rewards over steps, 0 for the steps of least entropy."""
        scores = joined_scores(spread(group, group.rewards))
        entropies = [
            np.array([step.surprisal for step in episode.steps]) for episode in group.episodes
        ]
        together = concatenation(entropies)
        bound = np.quantile(together, self.dropped) if together.size else 0.0
        return [
            np.where(entropy >= bound, score, 0.0)
            for score, entropy in zip(scores, entropies, strict=True)
        ]

    def loss_terms(self) -> LossTerms:
        """The truncation and the clip of the paper."""
        return {"tis_cap": 1.0, "eps_low": 0.2, "eps_high": 0.28}

    def rollouts(self, rate: float | None, size: int) -> int:
        """See `Algorithm.rollouts`."""
        if rate is None or rate <= self.easy or size <= self.least:
            return size
        excess = (rate - self.easy) / (1 - self.easy)
        return round(size - excess * (size - self.least))

    def step_limit(self, longest_success: int | None, limit: int) -> int:
        """See `Algorithm.step_limit`."""
        if longest_success is None:
            return limit
        return min(max(longest_success, self.shortest_limit), limit)

    def replays(self, rewards: Vector) -> int:
        """One for a group of failures."""
        return int(rewards.size > 0 and rewards.max() < 1.0)
