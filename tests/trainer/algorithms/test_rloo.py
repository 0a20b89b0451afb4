"""RLOO against values worked out by hand."""

from __future__ import annotations

import pytest

from tests.trainer.algorithms.groups import make_group
from trainer.algorithms.rloo import Rloo


def test_an_episode_is_compared_with_the_mean_of_the_others() -> None:
    # 1 - (0 + 0) / 2 = 1, and 0 - (1 + 0) / 2 = -1/2 for each failure.
    advantages = Rloo().group_advantages(make_group(("ab", 1.0), ("a", 0.0), ("a", 0.0)))
    assert [part.tolist() for part in advantages] == [[1.0, 1.0], [-0.5], [-0.5]]


@pytest.mark.parametrize("rewards", [[], [1.0], [0.0, 0.0], [0.1 + 0.2, 0.3]])
def test_a_group_without_differences_carries_no_signal(rewards: list[float]) -> None:
    group = make_group(*(("a", reward) for reward in rewards))
    assert not Rloo().episode_advantages(group).any()
