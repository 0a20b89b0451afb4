"""Advantages against values worked out by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.advantages import Vector, grpo, max_rl, rloo, same_state, step_level_grpo, step_rewards


def test_well_formed_steps_of_a_success_are_rewarded_and_malformed_ones_are_not() -> None:
    assert step_rewards(1.0, [True, False, True]).tolist() == [1.0, 0.0, 1.0]


def test_a_failure_earns_nothing_unless_milestones_count() -> None:
    assert step_rewards(0.6, [True, True]).tolist() == [0.0, 0.0]
    assert step_rewards(0.6, [True, False], partial=0.5).tolist() == [0.3, 0.0]


def test_step_level_grpo_normalises_over_all_steps_of_the_group() -> None:
    # R = {1, 1, 1, 0}: mean 3/4, std sqrt(3)/4; a success of three steps, a failure of one.
    good, bad = step_level_grpo([[1.0, 1.0, 1.0], [0.0]])
    assert good == pytest.approx([1 / 3**0.5] * 3)
    assert bad == pytest.approx([-(3**0.5)])


def test_grpo_scales_by_the_deviation_and_dr_grpo_does_not() -> None:
    assert grpo([1.0, 0.0, 0.0, 1.0]) == pytest.approx([1, -1, -1, 1])
    assert grpo([1.0, 0.0, 0.0, 1.0], scale=False) == pytest.approx([0.5, -0.5, -0.5, 0.5])


def test_rloo_compares_with_the_mean_of_the_others() -> None:
    assert rloo([1.0, 0.0, 0.0]) == pytest.approx([1.0, -0.5, -0.5])


def test_max_rl_gives_hard_tasks_larger_steps() -> None:
    assert max_rl([1.0, 0.0, 0.0, 0.0]) == pytest.approx([3, -1, -1, -1])
    with pytest.raises(ValueError, match="rewards >= 0"):
        max_rl([1.0, -1.0])


def test_a_step_is_compared_with_others_that_stood_in_the_same_state() -> None:
    # Both begin at "a" and choose alike; at "b" one chooses wrongly and is lost at "x".
    good, bad = same_state([[1.0, 1.0], [0.0, 0.0, 0.0]], [["a", "b"], ["a", "b", "x"]])
    assert good.tolist() == [1.0, 1.0]
    assert bad.tolist() == [-1.0, -1.0, 0.0], "what follows the wrong choice is not blamed"
    # A third that succeeds too: the first choice, which all share, is less to blame.
    advantages = same_state(
        [[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]], [["a", "b"], ["a", "b"], ["a", "b"]]
    )
    assert [part.tolist() for part in advantages] == [[0.5, 0.5], [-1.0, -1.0], [0.5, 0.5]]


def test_an_episode_that_comes_back_to_a_state_is_not_its_own_baseline() -> None:
    # The failure stood at "a" three times. Against its own other visits it would not be blamed.
    good, bad = same_state([[1.0], [0.0, 0.0, 0.0]], [["a"], ["a", "a", "a"]])
    assert good.tolist() == [1.0]
    assert bad.tolist() == [-1.0, -1.0, -1.0]
    (alone,) = same_state([[1.0, 0.0]], [["a", "a"]])
    assert alone.tolist() == [0.0, 0.0], "no other episode stood there"


def test_the_baseline_of_a_state_leaves_the_step_itself_out() -> None:
    advantages = same_state([[1.0], [1.0], [0.0]], [["a"], ["a"], ["a"]])
    assert [part.tolist() for part in advantages] == [[0.5], [0.5], [-1.0]]


def test_a_state_seen_once_has_nothing_to_be_compared_with() -> None:
    good, bad = same_state([[1.0, 1.0], [0.0, 0.0]], [["a", "b"], ["a", "c"]])
    assert good.tolist() == [1.0, 0.0]
    assert bad.tolist() == [-1.0, 0.0]


def test_equal_outcomes_of_a_state_carry_no_signal() -> None:
    advantages = same_state([[0.3, 0.3], [0.3]], [["a", "b"], ["a"]])
    assert [part.tolist() for part in advantages] == [[0.0, 0.0], [0.0]]
    assert same_state([], []) == []


@pytest.mark.parametrize("advantages", [grpo, rloo, max_rl])
@pytest.mark.parametrize("rewards", [[], [1.0], [0.0, 0.0], [0.1 + 0.2, 0.3]])
def test_a_group_without_differences_carries_no_signal(
    advantages: Callable[[list[float]], Vector], rewards: list[float]
) -> None:
    assert not np.any(advantages(rewards))


def test_step_level_grpo_of_equal_rewards_is_zero_and_of_nothing_is_nothing() -> None:
    assert [part.tolist() for part in step_level_grpo([[1.0], [1.0, 1.0]])] == [[0.0], [0.0, 0.0]]
    assert step_level_grpo([]) == []
    assert [part.tolist() for part in step_level_grpo([[], []])] == [[], []]


@given(st.lists(st.lists(st.sampled_from([0.0, 0.3, 1.0]), max_size=6), max_size=6))
def test_step_advantages_have_mean_zero_and_the_shape_of_the_rewards(
    rewards: list[list[float]],
) -> None:
    advantages = step_level_grpo(rewards)
    assert [len(part) for part in advantages] == [len(part) for part in rewards]
    assert sum(float(part.sum()) for part in advantages) == pytest.approx(0.0, abs=1e-6)
