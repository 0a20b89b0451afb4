"""Decay with length against values worked out by hand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tests.trainer.algorithms.groups import make_group
from trainer.algorithms.length_decay import LengthDecay


def test_short_successes_are_best_and_giving_up_early_is_worst() -> None:
    group = make_group(("ab", 1.0), ("abcd", 1.0), ("a", 0.0))
    group = dataclasses.replace(group, max_steps=10)
    # Rewards 1, 0.5 ** (4/2 - 1) = 0.5, -0.2 * (1 - 1/10) = -0.18: mean 0.44, squared deviations
    # 0.3136, 0.0036, 0.3844, deviation sqrt(0.7016 / 3) = 0.4836.
    values = LengthDecay(decay=0.5, penalty=0.2).episode_advantages(group)
    assert values == pytest.approx([0.56 / 0.4836, 0.06 / 0.4836, -0.62 / 0.4836], rel=1e-3)


def test_a_group_of_failures_is_left_out_and_one_of_successes_may_have_signal() -> None:
    failures = dataclasses.replace(make_group(("a", 0.0), ("ab", 0.0)), max_steps=10)
    assert LengthDecay().episode_advantages(failures).tolist() == [0.0, 0.0]
    successes = make_group(("a", 1.0), ("ab", 1.0))
    assert LengthDecay().episode_advantages(successes) == pytest.approx([1.0, -1.0])
    assert LengthDecay().keeps(np.array([1.0, 1.0]))
    assert not LengthDecay().keeps(np.array([0.0, 0.0]))
