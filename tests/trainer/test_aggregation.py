"""Weights of tokens for means over steps, episodes and tasks, worked out by hand."""

from __future__ import annotations

import pytest

from trainer.aggregation import Place, aggregate
from trainer.loss_config import Unit
from trainer.losses import StreamCounts
from trainer.samples import Sample

# Task 0: an episode of an answer of three tokens, and one of two answers of one token each;
# task 1: an episode of one answer of one token. Six tokens, four steps, three episodes, two tasks.
PLACES = [Place(0, 0, 0), Place(0, 1, 0), Place(0, 1, 1), Place(1, 0, 0)]
SAMPLES = [
    Sample((1,), tuple(range(2, 2 + length)), advantage=1.0, rl=1.0) for length in (3, 1, 1, 1)
]


@pytest.mark.parametrize(
    ("unit", "weights"),
    [
        ("token", [1, 1, 1, 1]),
        # 6 tokens / (4 steps x tokens of the step)
        ("step", [6 / 12, 6 / 4, 6 / 4, 6 / 4]),
        # 6 tokens / (3 episodes x tokens of the episode)
        ("episode", [6 / 9, 6 / 6, 6 / 6, 6 / 3]),
        # 6 tokens / (2 tasks x tokens of the task)
        ("task", [6 / 10, 6 / 10, 6 / 10, 6 / 2]),
    ],
)
def test_every_unit_weighs_the_same(unit: Unit, weights: list[float]) -> None:
    weighed = aggregate(SAMPLES, PLACES, unit)
    assert [sample.rl for sample in weighed] == pytest.approx(weights)
    # The learner's count stays that of tokens, so all weights together are the number of tokens.
    assert StreamCounts.of(weighed).rl == 6
    total = sum(float(s.rl) * len(s.completion_ids) for s in weighed)  # type: ignore[arg-type]
    assert total == pytest.approx(6)


def test_what_has_no_advantage_is_no_unit() -> None:
    inert = Sample((1,), (2, 3), advantage=0.0, rl=1.0)
    weighed = aggregate([*SAMPLES, inert], [*PLACES, Place(2, 0, 0)], "task")
    assert [sample.rl for sample in weighed] == pytest.approx([0.6, 0.6, 0.6, 3.0, 1.0])
    assert aggregate([inert], [PLACES[0]], "step") == [inert]


def test_weights_of_single_tokens_are_scaled() -> None:
    sample = Sample((1,), (2, 3), advantage=1.0, rl=(0.5, 0.0))
    other = Sample((1,), (4,), advantage=1.0, rl=1.0)
    weighed = aggregate([sample, other, other], PLACES[:3], "episode")
    # Three reinforced tokens, two episodes: 3 / (2 x 1) and 3 / (2 x 2).
    assert [s.rl for s in weighed] == [(0.75, 0.0), 0.75, 0.75]
