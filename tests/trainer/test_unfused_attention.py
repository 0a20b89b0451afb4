"""Attention in plain products is PyTorch's fused one: outputs and gradients."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface

from tests.trainer.test_picture_forward import make_samples
from trainer.learner import Learner, LearnerConfig
from trainer.tiny_models import make_tiny_model
from trainer.unfused_attention import UNFUSED

MODULE: Any = SimpleNamespace(is_causal=True)
attend = AttentionInterface()[UNFUSED]


def make_inputs() -> tuple[Tensor, Tensor, Tensor]:
    """Query, key and value: two query heads a key head."""
    make = torch.Generator().manual_seed(3)
    shapes = ((1, 4, 9, 8), (1, 2, 9, 8), (1, 2, 9, 8))
    query, key, value = (torch.randn(shape, generator=make).requires_grad_() for shape in shapes)
    return query, key, value


@pytest.mark.parametrize("kind", ["causal", "full", "mask"])
def test_outputs_and_gradients_are_those_of_the_fused_one(kind: str) -> None:
    sample = torch.tensor([0, 0, 0, 1, 1, 1, 1, 2, 2])
    mask = (torch.ones(9, 9).tril().bool() & (sample[:, None] == sample))[None, None]
    own, theirs = make_inputs(), make_inputs()
    out, _ = attend(MODULE, *own, mask if kind == "mask" else None, is_causal=kind == "causal")
    expected = scaled_dot_product_attention(
        *theirs,
        attn_mask=mask if kind == "mask" else None,
        is_causal=kind == "causal",
        enable_gqa=True,
    ).transpose(1, 2)
    torch.testing.assert_close(out, expected)
    out.square().sum().backward()
    expected.square().sum().backward()
    for unfused, fused in zip(own, theirs, strict=True):
        torch.testing.assert_close(unfused.grad, fused.grad)


def test_what_it_does_not_compute_is_refused() -> None:
    with pytest.raises(ValueError, match=r"cannot compute .*softcap"):
        attend(MODULE, *make_inputs(), None, softcap=30.0)


def test_bf16_on_a_cpu_computes_pictures_as_fp32_does(tmp_path: Path) -> None:
    make_tiny_model("qwen3-vl", tmp_path)
    samples = make_samples(tmp_path)
    exact, rounded = (
        Learner(tmp_path, LearnerConfig(dtype=dtype, threads=1)).logprobs(samples)
        for dtype in ("float32", "bfloat16")
    )
    for in_fp32, in_bf16 in zip(exact, rounded, strict=True):
        assert in_fp32 == pytest.approx(in_bf16, abs=0.05)
