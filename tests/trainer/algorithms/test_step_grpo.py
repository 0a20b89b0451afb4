"""Step-level GRPO against values worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trainer.algorithms.groups import make_group
from trainer.algorithms.step_grpo import StepGrpo


def test_rewards_are_normalised_over_all_steps_of_the_group() -> None:
    # R = {1, 1, 1, 0}: mean 3/4, std sqrt(3)/4; a success of three steps, a failure of one.
    # (1 - 3/4) / (sqrt(3)/4) = 1/sqrt(3), (0 - 3/4) / (sqrt(3)/4) = -sqrt(3).
    good, bad = StepGrpo().group_advantages(make_group(("abc", 1.0), ("a", 0.0)))
    assert good == pytest.approx([1 / 3**0.5] * 3)
    assert bad == pytest.approx([-(3**0.5)])


def test_equal_rewards_carry_no_signal_and_no_episode_no_advantage() -> None:
    algorithm = StepGrpo()
    equal = algorithm.group_advantages(make_group(("a", 1.0), ("ab", 1.0)))
    assert [part.tolist() for part in equal] == [[0.0], [0.0, 0.0]]
    assert algorithm.group_advantages(make_group()) == []
    without_steps = algorithm.group_advantages(make_group(("", 1.0), ("", 0.0)))
    assert [part.tolist() for part in without_steps] == [[], []]


EPISODES = st.tuples(st.text("abc", max_size=6), st.sampled_from([0.0, 0.3, 1.0]))


@given(st.lists(EPISODES, max_size=6))
def test_advantages_have_mean_zero_and_one_for_each_step(episodes: list[tuple[str, float]]) -> None:
    advantages = StepGrpo().group_advantages(make_group(*episodes))
    assert [len(part) for part in advantages] == [len(states) for states, _ in episodes]
    assert sum(float(part.sum()) for part in advantages) == pytest.approx(0.0, abs=1e-6)
