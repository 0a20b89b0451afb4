"""What an algorithm decides when it says nothing: a plain policy gradient on whole groups."""

from __future__ import annotations

import numpy as np

from tests.trainer.algorithms.groups import make_group
from trainer.algorithms.protocol import BatchView, spread
from trainer.algorithms.rloo import Rloo


def test_by_default_groups_are_collected_and_trained_on_as_configured() -> None:
    algorithm = Rloo()
    assert algorithm.loss_terms() == {}
    assert (algorithm.rollouts(0.9, 8), algorithm.step_limit(3, 20)) == (8, 20)
    assert (algorithm.replays(np.zeros(8)), algorithm.most_refills()) == (0, 0)
    assert algorithm.needs == frozenset()


def test_a_group_has_signal_where_its_rewards_differ() -> None:
    assert Rloo().keeps(np.array([0.0, 1.0]))
    assert not Rloo().keeps(np.array([1.0, 1.0]))


def test_an_episodes_number_is_given_to_each_of_its_steps() -> None:
    parts = spread(make_group(("ab", 1.0), ("", 0.0)), np.array([0.5, -0.5]))
    assert [part.tolist() for part in parts] == [[0.5, 0.5], []]


def test_a_batch_is_a_list_of_groups() -> None:
    group = make_group(("a", 1.0), ("a", 0.0))
    first, second = Rloo().advantages(BatchView(groups=(group, make_group())))
    assert [part.tolist() for part in first] == [[1.0], [-1.0]]
    assert second == []
