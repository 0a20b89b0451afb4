"""Self-imitation against values worked out by hand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from tests.trainer.algorithms.groups import make_episode, make_group
from trainer.algorithms.protocol import BatchView
from trainer.algorithms.spear import Spear
from trainer.loss_config import LossConfig
from trainer.objective import phase_loss

REPLAYED = dataclasses.replace(make_episode("ab", 1.0), replayed=True)
MIXED = make_group(("a", 1.0), ("a", 0.0))
GROUPS = (
    dataclasses.replace(MIXED, episodes=(*MIXED.episodes, REPLAYED)),
    make_group(("a", 0.0), ("a", 0.0)),
)


@pytest.mark.parametrize(
    ("progress", "replayed"),
    # Means of the new episodes 1/2 and 0, median 1/4, so the success is worth 3/4 at full weight.
    # gamma = (1 - cos(pi * progress / 0.5)) / 2: 0, 1/2 in the middle of the warm-up, 1 after it.
    [(0.0, 0.0), (0.25, 0.375), (0.5, 0.75), (0.9, 0.75)],
)
def test_a_replayed_success_is_compared_with_what_the_policy_reaches_now(
    progress: float, replayed: float
) -> None:
    first, second = Spear().advantages(BatchView(groups=GROUPS, progress=progress))
    assert [part.tolist() for part in first[:2]] == [[0.5], [-0.5]]
    assert first[2] == pytest.approx([replayed, replayed])
    assert [part.tolist() for part in second] == [[0.0], [0.0]]


def test_a_success_of_what_is_mostly_solved_is_not_imitated() -> None:
    solved = make_group(("a", 1.0), ("a", 1.0))
    group = dataclasses.replace(solved, episodes=(*solved.episodes, REPLAYED))
    (advantages,) = Spear().advantages(BatchView(groups=(group,), progress=1.0))
    assert not advantages[2].any()
    assert Spear().advantages(BatchView(groups=())) == []


def test_successes_are_replayed_beside_groups_that_are_not_solved() -> None:
    algorithm = Spear(replayed=2)
    assert [algorithm.replays(np.array(r)) for r in ([1.0, 0.0], [1.0, 1.0], [])] == [2, 0, 0]


def test_tokens_that_take_entropy_away_are_clipped() -> None:
    loss = phase_loss(LossConfig(), Spear())
    assert (loss.covariance, loss.covariance_share, loss.covariance_high) == ("clip", 2e-3, 40.0)
