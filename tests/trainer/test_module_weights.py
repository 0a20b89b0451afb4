"""A module computes with views of one flat tensor; what it shares is there once."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from trainer.module_weights import ModuleWeights


def make_module() -> nn.Module:
    module = nn.ModuleDict({"embed": nn.Embedding(6, 4), "head": nn.Linear(4, 6)})
    module["head"].weight = module["embed"].weight
    return module


def test_tied_parameters_are_one_and_norms_do_not_decay() -> None:
    module = make_module()
    before = module["embed"].weight.detach().clone()
    weights = ModuleWeights(module, "embed.weight", torch.float32)
    assert weights.shape == {"embed.weight": [6, 4], "head.bias": [6]}
    assert (weights.master_P.numel(), weights.decayed) == (30, 24)
    assert torch.equal(module["head"].weight, before)
    weights.master_P.add_(1.0)
    assert torch.equal(module["head"].weight, before + 1.0), "in fp32 the module uses the master"


def test_a_copy_in_bf16_follows_when_it_is_refreshed() -> None:
    module = make_module()
    module["head"].bias.requires_grad_(False)
    weights = ModuleWeights(module, "embed.weight", torch.bfloat16)
    assert list(weights.leaves) == ["embed.weight"]
    assert module["head"].bias.dtype == torch.float32, "what is not trained stays as it is"
    weights.master_P.fill_(2.0)
    assert not bool((module["head"].weight == 2.0).all())
    weights.refresh()
    assert bool((module["head"].weight == 2.0).all())


def test_a_module_without_trained_parameters_is_refused() -> None:
    with pytest.raises(ValueError, match="no parameter that is trained"):
        ModuleWeights(make_module().requires_grad_(False), "embed.weight", torch.float32)


def test_a_model_in_a_smaller_dtype_gets_a_master_in_fp32() -> None:
    module = make_module().bfloat16()
    before = module["embed"].weight.detach().clone()
    weights = ModuleWeights(module, "embed.weight", torch.float32, torch.device("cpu"))
    assert weights.master_P.dtype == torch.float32
    assert torch.equal(module["head"].weight, before.float())
