"""GRPO against values worked out by hand."""

from __future__ import annotations

import pytest

from tests.trainer.algorithms.groups import make_group
from trainer.algorithms.grpo import Grpo

GROUP = make_group(("ab", 1.0), ("a", 0.0), ("abc", 0.0), ("a", 1.0))


def test_every_step_of_an_episode_gets_the_episodes_score() -> None:
    # Mean 1/2, deviation 1/2: (1 - 1/2) / (1/2) = 1, and -1 for the failures.
    advantages = Grpo().group_advantages(GROUP)
    assert [part.tolist() for part in advantages] == [[1, 1], [-1], [-1, -1, -1], [1]]


def test_dr_grpo_does_not_divide_by_the_deviation() -> None:
    assert Grpo(scale=False).episode_advantages(GROUP) == pytest.approx([0.5, -0.5, -0.5, 0.5])


@pytest.mark.parametrize("rewards", [[], [1.0], [0.0, 0.0], [0.1 + 0.2, 0.3]])
def test_a_group_without_differences_carries_no_signal(rewards: list[float]) -> None:
    group = make_group(*(("a", reward) for reward in rewards))
    assert not Grpo().episode_advantages(group).any()
