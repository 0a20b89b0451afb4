"""REINFORCE with a critic against values worked out by hand."""

from __future__ import annotations

import numpy as np

from trainer.algorithms.protocol import EpisodeView, GroupView, StepView
from trainer.algorithms.reinforce import Reinforce


def test_a_step_is_compared_with_what_the_critic_expected() -> None:
    steps = (StepView(reward=1.0, value=0.25), StepView(reward=0.0, value=0.5))
    episode = EpisodeView(reward=1.0, success=True, steps=steps)
    (values,) = Reinforce().group_advantages(GroupView(template="shop/price", episodes=(episode,)))
    # The second answer was malformed: 0 - 1/2.
    assert values.tolist() == [0.75, -0.5]


def test_no_group_is_without_signal() -> None:
    assert Reinforce().keeps(np.array([0.0, 0.0]))
    assert not Reinforce().keeps(np.array([]))
    assert Reinforce().needs == {"values"}
