"""One micro-batch: gradients are returned, and nothing else changes."""

from __future__ import annotations

import pytest
import torch

from tests.trainer.tiny_policy import make_policy, make_samples
from trainer.decoder import Shape
from trainer.losses import LossConfig, StreamCounts
from trainer.micro_step import compute_gradients, target_logprobs
from trainer.packing import MicroBatch, pack
from trainer.weights import FlatWeights

SAMPLES = make_samples(count=4)
COUNTS = StreamCounts.of(SAMPLES)


@pytest.fixture
def weights() -> FlatWeights:
    model = make_policy()
    flat = FlatWeights(Shape.from_config(model.config), torch.float32, torch.device("cpu"))
    flat.load_hf(model.state_dict())
    return flat


@pytest.fixture
def batch() -> MicroBatch:
    (packed,) = pack(SAMPLES, 4096)
    return packed


def test_every_matrix_gets_a_gradient_and_weights_are_only_read(
    weights: FlatWeights, batch: MicroBatch
) -> None:
    before = weights.compute.clone()
    result = compute_gradients(
        weights,
        None,
        batch,
        before=[None] * len(SAMPLES),
        counts=COUNTS,
        loss_config=LossConfig(),
        temperature=1.0,
    )
    assert torch.equal(weights.compute, before)
    assert result.grads.keys() == weights.compute_views.keys() - {"embed"}
    assert all(bool(grad.any()) for grad in result.grads.values())
    assert result.embed_grad_TE.shape == (len(batch.ids_T), 64)
    assert result.sums["completion"] == sum(len(s.completion_ids) for s in SAMPLES)


def test_without_an_update_the_present_logprobs_are_the_proximal_ones(
    weights: FlatWeights, batch: MicroBatch
) -> None:
    current_N = target_logprobs(weights, batch, 1.0)
    rows = dict(batch.completion_rows())
    older = [None, current_N[rows[1]] - 0.5, None, None]
    result = compute_gradients(
        weights,
        None,
        batch,
        before=older,
        counts=COUNTS,
        loss_config=LossConfig(),
        temperature=1.0,
    )
    for place in (0, 2, 3):
        torch.testing.assert_close(result.proximal_N[rows[place]], current_N[rows[place]])
    assert torch.equal(result.proximal_N[rows[1]], older[1])


def test_a_higher_temperature_flattens_the_distribution(
    weights: FlatWeights, batch: MicroBatch
) -> None:
    cold, hot = target_logprobs(weights, batch, 1.0), target_logprobs(weights, batch, 100.0)
    assert hot.std() < cold.std()
