"""How a packed row is computed: chosen by device, dtype and family."""

from __future__ import annotations

import pytest
import torch
from transformers import GPT2Config, GPT2LMHeadModel

from tests.trainer.tiny_policy import make_policy
from trainer.packed_forward import BLOCKS, POSITIONS, VARLEN, choose_attention, sample_bounds
from trainer.packing import Span


@pytest.mark.parametrize(
    ("device", "dtype", "expected"),
    [
        ("cpu", torch.bfloat16, BLOCKS),
        ("cpu", torch.float32, BLOCKS),
        ("cuda", torch.bfloat16, VARLEN),
        ("cuda", torch.float32, POSITIONS),
        ("meta", torch.bfloat16, POSITIONS),
    ],
)
def test_flash_kernels_compute_bf16_on_a_gpu(
    device: str, dtype: torch.dtype, expected: str
) -> None:
    assert choose_attention(make_policy(), torch.device(device), dtype) == expected


def test_a_window_is_left_to_transformers() -> None:
    model = make_policy()
    model.config.layer_types = ["full_attention", "sliding_attention"]
    assert choose_attention(model, torch.device("cuda"), torch.bfloat16) == POSITIONS


def test_a_family_without_the_interface_is_left_to_transformers() -> None:
    model = GPT2LMHeadModel(GPT2Config(vocab_size=20, n_embd=8, n_layer=1, n_head=2))
    model._supports_attention_backend = False
    assert choose_attention(model, torch.device("cpu"), torch.float32) == POSITIONS


def test_bounds_are_where_samples_begin() -> None:
    spans = [
        Span(start=0, tail=2, branch=3, end=7, branches=(4,)),
        Span(start=7, tail=8, branch=9, end=10, branches=(1,)),
    ]
    bounds, longest = sample_bounds(spans, torch.device("cpu"))
    assert (bounds.tolist(), longest) == ([0, 7, 10], 7)
    assert bounds.dtype == torch.int32
