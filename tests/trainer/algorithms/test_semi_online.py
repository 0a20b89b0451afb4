"""UI-S1's patches, futures and two levels against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from trainer.algorithms.protocol import EpisodeView, GroupView, StepView
from trainer.algorithms.semi_online import SemiOnline, discounted_futures


def make_rollout(*agreements: float) -> EpisodeView:
    steps = tuple(StepView(agreement=value) for value in agreements)
    return EpisodeView(reward=0.0, success=False, steps=steps)


def test_a_rollout_goes_on_over_so_many_patches() -> None:
    # 0.1 for an action, 0.9 times the agreement: 1, 0.1 + 0.45, 0.1 + 0.09, 0.
    rollout = make_rollout(1.0, 0.5, 0.1, 0.0, 1.0)
    assert SemiOnline(patches=0).step_rewards(rollout) == pytest.approx([1.0, 0.55])
    assert SemiOnline(patches=1).step_rewards(rollout) == pytest.approx([1.0, 0.55, 0.19])
    assert SemiOnline(patches=3).step_rewards(rollout) == pytest.approx([1.0, 0.55, 0.19, 0.0, 1.0])
    assert SemiOnline().step_rewards(make_rollout()).tolist() == []


def test_what_follows_a_mismatch_is_not_to_its_credit() -> None:
    # From the end: 1; 0.2 alone, a mismatch; 1 + 1/2 * 0.2.
    futures = discounted_futures(np.array([1.0, 0.2, 1.0]), np.array([True, False, True]), 0.5)
    assert futures == pytest.approx([1.1, 0.2, 1.0])


def test_both_levels_are_added_and_steps_that_were_not_reached_are_left_out() -> None:
    # Without patches: the first agrees twice, R = 1 + 1/2, 1; the second stops at once, R = 0.
    # A_E: sums 2 and 0, so 1 and -1. A_S at step 0: 1.5 and 0, so 1 and -1; at step 1 alone: 0.
    group = GroupView(template="a/b", episodes=(make_rollout(1.0, 1.0), make_rollout(0.0, 1.0)))
    first, second = SemiOnline(patches=0, step_weight=0.5).group_advantages(group)
    assert first == pytest.approx([1.5, 1.0])
    assert second.tolist() == [-1.5, 0.0]
    # With a patch the second answers step 1, too, as well as the first: no score there.
    _, patched = SemiOnline(patches=1).group_advantages(group)
    assert patched == pytest.approx([-2.0, -1.0])


def test_a_task_whose_first_returns_hardly_differ_is_left_out() -> None:
    # R_0 = 1 and 0.55: deviation 0.225.
    group = GroupView(template="a/b", episodes=(make_rollout(1.0), make_rollout(0.5)))
    assert not np.any(SemiOnline().group_advantages(group))
    first, second = SemiOnline(least_spread=0.2).group_advantages(group)
    assert (first.tolist(), second.tolist()) == ([2.0], [-2.0])
    assert SemiOnline().group_advantages(GroupView(template="a/b", episodes=())) == []
