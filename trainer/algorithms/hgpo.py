"""Hierarchy-of-groups policy optimisation (HGPO, He et al. 2026, arXiv:2602.22817; the weights as
in the released code, verl-agent recipe/hgpo):
    A(a_t) = sum_k w_k A_k(a_t),   w_k = (k + 1)^alpha / sum over the levels that compare anything.

Level k compares steps of the task whose last k pages are equal, the present one included; A_k is
the standard score of the discounted return there. Few pages alike: many comparisons, but of steps
that got there in different ways. Many: the reverse.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
from pydantic import Field

from trainer.algorithms.gigpo import discounted_ends, scores_by_key
from trainer.algorithms.protocol import GroupAlgorithm, GroupView
from trainer.algorithms.scores import Vector, concatenation, pieces


class Hgpo(GroupAlgorithm):
    """Steps on the same page, those with the same history weighing more."""

    depth: int = Field(2, ge=0, description="earlier pages that are compared at most")
    alpha: float = Field(1.0, ge=0, description="how much more deeper levels weigh; 0: alike")
    discount: float = Field(0.95, gt=0, le=1, description="of a return, for each step to the end")
    scale: bool = Field(True, description="divide by the deviation")

    def group_advantages(self, group: GroupView) -> list[Vector]:
        """The weighted mean of the levels that compare anything."""
        earned = discounted_ends(group, self.discount)
        values = concatenation(earned)
        total, weights = np.zeros_like(values), np.zeros_like(values)
        for pages in range(1, self.depth + 2):
            level = scores_by_key(values, _histories(group, pages), self.scale)
            weight = (pages + 1) ** self.alpha * (level != 0)
            total += weight * level
            weights += weight
        return pieces(total / np.where(weights > 0, weights, 1.0), earned)


def _histories(group: GroupView, pages: int) -> list[Hashable]:
    """The last so many pages of each step; a key of its own for a step with fewer before it."""
    keys: list[Hashable] = []
    for number, episode in enumerate(group.episodes):
        seen = [step.page for step in episode.steps]
        keys += [
            tuple(seen[place + 1 - pages : place + 1]) if place + 1 >= pages else (number, place)
            for place in range(len(seen))
        ]
    return keys
