"""Qwen3's forward pass on packed tokens: same weights, same names, no padding in linear layers.

Guarantees: parity with transformers' Qwen3ForCausalLM on the same weights (tested); norms, rotary
angles and softmax in fp32; logits only where a loss needs them. Attention pads per call: with a
causal mask, padding behind a sample changes nothing before it.

Shapes: T packed tokens, B samples, L longest sample, N predicted tokens, H hidden, D head, V vocab.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from transformers import Qwen3Config

from trainer.packing import Pack

Weights = dict[str, Tensor]


@dataclass(frozen=True, slots=True)
class Shape:
    """What the forward pass needs of a Qwen3Config."""

    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    epsilon: float
    theta: float

    @classmethod
    def of(cls, config: Qwen3Config) -> Shape:
        rope: dict[str, Any] = dict(config.rope_parameters or {})
        return cls(
            layers=config.num_hidden_layers,
            heads=config.num_attention_heads,
            kv_heads=config.num_key_value_heads or config.num_attention_heads,
            head_dim=config.head_dim,
            epsilon=config.rms_norm_eps,
            theta=float(rope["rope_theta"]),
        )


def hidden_states(weights: Weights, shape: Shape, packed: Pack) -> Tensor:
    """Last hidden states of the predicted positions: [N, H]."""
    x_TH = F.embedding(packed.tokens_T, weights["model.embed_tokens.weight"])
    layout = _Layout.of(packed.lengths, packed.tokens_T.device)
    cos_TD, sin_TD = _rotary(packed.positions_T, shape, x_TH.dtype)
    for index in range(shape.layers):
        name = f"model.layers.{index}."
        normed = _norm(x_TH, weights[name + "input_layernorm.weight"], shape.epsilon)
        x_TH = x_TH + _attention(normed, weights, name, shape, layout, cos_TD, sin_TD)
        last = index == shape.layers - 1
        if last:
            x_TH = x_TH[packed.at_N]
        normed = _norm(x_TH, weights[name + "post_attention_layernorm.weight"], shape.epsilon)
        gate = F.silu(F.linear(normed, weights[name + "mlp.gate_proj.weight"]))
        up = F.linear(normed, weights[name + "mlp.up_proj.weight"])
        x_TH = x_TH + F.linear(gate * up, weights[name + "mlp.down_proj.weight"])
    return _norm(x_TH, weights["model.norm.weight"], shape.epsilon)


def logits(weights: Weights, shape: Shape, packed: Pack) -> Tensor:
    """fp32 logits of the predicted positions: [N, V]."""
    return F.linear(hidden_states(weights, shape, packed), weights["lm_head.weight"]).float()


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where packed tokens stand in a padded [B, L] block."""

    batch: int
    longest: int
    slot_T: Tensor

    @classmethod
    def of(cls, lengths: list[int], device: torch.device) -> _Layout:
        longest = max(lengths)
        slots = [torch.arange(length) + row * longest for row, length in enumerate(lengths)]
        return cls(len(lengths), longest, torch.cat(slots).to(device))

    def padded(self, x_TKD: Tensor) -> Tensor:
        """[T, K, D] -> [B, K, L, D]"""
        heads, width = x_TKD.shape[1:]
        block = x_TKD.new_zeros(self.batch * self.longest, heads, width)
        block = block.index_copy(0, self.slot_T, x_TKD)
        return block.view(self.batch, self.longest, heads, width).transpose(1, 2)

    def packed(self, x_BKLD: Tensor) -> Tensor:
        """[B, K, L, D] -> [T, K * D]"""
        batch, heads, longest, width = x_BKLD.shape
        flat = x_BKLD.transpose(1, 2).reshape(batch * longest, heads * width)
        return flat[self.slot_T]


def _attention(
    x_TH: Tensor,
    weights: Weights,
    name: str,
    shape: Shape,
    layout: _Layout,
    cos_TD: Tensor,
    sin_TD: Tensor,
) -> Tensor:
    tokens = x_TH.shape[0]
    name += "self_attn."

    def heads(kind: str, count: int) -> Tensor:
        projected = F.linear(x_TH, weights[f"{name}{kind}_proj.weight"])
        return projected.view(tokens, count, shape.head_dim)

    query = _norm(heads("q", shape.heads), weights[name + "q_norm.weight"], shape.epsilon)
    key = _norm(heads("k", shape.kv_heads), weights[name + "k_norm.weight"], shape.epsilon)
    value = heads("v", shape.kv_heads)
    group = shape.heads // shape.kv_heads
    key, value = (
        layout.padded(part).repeat_interleave(group, 1)
        for part in (_rotate(key, cos_TD, sin_TD), value)
    )
    mixed = F.scaled_dot_product_attention(
        layout.padded(_rotate(query, cos_TD, sin_TD)), key, value, is_causal=True
    )
    return F.linear(layout.packed(mixed), weights[name + "o_proj.weight"])


def _norm(x: Tensor, weight: Tensor, epsilon: float) -> Tensor:
    """RMSNorm over the last dimension, in fp32, back to the input's dtype."""
    wide = x.float()
    wide = wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + epsilon)
    return weight * wide.to(x.dtype)


def _rotary(positions_T: Tensor, shape: Shape, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Cosines and sines of the rotary angles: [T, 1, D] each."""
    half = torch.arange(0, shape.head_dim, 2, device=positions_T.device, dtype=torch.float32)
    angles = positions_T[:, None].float() * shape.theta ** (-half / shape.head_dim)
    angles = torch.cat([angles, angles], -1)[:, None, :]
    return angles.cos().to(dtype), angles.sin().to(dtype)


def _rotate(x_TKD: Tensor, cos_TD: Tensor, sin_TD: Tensor) -> Tensor:
    first, second = x_TKD.chunk(2, -1)
    return x_TKD * cos_TD + torch.cat([-second, first], -1) * sin_TD
