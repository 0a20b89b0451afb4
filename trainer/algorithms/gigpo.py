"""Group-in-group policy optimisation (GiGPO, Feng et al. 2025, arXiv:2505.10978):
    A(a_t) = A_E(episode) + w A_S(a_t),
    A_E = (R_i - mean(R)) / F over the episodes of the task,
    A_S = (G_t - mean(G)) / F over the steps of the task that stood before the same page,
    G_t = discounted return, the episode's reward at its last step.

F is the standard deviation, or 1 without `scale`. A page seen once adds nothing. The key is the
page alone, whatever happened before: more comparisons than `same_state`, and some bias.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from pydantic import Field

from trainer.algorithms.protocol import GroupAlgorithm, GroupView, spread
from trainer.algorithms.rewards import returns
from trainer.algorithms.scores import Vector, concatenation, pieces, standard_scores


class GiGpo(GroupAlgorithm):
    """How the episode went, and how this choice compares with others on the same page."""

    step_weight: float = Field(1.0, ge=0, description="w, of the advantage within a page")
    discount: float = Field(0.95, gt=0, le=1, description="of a return, for each step to the end")
    scale: bool = Field(True, description="divide by the deviation")

    def group_advantages(self, group: GroupView) -> list[Vector]:
        """Episode and step advantages together."""
        episode = spread(group, standard_scores(group.rewards, self.scale))
        earned = discounted_ends(group, self.discount)
        pages = [step.page for play in group.episodes for step in play.steps]
        within = pieces(scores_by_key(concatenation(earned), pages, self.scale), earned)
        return [a + self.step_weight * b for a, b in zip(episode, within, strict=True)]


def discounted_ends(group: GroupView, discount: float) -> list[Vector]:
    """G_t of each step where an episode earns its reward at its end."""
    result = []
    for episode in group.episodes:
        rewards = np.zeros(len(episode.steps))
        rewards[-1:] = episode.reward
        result.append(returns(rewards, discount))
    return result


def scores_by_key(values: Vector, keys: Sequence[Hashable], scale: bool) -> Vector:
    """Standard scores among the values of equal keys; 0 for a key that is there once."""
    places: dict[Hashable, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    result = np.zeros_like(values)
    for chosen in places.values():
        result[chosen] = standard_scores(values[chosen], scale)
    return result
