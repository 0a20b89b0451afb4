"""DigiRL's filters against values worked out by hand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from trainer.algorithms.digirl import DigiRl
from trainer.algorithms.protocol import BatchView, EpisodeView, GroupView, StepView


def make_episode(reward: float, task_value: float, *values: float) -> EpisodeView:
    steps = tuple(StepView(reward=reward, value=value) for value in values)
    return EpisodeView(reward=reward, success=reward >= 1.0, steps=steps, task_value=task_value)


def test_the_outcome_counts_near_the_end_and_the_change_of_value_before() -> None:
    # decay 1/2, three steps: shares 1/4, 1/2, 1 of the outcome.
    # 1/4 * 1 + 3/4 * (0.6 - 0.2) = 0.55; 1/2 * 1 + 1/2 * (0.4 - 0.6) = 0.4; 1.
    episode = make_episode(1.0, 0.0, 0.2, 0.6, 0.4)
    assert DigiRl().step_advantages(episode) == pytest.approx([0.55, 0.4, 1.0])
    assert DigiRl().step_advantages(make_episode(0.0, 0.0)).tolist() == []


def test_steps_that_improved_surprising_episodes_are_imitated() -> None:
    # More than 1/3 is better than a third of the way. The failure of a hopeless task surprises
    # less than the successes; of two successes the one that was not expected is kept.
    good = make_episode(1.0, 0.2, 0.2, 0.6, 0.2)
    expected = make_episode(1.0, 0.9, 0.2, 0.6, 0.4)
    failure = make_episode(0.0, 0.1, 0.1, 0.9, 0.1)
    groups = (
        GroupView(template="a/b", episodes=(good, failure)),
        GroupView(template="a/c", episodes=(expected,)),
    )
    first, second = DigiRl(kept=0.4).advantages(BatchView(groups=groups))
    # 0.55, 1/2 + 1/2 * (0.2 - 0.6) = 0.3, 1 against 1/3.
    assert [part.tolist() for part in first] == [[1.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
    assert [part.tolist() for part in second] == [[0.0, 0.0, 0.0]]


def test_a_step_towards_success_of_a_failure_counts_where_all_is_kept() -> None:
    failure = make_episode(0.0, 0.5, 0.1, 0.9, 0.1)
    group = GroupView(template="a/b", episodes=(failure,))
    # 3/4 * (0.9 - 0.1) = 0.6 is more than 1/3; 1/2 * (0.1 - 0.9) and 0 are not.
    ((values,),) = DigiRl(kept=1.0).advantages(BatchView(groups=(group,)))
    assert values.tolist() == [1.0, 0.0, 0.0]


def test_a_refused_answer_is_not_imitated() -> None:
    good = make_episode(1.0, 0.2, 0.2, 0.6, 0.4)
    refused = dataclasses.replace(good.steps[1], refused=True)
    good = dataclasses.replace(good, steps=(good.steps[0], refused, good.steps[2]))
    group = GroupView(template="a/b", episodes=(good,))
    # 0.55, 0.4 and 1 are more than 1/3.
    ((values,),) = DigiRl(kept=1.0).advantages(BatchView(groups=(group,)))
    assert values.tolist() == [1.0, 0.0, 1.0]


def test_no_episode_has_no_advantage() -> None:
    assert DigiRl().advantages(BatchView(groups=())) == []
    assert DigiRl().keeps(np.array([0.0]))
