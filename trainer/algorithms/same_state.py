"""Step-level GRPO with a baseline for each state, the default:
    A_ij = r_ij - mean of the steps of the other episodes of the group that were taken in the state.

Steps are compared only where they stood before the same choice (the anchor states of GiGPO, Feng et
al. 2025, arXiv:2505.10978), by leave-one-out as in RLOO (arXiv:2402.14740): the choice that went
wrong is blamed, and the right ones before it and the lost ones after it are not.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from trainer.algorithms.protocol import GroupAlgorithm, GroupView
from trainer.algorithms.scores import SPREAD_FLOOR, Vector


class SameState(GroupAlgorithm):
    """Lowest bias, fewest comparisons: a state is the whole prompt."""

    def group_advantages(self, group: GroupView) -> list[Vector]:
        """The difference to the other episodes in the same state."""
        states = [[step.state for step in episode.steps] for episode in group.episodes]
        return same_state(group.step_rewards, states)


def same_state(
    rewards: Sequence[Sequence[float] | Vector], states: Sequence[Sequence[Hashable]]
) -> list[Vector]:
    """The whole episode is left out of its baseline, not the step alone: an episode that comes back
    to a state earned the same reward there. A state of one episode alone gets 0."""
    steps = [np.asarray(episode, dtype=np.float64) for episode in rewards]
    by_state: dict[Hashable, list[tuple[int, float]]] = {}
    for index, (episode, keys) in enumerate(zip(steps, states, strict=True)):
        for reward, key in zip(episode, keys, strict=True):
            by_state.setdefault(key, []).append((index, float(reward)))

    def advantage(index: int, reward: float, key: Hashable) -> float:
        others = [value for owner, value in by_state[key] if owner != index]
        if not others:
            return 0.0
        difference = reward - sum(others) / len(others)
        return difference if abs(difference) >= SPREAD_FLOOR else 0.0

    return [
        np.array([advantage(index, float(r), key) for r, key in zip(episode, keys, strict=True)])
        for index, (episode, keys) in enumerate(zip(steps, states, strict=True))
    ]
