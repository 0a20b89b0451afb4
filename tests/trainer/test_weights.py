"""One memory under two sets of names."""

from __future__ import annotations

import pytest
import torch

from tests.trainer.tiny_policy import make_policy
from trainer.decoder import Shape
from trainer.weights import FlatWeights


@pytest.fixture
def weights() -> FlatWeights:
    model = make_policy()
    flat = FlatWeights(Shape.from_config(model.config), torch.bfloat16, torch.device("cpu"))
    flat.load_hf(model.state_dict())
    return flat


def test_transformers_names_and_the_decoders_are_views_of_the_same_memory(
    weights: FlatWeights,
) -> None:
    hf = weights.hf_views(weights.master)
    for name, value in make_policy().state_dict().items():
        assert torch.equal(hf[name], value), name
    fused = weights.views(weights.master)["0.qkv"]
    parts = [hf[f"model.layers.0.self_attn.{name}_proj.weight"] for name in "qkv"]
    assert torch.equal(fused, torch.cat(parts))
    hf["model.layers.0.self_attn.k_proj.weight"].zero_()
    assert not fused[128:192].any()


def test_every_entry_belongs_to_one_matrix_and_norms_do_not_decay(weights: FlatWeights) -> None:
    views = weights.views(weights.master)
    assert sum(view.numel() for view in views.values()) == weights.master.numel()
    decayed = sum(view.numel() for view in views.values() if view.dim() == 2)
    assert decayed == weights.decayed


def test_the_compute_copy_follows_the_master_when_refreshed(weights: FlatWeights) -> None:
    weights.master.fill_(1.5)
    assert not bool((weights.compute == 1.5).all())
    weights.refresh()
    assert bool((weights.compute_views["head"] == 1.5).all())


def test_a_state_that_does_not_fit_is_refused(weights: FlatWeights) -> None:
    state = make_policy().state_dict()
    state["lm_head.bias"] = state.pop("lm_head.weight")
    with pytest.raises(ValueError, match=r"missing \['lm_head.weight'\], unknown \['lm_head.bias'"):
        weights.load_hf(state)
    state = make_policy().state_dict() | {"model.norm.weight": torch.zeros(3)}
    with pytest.raises(ValueError, match=r"model\.norm\.weight has shape \(3,\)"):
        weights.load_hf(state)
