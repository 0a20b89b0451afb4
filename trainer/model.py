"""A small policy from scratch: a standard Qwen3 decoder with untied embeddings.

Acting on a page is mostly looking back and copying. The weights start so that both need not be
learnt from nothing:

- queries and keys of a head start alike and values are passed on nearly unchanged (Mimetic
  Initialization, Trockman & Kolter 2023, arXiv:2305.09828), so that equal tokens attend to each
  other, and the output head starts as the embedding, so that an attended token is predicted;
- one head group of the first two layers starts looking at the token before, the first half of an
  induction head (Olsson et al. 2022, arXiv:2209.11895): a constant feature of all embeddings makes
  a query that rotary positions turn towards distance one.

Only initial values differ: the model is a plain Qwen3ForCausalLM.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

import math
from typing import Literal

import torch
from pydantic import BaseModel, ConfigDict, Field
from torch import Tensor
from transformers import Qwen3Config, Qwen3ForCausalLM
from transformers.models.qwen3.modeling_qwen3 import Qwen3Attention


class ModelConfig(BaseModel):
    """The model that a run begins with: a folder, or the shape of a policy made from scratch."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str | None = Field(
        None,
        description="folder of a model to begin with, with its own tokenizer and chat template, in "
        "a file relative to it; of the keys below only max_model_len counts then",
    )
    family: Literal["deskhand", "qwen2.5-vl", "qwen3-vl", "glm-4.1v"] = Field(
        "deskhand",
        description="made from scratch where there is no path: our own decoder, or a small one of "
        "a family that sees pictures",
    )
    vocab_size: int = Field(1536, ge=300, le=65_536, description="BPE tokens")
    hidden: int = Field(256, ge=64, le=4096, multiple_of=64, description="width of the residual")
    layers: int = Field(4, ge=1, le=64, description="decoder blocks")
    heads: int = Field(
        4, ge=1, le=64, description="query heads of 64 dimensions each, 32 where it sees pictures"
    )
    kv_heads: int = Field(2, ge=1, le=64, description="key/value heads; divides `heads`")
    intermediate: int = Field(704, ge=64, le=16_384, description="width of the MLP")
    max_model_len: int = Field(
        1024,
        ge=256,
        le=131_072,
        description="longest prompt and answer, tokens: of model, server, prompts and packing",
    )
    rope_theta: float = Field(10_000.0, gt=0, description="base of the rotary frequencies")
    vision_hidden: int = Field(
        128, ge=64, le=4096, multiple_of=64, description="width of the vision tower"
    )
    vision_layers: int = Field(2, ge=2, le=64, description="its blocks")
    copy_init: bool = Field(True, description="start with attention that looks back and copies")


HEAD_DIM = 64
_CONSTANT = 3.0
"""Value of the first feature in all embeddings, large beside the others' deviation of 1."""
_PREVIOUS_LAYERS = 2
_PREVIOUS_PAIRS = 10
"""Rotary pairs that the previous-token heads use: the fast ones, which tell distance 1 from 2."""


def new_policy(config: ModelConfig, vocab_size: int, seed: int) -> Qwen3ForCausalLM:
    """A freshly initialised policy in fp32. `vocab_size` is the tokenizer's real size."""
    if config.heads % config.kv_heads:
        raise ValueError(f"kv_heads ({config.kv_heads}) must divide heads ({config.heads})")
    generator_state = torch.random.get_rng_state()
    torch.manual_seed(seed)
    try:
        model: Qwen3ForCausalLM = Qwen3ForCausalLM(
            Qwen3Config(
                vocab_size=vocab_size,
                hidden_size=config.hidden,
                num_hidden_layers=config.layers,
                num_attention_heads=config.heads,
                num_key_value_heads=config.kv_heads,
                head_dim=HEAD_DIM,
                intermediate_size=config.intermediate,
                max_position_embeddings=config.max_model_len,
                rope_parameters={"rope_type": "default", "rope_theta": config.rope_theta},
                tie_word_embeddings=False,
                pad_token_id=0,
                bos_token_id=None,
                eos_token_id=3,
            )
        ).float()
        if config.copy_init:
            _init_to_copy(model, config)
    finally:
        torch.random.set_rng_state(generator_state)
    return model


@torch.no_grad()
def _init_to_copy(model: Qwen3ForCausalLM, config: ModelConfig) -> None:
    """Overwrites embeddings, output head and attention. Random draws are in a fixed order."""
    hidden, group = config.hidden, config.heads // config.kv_heads
    scale = 1 / math.sqrt(hidden)
    embedding_VE = model.model.embed_tokens.weight
    embedding_VE.normal_(0.0, 1.0)
    model.lm_head.weight.copy_(embedding_VE * 0.06)
    for layer in model.model.layers:
        attention = layer.self_attn
        # Wq = Wk + noise: a token's query meets the key of an equal token.
        keys_KDE = torch.randn(config.kv_heads, HEAD_DIM, hidden) * scale
        noise = torch.randn(config.heads * HEAD_DIM, hidden) * scale
        attention.k_proj.weight.copy_(keys_KDE.reshape(-1, hidden))
        attention.q_proj.weight.copy_(
            keys_KDE.repeat_interleave(group, 0).reshape(-1, hidden) + 0.1 * noise
        )
        # Wo = Wv^T / 2: random rows are nearly orthogonal, so Wo Wv passes on a share of its input.
        values_KDE = torch.randn(config.kv_heads, HEAD_DIM, hidden) * scale
        attention.v_proj.weight.copy_(values_KDE.reshape(-1, hidden))
        attention.o_proj.weight.copy_(
            0.5 * values_KDE.repeat_interleave(group, 0).reshape(-1, hidden).T
        )
    # The constant feature tells nothing about a token: the output head ignores it.
    embedding_VE[:, 0] = _CONSTANT
    model.lm_head.weight[:, 0] = 0.0
    for layer in model.model.layers[:_PREVIOUS_LAYERS]:
        _init_previous_token_heads(layer.self_attn, config)


def _init_previous_token_heads(attention: Qwen3Attention, config: ModelConfig) -> None:
    """Makes the first key head and its query heads look at the token before, by position alone."""
    hidden, group = config.hidden, config.heads // config.kv_heads
    query_D, key_D = _previous_token_vectors(config.rope_theta)
    for head in range(group):
        rows = slice(head * HEAD_DIM, (head + 1) * HEAD_DIM)
        attention.q_proj.weight[rows] = 0.02 * torch.randn(HEAD_DIM, hidden)
        attention.q_proj.weight[rows, 0] = 2.0 * query_D
    attention.k_proj.weight[:HEAD_DIM] = 0.02 * torch.randn(HEAD_DIM, hidden)
    attention.k_proj.weight[:HEAD_DIM, 0] = 2.0 * key_D


def _previous_token_vectors(theta: float) -> tuple[Tensor, Tensor]:
    """Query and key [D] whose rotary score sum_f cos(w_f (distance - 1)) is largest at distance 1.

    Rotary pairs are (f, f + D/2); a query turned back by one step meets the key of the token
    before exactly."""
    half = HEAD_DIM // 2
    frequencies = theta ** (-torch.arange(half, dtype=torch.float32) / half)
    amplitude = (torch.arange(half) < _PREVIOUS_PAIRS).float()
    key_D = torch.cat([amplitude, torch.zeros(half)])
    query_D = torch.cat([amplitude * frequencies.cos(), -amplitude * frequencies.sin()])
    return query_D, key_D
