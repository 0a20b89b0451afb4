"""Shapes have the parameters of their models; operations are those that a forward makes."""

from __future__ import annotations

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from benchmarks.gpu_models import (
    SHAPES,
    customary_operations,
    make_model,
    make_samples,
    needed_operations,
)
from trainer.samples import Sample

TINY = SHAPES["tiny"]


def test_published_sizes_have_their_parameters() -> None:
    sizes = {name: round(shape.parameters / 1e9, 2) for name, shape in SHAPES.items()}
    assert sizes == {"tiny": 0.0, "0.6B": 0.6, "1.7B": 1.72, "4B": 4.02}


def test_parameters_are_those_of_the_model() -> None:
    matrices = [p.numel() for p in make_model(TINY, "cpu").parameters() if p.ndim == 2]
    assert sum(matrices) == TINY.parameters


def test_operations_are_three_forwards_with_half_of_the_attention() -> None:
    model = make_model(TINY, "cpu", torch.float32)
    model.set_attn_implementation("eager")
    sample = Sample(tuple(range(20)), tuple(range(5)))
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        model(input_ids=torch.arange(sample.input_tokens)[None])
    attention = 2 * 2 * TINY.layers * TINY.heads * TINY.head_dim * sample.input_tokens**2
    forward = counter.get_total_flops() - attention / 2
    assert customary_operations(TINY, [sample]) == pytest.approx(3 * forward)
    unread = 6 * TINY.vocab * TINY.hidden * (sample.input_tokens - 5)
    assert needed_operations(TINY, [sample]) == customary_operations(TINY, [sample]) - unread


def test_samples_have_long_prompts_of_their_own() -> None:
    samples = make_samples(TINY, 6000, 0)
    assert 6000 <= sum(sample.tokens for sample in samples) < 9000
    assert all(1024 <= len(sample.prompt_ids) < 2048 for sample in samples)
    assert len({sample.prompt_ids for sample in samples}) == len(samples)
