"""Task advantage normalisation against values worked out by hand."""

from __future__ import annotations

import pytest

from trainer.algorithms.protocol import BatchView, EpisodeView, GroupView, StepView
from trainer.algorithms.task_norm import TaskNorm


def make_group(template: str, *episodes: tuple[float, int]) -> GroupView:
    """Episodes of one step each: (reward, tokens)."""
    return GroupView(
        template=template,
        episodes=tuple(
            EpisodeView(
                reward=reward,
                success=reward >= 1.0,
                steps=(StepView(reward=reward, tokens=tokens),),
            )
            for reward, tokens in episodes
        ),
    )


def numbers(algorithm: TaskNorm, *groups: GroupView) -> list[list[float]]:
    advantages = algorithm.advantages(BatchView(groups=groups))
    return [[value for part in group for value in part] for group in advantages]


def test_advantages_of_a_gym_have_mean_zero_and_deviation_one_over_tokens() -> None:
    # Within the group 1 and -1. Over four tokens: mean (3 - 1) / 4 = 1/2, variance
    # (3 * 1/4 + 9/4) / 4 = 3/4: 1/2 / sqrt(3/4) = 1/sqrt(3), -3/2 / sqrt(3/4) = -sqrt(3).
    (values,) = numbers(TaskNorm(), make_group("shop/price", (1.0, 3), (0.0, 1)))
    assert values == pytest.approx([1 / 3**0.5, -(3**0.5)])


def test_gyms_do_not_mix_and_groups_without_signal_stay_out() -> None:
    shop = make_group("shop/price", (1.0, 3), (0.0, 1))
    flat = make_group("shop/checkout", (1.0, 50), (1.0, 50))
    mail = make_group("mail/reply", (1.0, 1), (0.0, 1))
    own, zeros, other = numbers(TaskNorm(), shop, flat, mail)
    assert own == pytest.approx([1 / 3**0.5, -(3**0.5)])
    assert (zeros, other) == ([0.0, 0.0], [1.0, -1.0])


def test_kinds_may_be_templates() -> None:
    first = make_group("shop/price", (1.0, 1), (0.0, 1))
    second = make_group("shop/checkout", (1.0, 3), (0.0, 1))
    own, other = numbers(TaskNorm(by="template"), first, second)
    assert own == pytest.approx([1.0, -1.0])
    assert other == pytest.approx([1 / 3**0.5, -(3**0.5)])
    # As one kind: tokens 1, -1, three of 1, -1: mean 1/3.
    together = numbers(TaskNorm(), first, second)
    assert together[0][0] == pytest.approx((1 - 1 / 3) / (8 / 9) ** 0.5)
