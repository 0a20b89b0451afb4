"""DART's choices against values worked out by hand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tests.trainer.algorithms.groups import make_group
from trainer.algorithms.dart import Dart
from trainer.algorithms.protocol import GroupView
from trainer.loss_config import LossConfig
from trainer.objective import phase_loss


def with_surprisals(group: GroupView, *surprisals: list[float]) -> GroupView:
    episodes = tuple(
        dataclasses.replace(
            episode,
            steps=tuple(
                dataclasses.replace(step, surprisal=value)
                for step, value in zip(episode.steps, values, strict=True)
            ),
        )
        for episode, values in zip(group.episodes, surprisals, strict=True)
    )
    return dataclasses.replace(group, episodes=episodes)


def test_the_surest_steps_are_left_out() -> None:
    # Over steps the rewards are 1, 1, 0, 0: scores 1 and -1. The quantile 0.2 of 0.1, 0.3, 0.5, 0.9
    # is 0.1 + 0.6 * 0.2 = 0.22.
    group = with_surprisals(make_group(("ab", 1.0), ("ac", 0.0)), [0.1, 0.5], [0.9, 0.3])
    good, bad = Dart().group_advantages(group)
    assert (good.tolist(), bad.tolist()) == ([0.0, 1.0], [-1.0, -1.0])
    all_steps = Dart(dropped=0.0).group_advantages(group)
    assert [part.tolist() for part in all_steps] == [[1.0, 1.0], [-1.0, -1.0]]
    assert Dart().group_advantages(make_group()) == []


@pytest.mark.parametrize(("rate", "episodes"), [(None, 8), (0.6, 8), (0.7, 7), (0.9, 4), (1.0, 3)])
def test_easy_tasks_get_fewer_episodes(rate: float | None, episodes: int) -> None:
    # From 0.6 to 1 the number falls from 8 to 3: at 0.7 it is 8 - 5/4, at 0.9 it is 8 - 15/4.
    assert Dart().rollouts(rate, 8) == episodes


def test_a_small_group_is_not_made_larger() -> None:
    assert Dart().rollouts(1.0, 2) == 2


@pytest.mark.parametrize(("longest", "limit"), [(None, 20), (4, 10), (15, 15), (30, 20)])
def test_an_episode_may_be_as_long_as_the_longest_success(longest: int | None, limit: int) -> None:
    assert Dart().step_limit(longest, 20) == limit


def test_a_group_of_failures_is_joined_by_a_success() -> None:
    replays = [Dart().replays(np.array(rewards)) for rewards in ([0.0, 0.0], [0.0, 1.0], [])]
    assert replays == [1, 0, 0]


def test_the_ratio_to_the_sampler_is_truncated_at_one() -> None:
    loss = phase_loss(LossConfig(), Dart())
    assert (loss.tis_cap, loss.eps_low, loss.eps_high) == (1.0, 0.2, 0.28)
