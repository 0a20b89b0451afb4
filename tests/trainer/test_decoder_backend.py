"""The decoder's weights are one memory under two sets of names; a micro-batch gives gradients and
changes nothing else."""

from __future__ import annotations

import pytest
import torch

from tests.trainer.tiny_policy import make_policy, make_samples
from trainer.decoder import Shape
from trainer.decoder_backend import FlatWeights, compute_gradients, target_logprobs
from trainer.loss_config import LossConfig
from trainer.losses import StreamCounts
from trainer.packing import MicroBatch, pack

SAMPLES = make_samples(count=4)
COUNTS = StreamCounts.of(SAMPLES)


def make_weights(dtype: torch.dtype) -> FlatWeights:
    model = make_policy()
    flat = FlatWeights(Shape.from_config(model.config), dtype, torch.device("cpu"))
    flat.load_hf(model.state_dict())
    return flat


@pytest.fixture
def weights() -> FlatWeights:
    return make_weights(torch.float32)


@pytest.fixture
def bf16_weights() -> FlatWeights:
    return make_weights(torch.bfloat16)


@pytest.fixture
def batch() -> MicroBatch:
    (packed,) = pack(SAMPLES, 4096)
    return packed


def test_every_matrix_gets_a_gradient_and_weights_are_only_read(
    weights: FlatWeights, batch: MicroBatch
) -> None:
    before = weights.compute_P.clone()
    result = compute_gradients(
        weights,
        None,
        batch,
        before_L=[None] * len(SAMPLES),
        counts=COUNTS,
        loss_config=LossConfig(),
        temperature=1.0,
    )
    assert torch.equal(weights.compute_P, before)
    assert result.grads.keys() == weights.compute_views.keys() - {"embed"}
    assert all(bool(grad.any()) for grad in result.grads.values())
    assert result.embed_grad_TE.shape == (len(batch.ids_T), 64)
    assert result.sums["completion"] == sum(len(s.completion_ids) for s in SAMPLES)


def test_without_an_update_the_present_logprobs_are_the_proximal_ones(
    weights: FlatWeights, batch: MicroBatch
) -> None:
    current_N = target_logprobs(weights, batch, 1.0)
    rows = dict(batch.completions)
    older = [None, current_N[rows[1]] - 0.5, None, None]
    result = compute_gradients(
        weights,
        None,
        batch,
        before_L=older,
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


def test_transformers_names_and_the_decoders_are_views_of_the_same_memory(
    bf16_weights: FlatWeights,
) -> None:
    hf = bf16_weights.hf_views(bf16_weights.master_P)
    for name, value in make_policy().state_dict().items():
        assert torch.equal(hf[name], value), name
    fused = bf16_weights.views(bf16_weights.master_P)["0.qkv"]
    parts = [hf[f"model.layers.0.self_attn.{name}_proj.weight"] for name in "qkv"]
    assert torch.equal(fused, torch.cat(parts))
    hf["model.layers.0.self_attn.k_proj.weight"].zero_()
    assert not fused[128:192].any()


def test_every_entry_belongs_to_one_matrix_and_norms_do_not_decay(
    bf16_weights: FlatWeights,
) -> None:
    views = bf16_weights.views(bf16_weights.master_P)
    assert sum(view.numel() for view in views.values()) == bf16_weights.master_P.numel()
    decayed = sum(view.numel() for view in views.values() if view.dim() == 2)
    assert decayed == bf16_weights.decayed


def test_the_compute_copy_follows_the_master_when_refreshed(bf16_weights: FlatWeights) -> None:
    bf16_weights.master_P.fill_(1.5)
    assert not bool((bf16_weights.compute_P == 1.5).all())
    bf16_weights.refresh()
    assert bool((bf16_weights.compute_views["head"] == 1.5).all())


def test_a_state_that_does_not_fit_is_refused(bf16_weights: FlatWeights) -> None:
    state = make_policy().state_dict()
    state["lm_head.bias"] = state.pop("lm_head.weight")
    with pytest.raises(ValueError, match=r"missing \['lm_head.weight'\], unknown \['lm_head.bias'"):
        bf16_weights.load_hf(state)
    state = make_policy().state_dict() | {"model.norm.weight": torch.zeros(3)}
    with pytest.raises(ValueError, match=r"model\.norm\.weight has shape \(3,\)"):
        bf16_weights.load_hf(state)
