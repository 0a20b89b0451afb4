"""Baselines of states against values worked out by hand."""

from __future__ import annotations

from tests.trainer.algorithms.groups import make_group
from trainer.algorithms.same_state import SameState, same_state


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


def test_the_algorithm_compares_equal_prompts() -> None:
    good, bad = SameState().group_advantages(make_group(("ab", 1.0), ("ac", 0.0)))
    assert (good.tolist(), bad.tolist()) == ([1.0, 0.0], [-1.0, 0.0])
