"""Direct preference optimisation (Rafailov et al. 2023, arXiv:2305.18290) on pairs of steps; for
computer use from judged trajectories: arXiv:2506.03095.

A pair is two answers to the same prompt, of which the verdict preferred one episode. With
    m = beta ((log p_w - log ref_w) - (log p_l - log ref_l)),
    L = mean over pairs of -log sigma(m),
the gradient is that of a policy gradient whose advantages are
    A_w = beta sigma(-m),   A_l = -beta sigma(-m),
summed over tokens: that is how it is written here. m is that of the weights before the learner
step, so with one optimiser step this is DPO's gradient exactly, and with several it stays fixed
while they last. Two steps count as a pair where their answers differ and the better one could be
read: a success of which an answer was refused does not recommend that answer.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from typing import ClassVar

import numpy as np
from pydantic import Field

from trainer.algorithms.protocol import (
    Algorithm,
    BatchView,
    EpisodeView,
    GroupView,
    LossTerms,
    Need,
    StepView,
)
from trainer.algorithms.scores import SPREAD_FLOOR, Vector

Member = tuple[int, int, int]
"""Group, episode and step."""


class Dpo(Algorithm):
    """The better answer to a prompt rises over the worse, held by the reference."""

    needs: ClassVar[frozenset[Need]] = frozenset({"logprobs"})
    beta: float = Field(0.1, gt=0, description="strength of the pull to the reference")

    def advantages(self, batch: BatchView) -> list[list[Vector]]:
        """Sums over pairs, scaled so that the mean over tokens is the mean over pairs."""
        pairs = [
            ((number, *better), (number, *worse))
            for number, group in enumerate(batch.groups)
            for better, worse in _pairs(group)
        ]
        slopes: dict[Member, float] = {}
        for better, worse in pairs:
            margin = self.beta * (_log_ratio(batch, better) - _log_ratio(batch, worse))
            slope = self.beta * _sigmoid(-margin)
            slopes[better] = slopes.get(better, 0.0) + slope
            slopes[worse] = slopes.get(worse, 0.0) - slope
        slopes = {member: slope for member, slope in slopes.items() if abs(slope) >= SPREAD_FLOOR}
        scale = sum(_step(batch, member).tokens for member in slopes) / max(len(pairs), 1)
        return [
            [
                np.array(
                    [scale * slopes.get((number, row, place), 0.0) for place in range(len(e.steps))]
                )
                for row, e in enumerate(group.episodes)
            ]
            for number, group in enumerate(batch.groups)
        ]

    def loss_terms(self) -> LossTerms:
        """Pairs are data, whoever sampled them: no correction."""
        return {"tis_cap": None, "aggregation": "token"}


def _sigmoid(value: float) -> float:
    # By tanh: exp would overflow.
    return 0.5 * (1 + math.tanh(value / 2))


def _pairs(group: GroupView) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """(episode, step) of the better and of the worse answer to one prompt."""
    by_state: dict[Hashable, list[tuple[int, int]]] = {}
    for row, episode in enumerate(group.episodes):
        for place, step in enumerate(episode.steps):
            by_state.setdefault(step.state, []).append((row, place))
    for members in by_state.values():
        for better in members:
            for worse in members:
                if _is_preferred(group.episodes, better, worse):
                    yield better, worse


def _is_preferred(
    episodes: tuple[EpisodeView, ...], better: tuple[int, int], worse: tuple[int, int]
) -> bool:
    first, second = episodes[better[0]], episodes[worse[0]]
    better_step, worse_step = first.steps[better[1]], second.steps[worse[1]]
    differs = better_step.answer != worse_step.answer
    return differs and first.reward > second.reward and not better_step.refused


def _step(batch: BatchView, member: Member) -> StepView:
    group, episode, step = member
    return batch.groups[group].episodes[episode].steps[step]


def _log_ratio(batch: BatchView, member: Member) -> float:
    step = _step(batch, member)
    return step.policy_logprob - step.reference_logprob
