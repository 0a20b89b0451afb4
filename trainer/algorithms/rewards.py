"""Rewards of steps and of episodes from a verdict's score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trainer.algorithms.scores import Vector


def episode_reward(score: float, partial: float = 0.0) -> float:
    """1 for a success (score >= 1), else `partial` times the score: milestones count."""
    return 1.0 if score >= 1.0 else partial * score


def step_rewards(score: float, well_formed: Sequence[bool], partial: float = 0.0) -> Vector:
    """One reward a step of an episode (ComputerRL, arXiv:2508.14040, step-level GRPO).

    Each well-formed step gets its episode's reward, every other step 0."""
    reward = episode_reward(score, partial)
    return np.where(np.asarray(well_formed, dtype=bool), reward, 0.0)


def returns(rewards: Vector, discount: float) -> Vector:
    """G_t = r_t + discount * G_t+1: what a step and those after it earned."""
    result = np.zeros_like(rewards)
    ahead = 0.0
    for place in range(rewards.size - 1, -1, -1):
        ahead = float(rewards[place]) + discount * ahead
        result[place] = ahead
    return result
