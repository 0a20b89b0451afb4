"""HGPO against values worked out by hand."""

from __future__ import annotations

import pytest

from tests.trainer.algorithms.groups import make_group
from trainer.algorithms.hgpo import Hgpo

GROUP = make_group(("ab", 1.0), ("ab", 0.0), ("cb", 1.0))


def test_steps_with_the_same_history_weigh_more() -> None:
    # Without discount every return is its episode's reward.
    # The page alone, weight 2: a has 1, 0, so 1/2, -1/2; b has 1, 0, 1, so 1/3, -2/3, 1/3.
    # Two pages, weight 3: ab has 1, 0, so 1/2, -1/2; cb stands alone and does not count.
    first, second, third = Hgpo(depth=1, discount=1.0, scale=False).group_advantages(GROUP)
    assert first == pytest.approx([1 / 2, (2 * 1 / 3 + 3 * 1 / 2) / 5])
    assert second == pytest.approx([-1 / 2, (2 * -2 / 3 + 3 * -1 / 2) / 5])
    assert third == pytest.approx([0.0, 1 / 3])


def test_without_depth_and_weighting_pages_alone_are_compared() -> None:
    first, second, third = Hgpo(depth=0, discount=1.0, scale=False).group_advantages(GROUP)
    assert first == pytest.approx([1 / 2, 1 / 3])
    assert (second.tolist()[1], third.tolist()[1]) == pytest.approx((-2 / 3, 1 / 3))
    alike = Hgpo(depth=1, alpha=0.0, discount=1.0, scale=False).group_advantages(GROUP)
    assert alike[0][1] == pytest.approx((1 / 3 + 1 / 2) / 2)
