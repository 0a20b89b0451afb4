"""REINFORCE with a learned critic as baseline (Williams 1992; the baseline of Sutton and Barto,
Reinforcement Learning, section 13.4):
    A_t = r_t - V(s_t).

r_t is the step's reward, 1 for a well-formed step of a success: the return without a discount. V is
the critic's probability of a success from the state (`trainer.critic`), so no group is needed: a
task that is tried once teaches, too.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from trainer.algorithms.protocol import GroupAlgorithm, GroupView, Need
from trainer.algorithms.scores import Vector


class Reinforce(GroupAlgorithm):
    """A step is good where its episode did better than the critic expected."""

    needs: ClassVar[frozenset[Need]] = frozenset({"values"})

    def group_advantages(self, group: GroupView) -> list[Vector]:
        """Differences to the critic's values."""
        return [
            np.array([step.reward - step.value for step in episode.steps], dtype=np.float64)
            for episode in group.episodes
        ]

    def keeps(self, rewards: Vector) -> bool:
        """Every group has signal: the baseline is not its own."""
        return rewards.size > 0
