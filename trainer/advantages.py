"""Advantages: pure functions from rewards to one number a step or trajectory.

All of them give zeros for a group whose rewards are all equal: it says nothing about which actions
were better.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, pstdev

EPSILON = 1e-6


def step_level_grpo(rewards: Sequence[Sequence[float]]) -> list[list[float]]:
    """ComputerRL (arXiv:2508.14040), step-level GRPO: all steps of all trajectories of one task are
    one group R; A_ij = (r_ij - mean(R)) / std(R). `rewards[i][j]`: trajectory i, step j."""
    pool = [reward for trajectory in rewards for reward in trajectory]
    if not pool:
        return [[] for _ in rewards]
    mean, spread = fmean(pool), pstdev(pool)
    if spread < EPSILON:
        return [[0.0] * len(trajectory) for trajectory in rewards]
    return [[(reward - mean) / spread for reward in trajectory] for trajectory in rewards]


def grpo(rewards: Sequence[float], scale: bool = True) -> list[float]:
    """GRPO (arXiv:2402.03300): (r - mean) / std over trajectories; `scale=False` leaves out the
    std (Dr. GRPO, arXiv:2503.20783)."""
    if not rewards:
        return []
    mean, spread = fmean(rewards), pstdev(rewards)
    if spread < EPSILON:
        return [0.0] * len(rewards)
    return [(reward - mean) / (spread if scale else 1.0) for reward in rewards]


def leave_one_out(rewards: Sequence[float]) -> list[float]:
    """RLOO (arXiv:2402.14740): r_i minus the mean of the others."""
    count = len(rewards)
    if count < 2:
        return [0.0] * count
    total = sum(rewards)
    return [reward - (total - reward) / (count - 1) for reward in rewards]


def step_rewards(score: float, well_formed: Sequence[bool], partial: float) -> list[float]:
    """Reward of each step of a trajectory: the trajectory's, for steps that were well-formed, and 0
    for malformed ones (ComputerRL). A score below 1 counts `partial` times; 0 is the paper's
    all-or-nothing."""
    reward = 1.0 if score >= 1.0 else partial * score
    return [reward if ok else 0.0 for ok in well_formed]
