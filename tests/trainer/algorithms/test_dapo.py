"""DAPO: GRPO's advantages, a wider upper clip, and groups that all have signal."""

from __future__ import annotations

import numpy as np
import pytest

from tests.trainer.algorithms.groups import make_group
from trainer.algorithms.dapo import Dapo
from trainer.loss_config import LossConfig
from trainer.objective import phase_loss


def test_advantages_are_those_of_grpo() -> None:
    # Mean 1/4, deviation sqrt(3)/4: 3/4 over it is sqrt(3), -1/4 over it -1/sqrt(3).
    group = make_group(("a", 1.0), ("a", 0.0), ("a", 0.0), ("a", 0.0))
    assert Dapo().episode_advantages(group) == pytest.approx([3**0.5, *[-(3**-0.5)] * 3])


def test_the_upper_clip_is_wider_and_tokens_are_averaged() -> None:
    loss = phase_loss(LossConfig(), Dapo(eps_high=0.4))
    assert (loss.eps_low, loss.eps_high, loss.aggregation) == (0.2, 0.4, "token")


def test_groups_in_which_all_or_none_succeed_are_replaced() -> None:
    assert Dapo(refills=3).most_refills() == 3
    assert [Dapo().keeps(np.array(rewards)) for rewards in ([1.0, 1.0], [0.0], [1.0, 0.0])] == [
        False,
        False,
        True,
    ]
