"""Semi-online reinforcement on demonstrations (UI-S1, arXiv:2509.11543), no environment needed.

A rollout answers the prompts of a demonstration one after another. Where its action is not the
demonstrated one, a patch puts that in its place and the rollout goes on, `patches` times; then it
ends. Our prompts tell past actions and no thoughts, so after an equal or a patched action the next
prompt is the demonstration's own: all steps can be answered at once, and what a rollout would not
have reached is left out here.

    r_t = 0.1 [an action] + 0.9 agreement_t
    R_t = r_t + discount * R_t+1 where the action is the demonstrated one, else r_t
    A_t = episode_weight * A_E + step_weight * A_S
A_S is the standard score of R_t among the rollouts at step t, A_E that of the sum of r among the
rollouts. Tasks whose R_0 differ by less than `least_spread` (their deviation) are left out.
"""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from trainer.algorithms.protocol import EpisodeView, GroupAlgorithm, GroupView
from trainer.algorithms.scores import Vector, standard_scores


class SemiOnline(GroupAlgorithm):
    """What agrees with the demonstration now and later."""

    source: ClassVar[Literal["environment", "demonstrations"]] = "demonstrations"
    patches: int = Field(2, ge=0, description="mismatches that are patched before a rollout ends")
    discount: float = Field(0.5, ge=0, le=1, description="of what later steps earned")
    episode_weight: float = Field(1.0, ge=0, description="of the rollout's score")
    step_weight: float = Field(1.0, ge=0, description="of the score among answers to one prompt")
    least_spread: float = Field(
        0.3, ge=0, description="deviation of the first return, below which a task is left out"
    )

    def group_advantages(self, group: GroupView) -> list[Vector]:
        """Both levels together; 0 for steps that were not reached."""
        rewards = [self.step_rewards(episode) for episode in group.episodes]
        futures = [
            discounted_futures(values, _matches(episode)[: values.size], self.discount)
            for values, episode in zip(rewards, group.episodes, strict=True)
        ]
        advantages = [np.zeros(len(episode.steps)) for episode in group.episodes]
        if np.std([values[0] for values in futures if values.size] or [0.0]) < self.least_spread:
            return advantages
        totals = standard_scores(np.array([values.sum() for values in rewards]))
        for place in range(max(values.size for values in futures)):
            rows = [row for row, values in enumerate(futures) if values.size > place]
            scores = standard_scores(np.array([futures[row][place] for row in rows]))
            for row, score in zip(rows, scores, strict=True):
                level = self.episode_weight * totals[row] + self.step_weight * score
                advantages[row][place] = level
        return advantages

    def step_rewards(self, episode: EpisodeView) -> Vector:
        """r of the steps that the rollout reached."""
        misses = np.cumsum(~_matches(episode))
        # A step is reached while the mismatches before it were all patched.
        reached = int(np.sum(np.append(0, misses)[:-1] <= self.patches)) if misses.size else 0
        agreements = np.array([step.agreement for step in episode.steps[:reached]])
        return 0.1 * (agreements > 0) + 0.9 * agreements


def discounted_futures(rewards: Vector, matches: NDArray[np.bool_], discount: float) -> Vector:
    """R of each step: what follows a mismatch is not to its credit."""
    result = np.zeros_like(rewards)
    ahead = 0.0
    for place in range(rewards.size - 1, -1, -1):
        ahead = float(rewards[place]) + (discount * ahead if matches[place] else 0.0)
        result[place] = ahead
    return result


def _matches(episode: EpisodeView) -> NDArray[np.bool_]:
    return np.array([step.agreement >= 1.0 for step in episode.steps], dtype=bool)
