"""Which tokens clip-cov and kl-cov choose, worked out by hand."""

from __future__ import annotations

import numpy as np

from trainer.covariance import regularise
from trainer.loss_config import LossConfig
from trainer.losses import StreamCounts
from trainer.samples import Sample

# log p: -1, -5, -1, -5, mean -3; advantages: 1, 1, -1, -1, mean 0.
# Covariances: (-1 + 3) * 1 = 2, (-5 + 3) * 1 = -2, (-1 + 3) * -1 = -2, (-5 + 3) * -1 = 2.
GOOD = Sample((1,), (2, 3), (-1.0, -5.0), advantage=1.0, rl=1.0)
BAD = Sample((1,), (4, 5), (-1.0, -5.0), advantage=-1.0, rl=1.0)


def choose(config: LossConfig, *samples: Sample) -> list[Sample]:
    return regularise(samples, config, np.random.default_rng(0))


def test_clipping_leaves_tokens_within_the_range_out_of_the_gradient() -> None:
    good, bad = choose(LossConfig(covariance="clip", covariance_share=1.0), GOOD, BAD)
    assert (good.rl, bad.rl) == ((0.0, 1.0), (1.0, 0.0))
    # A share of 1/4 is one of the two that are in the range.
    parts = choose(LossConfig(covariance="clip", covariance_share=0.25), GOOD, BAD)
    assert sum(StreamCounts.of([part]).rl for part in parts) == 3
    beyond = choose(LossConfig(covariance="clip", covariance_high=1.5), GOOD, BAD)
    assert beyond == [GOOD, BAD]


def test_holding_pulls_the_foremost_back_and_keeps_their_gradient() -> None:
    config = LossConfig(covariance="hold", covariance_share=0.5, covariance_kl=0.3)
    good, bad = choose(config, GOOD, BAD)
    assert (good.proximal_kl, bad.proximal_kl) == ((0.3, 0.0), (0.0, 0.3))
    assert (good.rl, bad.rl) == (1.0, 1.0)
    # At least one token, the first of the largest.
    few = choose(config.model_copy(update={"covariance_share": 1e-9}), GOOD, BAD)
    assert [sample.proximal_kl for sample in few] == [(0.3, 0.0), 0.0]


def test_tokens_that_are_not_reinforced_are_not_looked_at() -> None:
    text = Sample((1,), (6, 7), ce=1.0)
    inert = Sample((1,), (6,), (-30.0,), advantage=0.0, rl=1.0)
    config = LossConfig(covariance="hold", covariance_share=0.5)
    good, own_text, own_inert, bad = choose(config, GOOD, text, inert, BAD)
    assert (own_text, own_inert) == (text, inert)
    assert (good.proximal_kl, bad.proximal_kl) == ((1.0, 0.0), (0.0, 1.0))
    assert choose(config, text, inert) == [text, inert]


def test_nothing_is_chosen_unless_it_is_asked_for() -> None:
    assert choose(LossConfig(), GOOD, BAD) == [GOOD, BAD]
