"""MaxRL against values worked out by hand."""

from __future__ import annotations

import pytest

from tests.trainer.algorithms.groups import make_group
from trainer.algorithms.max_rl import MaxRl


def test_hard_tasks_get_larger_steps() -> None:
    # Mean 1/4: (1 - 1/4) / (1/4) = 3, (0 - 1/4) / (1/4) = -1. With mean 1/2 it is 1 and -1.
    hard = make_group(("a", 1.0), ("a", 0.0), ("a", 0.0), ("a", 0.0))
    assert MaxRl().episode_advantages(hard) == pytest.approx([3, -1, -1, -1])
    easy = make_group(("a", 1.0), ("a", 0.0))
    assert MaxRl().episode_advantages(easy) == pytest.approx([1, -1])


def test_a_negative_reward_is_refused() -> None:
    with pytest.raises(ValueError, match="rewards >= 0"):
        MaxRl().episode_advantages(make_group(("a", 1.0), ("a", -1.0)))


@pytest.mark.parametrize("rewards", [[], [1.0], [0.0, 0.0], [0.1 + 0.2, 0.3]])
def test_a_group_without_differences_carries_no_signal(rewards: list[float]) -> None:
    group = make_group(*(("a", reward) for reward in rewards))
    assert not MaxRl().episode_advantages(group).any()
