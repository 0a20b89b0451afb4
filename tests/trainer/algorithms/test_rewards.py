"""Rewards of steps and episodes."""

from __future__ import annotations

import numpy as np
import pytest

from trainer.algorithms.rewards import episode_reward, returns, step_rewards


def test_well_formed_steps_of_a_success_are_rewarded_and_malformed_ones_are_not() -> None:
    assert step_rewards(1.0, [True, False, True]).tolist() == [1.0, 0.0, 1.0]


def test_a_failure_earns_nothing_unless_milestones_count() -> None:
    assert step_rewards(0.6, [True, True]).tolist() == [0.0, 0.0]
    assert step_rewards(0.6, [True, False], partial=0.5).tolist() == [0.3, 0.0]
    assert (episode_reward(1.0, 0.5), episode_reward(0.6, 0.5)) == (1.0, 0.3)


def test_a_return_is_what_came_after_at_a_discount() -> None:
    # G_3 = 2, G_2 = 0 + 1/2 * 2 = 1, G_1 = 1 + 1/2 * 1 = 3/2.
    assert returns(np.array([1.0, 0.0, 2.0]), 0.5) == pytest.approx([1.5, 1.0, 2.0])
    assert returns(np.array([]), 0.5).tolist() == []
