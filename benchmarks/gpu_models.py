"""Models of the real shapes of Qwen3 with random weights, samples for them, and what they cost.

Nothing is downloaded. Operations are those that a step must do: two for each multiplied pair of
numbers, forward and twice that backward; the head for targets only, attention for causal pairs of
one sample only; nothing that is computed again counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

from trainer.samples import Sample

VOCAB = 151_936
DATASHEET_TFLOPS = {"NVIDIA H100 80GB HBM3": 989.0, "NVIDIA H200": 989.0}
"""Dense bf16, by the vendor."""
PROMPT = (1024, 2048)
ANSWER = (64, 256)


@dataclass(frozen=True, slots=True)
class Shape:
    """A decoder with a tied head."""

    hidden: int
    layers: int
    heads: int
    kv_heads: int
    inner: int
    vocab: int = VOCAB
    head_dim: int = 128

    @property
    def layer_parameters(self) -> int:
        """Entries of the matrices of one layer."""
        attention = (2 * self.heads + 2 * self.kv_heads) * self.head_dim * self.hidden
        return attention + 3 * self.hidden * self.inner

    @property
    def parameters(self) -> int:
        """Entries of all matrices, the tied one once."""
        return self.layers * self.layer_parameters + self.vocab * self.hidden


SHAPES = {
    "tiny": Shape(64, 2, 4, 2, 96, vocab=512, head_dim=16),
    "0.6B": Shape(1024, 28, 16, 8, 3072),
    "1.7B": Shape(2048, 28, 16, 8, 6144),
    "4B": Shape(2560, 36, 32, 8, 9728),
}
"""Qwen3's, and one for tests."""


def make_config(shape: Shape) -> Qwen3Config:
    """The config of a published model of this shape."""
    settings: dict[str, Any] = {
        "vocab_size": shape.vocab,
        "hidden_size": shape.hidden,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "num_key_value_heads": shape.kv_heads,
        "head_dim": shape.head_dim,
        "intermediate_size": shape.inner,
        "max_position_embeddings": 40_960,
        "rms_norm_eps": 1e-6,
        "rope_parameters": {"rope_type": "default", "rope_theta": 1e6},
        "tie_word_embeddings": True,
        "attention_bias": False,
        "use_sliding_window": False,
    }
    return Qwen3Config(**settings)


def make_model(
    shape: Shape, device: str, dtype: torch.dtype = torch.bfloat16, seed: int = 0
) -> Qwen3ForCausalLM:
    """Random weights, made on the device."""
    torch.manual_seed(seed)
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        with torch.device(device):
            model = Qwen3ForCausalLM(make_config(shape))
    finally:
        torch.set_default_dtype(before)
    model.tie_weights()
    return model


def make_samples(shape: Shape, tokens: int, seed: int) -> list[Sample]:
    """Steps of episodes with pages as prompts and short answers, about `tokens` in all; none share
    a prompt."""
    rng = np.random.default_rng(seed)
    samples: list[Sample] = []
    while sum(sample.tokens for sample in samples) < tokens:
        answer = int(rng.integers(ANSWER[0], ANSWER[1] + 1))
        samples.append(
            Sample(
                tuple(rng.integers(0, shape.vocab, int(rng.integers(*PROMPT))).tolist()),
                tuple(rng.integers(0, shape.vocab, answer).tolist()),
                tuple((-rng.exponential(0.4, answer)).tolist()),
                advantage=float(rng.normal()),
                rl=1.0,
            )
        )
    return samples


def needed_operations(shape: Shape, samples: Sequence[Sample]) -> float:
    """Floating-point operations that one step over the samples must do."""
    inputs = np.array([sample.input_tokens for sample in samples], dtype=float)
    targets = sum(len(sample.completion_ids) for sample in samples)
    matrices = 6 * shape.layers * shape.layer_parameters * inputs.sum()
    head = 6 * shape.vocab * shape.hidden * targets
    return float(matrices + head + _attention_operations(shape, inputs))


def customary_operations(shape: Shape, samples: Sequence[Sample]) -> float:
    """6 N for each token, and attention: as others count, with the head for every token."""
    inputs = np.array([sample.input_tokens for sample in samples], dtype=float)
    return float(6 * shape.parameters * inputs.sum() + _attention_operations(shape, inputs))


def _attention_operations(shape: Shape, inputs: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    # Two products of Q x S x D for each head, half of the pairs, three passes.
    pairs = float((inputs**2).sum()) / 2
    return 3 * 2 * 2 * shape.layers * shape.heads * shape.head_dim * pairs
