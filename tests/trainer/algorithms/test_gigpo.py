"""GiGPO against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.trainer.algorithms.groups import make_group
from trainer.algorithms.gigpo import GiGpo, scores_by_key

GROUP = make_group(("ab", 1.0), ("ac", 0.0))


def test_an_episodes_advantage_and_that_within_a_page_are_added() -> None:
    # A_E = 1/2 and -1/2. Returns at a discount of 1/2: the success 1/2, 1; the failure 0, 0.
    # On page a mean 1/4: 1/4 and -1/4; b and c stand alone.
    good, bad = GiGpo(discount=0.5, scale=False).group_advantages(GROUP)
    assert good == pytest.approx([0.5 + 0.25, 0.5])
    assert bad == pytest.approx([-0.5 - 0.25, -0.5])


def test_differences_are_divided_by_the_deviation_and_weighed() -> None:
    # Both deviations make their differences 1 and -1.
    good, bad = GiGpo(step_weight=0.5).group_advantages(GROUP)
    assert good == pytest.approx([1.5, 1.0])
    assert bad == pytest.approx([-1.5, -1.0])


def test_a_key_that_is_there_once_has_no_score() -> None:
    scores = scores_by_key(np.array([1.0, 5.0, 3.0]), ["a", "b", "a"], scale=False)
    assert scores.tolist() == [-1.0, 0.0, 1.0]


def test_no_episode_has_no_advantage() -> None:
    assert GiGpo().group_advantages(make_group()) == []
