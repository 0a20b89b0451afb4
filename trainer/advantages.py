"""Advantages from the rewards of a group of episodes: pure functions.

A group is all episodes of one task that are compared with each other. Every function gives zeros
for a group whose rewards are all equal: it carries no signal, and 0 / 0 must not become one.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
SPREAD_FLOOR = 1e-8
"""Rewards that differ by less than this are equal: the rest is rounding."""


def step_rewards(score: float, well_formed: Sequence[bool], partial: float = 0.0) -> Vector:
    """One reward a step of an episode (ComputerRL, arXiv:2508.14040, step-level GRPO).

    Each well-formed step of a successful episode (score >= 1) gets 1, every other step 0. With
    `partial`, well-formed steps of the others get that share of their score: milestones count."""
    reward = 1.0 if score >= 1.0 else partial * score
    return np.where(np.asarray(well_formed, dtype=bool), reward, 0.0)


def step_level_grpo(rewards: Sequence[Sequence[float] | Vector]) -> list[Vector]:
    """A_ij = (r_ij - mean(R)) / std(R), R = all steps of all episodes of the group
    (ComputerRL, arXiv:2508.14040). Long episodes weigh more in R, as in the paper."""
    steps = [np.asarray(episode, dtype=np.float64) for episode in rewards]
    if not steps:
        return []
    group = np.concatenate(steps)
    spread = group.std() if group.size else 0.0
    if spread < SPREAD_FLOOR:
        return [np.zeros_like(episode) for episode in steps]
    return [(episode - group.mean()) / spread for episode in steps]


def same_state(
    rewards: Sequence[Sequence[float] | Vector], states: Sequence[Sequence[Hashable]]
) -> list[Vector]:
    """Step-level GRPO with a baseline for each state: A_ij = r_ij - mean of the steps of the other
    episodes of the group that were taken in the same state.

    Steps are compared only where they stood before the same choice (the anchor states of GiGPO,
    Feng et al. 2025, arXiv:2505.10978), by leave-one-out as in RLOO: the choice that went wrong is
    blamed, and the right ones before it and the lost ones after it are not. The whole episode is
    left out, not the step alone: an episode that comes back to a state earned the same reward
    there, and would be its own baseline. A state of one episode alone gets 0."""
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


def grpo(rewards: Sequence[float], scale: bool = True) -> Vector:
    """(r_i - mean) / std a trajectory (GRPO, arXiv:2402.03300); without `scale` r_i - mean, which
    does not favour tasks that are almost always or almost never solved (Dr. GRPO,
    arXiv:2503.20783)."""
    values = np.asarray(rewards, dtype=np.float64)
    if not _has_signal(values):
        return np.zeros_like(values)
    centred: Vector = values - values.mean()
    return centred / values.std() if scale else centred


def rloo(rewards: Sequence[float]) -> Vector:
    """r_i - mean of the others (RLOO, arXiv:2402.14740): an unbiased baseline."""
    values = np.asarray(rewards, dtype=np.float64)
    if not _has_signal(values):
        return np.zeros_like(values)
    others: Vector = (values.sum() - values) / (values.size - 1)
    return np.subtract(values, others)


def max_rl(rewards: Sequence[float]) -> Vector:
    """(r_i - mean) / mean for rewards >= 0 (MaxRL, Tajwar et al. 2026): hard tasks, of small mean,
    get the larger steps that maximum likelihood would give them."""
    values = np.asarray(rewards, dtype=np.float64)
    if values.size and values.min() < 0:
        raise ValueError(f"max_rl needs rewards >= 0, got {values.min()}")
    if not _has_signal(values):
        return np.zeros_like(values)
    result: Vector = (values - values.mean()) / values.mean()
    return result


def _has_signal(values: Vector) -> bool:
    return values.size > 1 and float(values.std()) >= SPREAD_FLOOR
