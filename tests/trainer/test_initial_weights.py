"""Weights from which a small model learns."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from trainer.initial_weights import EMBEDDING_STD, draw_weights


def make_model() -> nn.ModuleDict:
    return nn.ModuleDict(
        {
            "patches": nn.Conv2d(3, 256, 16),
            "words": nn.Embedding(200, 128),
            "layer": nn.Linear(128, 512),
            "norm": nn.LayerNorm(512),
        }
    )


def test_the_variance_of_an_output_is_that_of_its_inputs() -> None:
    model = make_model()
    draw_weights(model, 0)
    inputs_BD = torch.randn(4000, 128, generator=torch.Generator().manual_seed(1))
    assert model["layer"](inputs_BD).std().item() == pytest.approx(1.0, rel=0.05)
    assert model["patches"].weight.std().item() == pytest.approx((3 * 16 * 16) ** -0.5, rel=0.05)
    assert model["words"].weight.std().item() == pytest.approx(EMBEDDING_STD, rel=0.05)
    assert model["norm"].weight.unique().tolist() == [1.0]


def test_the_same_seed_gives_the_same_weights() -> None:
    first, second, other = make_model(), make_model(), make_model()
    draw_weights(first, 3)
    draw_weights(second, 3)
    draw_weights(other, 4)
    weights = [model["layer"].weight for model in (first, second, other)]
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])
