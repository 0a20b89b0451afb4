"""Qwen3's forward on unpadded tokens: the same mathematics as transformers' and vLLM's.

Differences are in layout only: tokens are a flat row [T, H] without padding; q, k, v and gate, up
are one product each; the last layer works on the rows that predict something, and the output head
on their targets. RMSNorm and rotary embedding are computed in fp32 inside one autograd function
each and rounded where the serving engine rounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd.function import once_differentiable

from trainer.attention import block_attention, plan_full, plan_tails
from trainer.packing import MicroBatch


@dataclass(frozen=True, slots=True)
class Shape:
    """What of a Qwen3Config the forward needs."""

    vocab: int
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate: int
    eps: float
    rope_theta: float

    @classmethod
    def of(cls, config: Any) -> Shape:
        """Refuses what this forward would silently compute wrongly."""
        rope = config.rope_parameters
        unsupported = {
            "model_type": config.model_type != "qwen3",
            "tie_word_embeddings": bool(config.tie_word_embeddings),
            "rope_parameters": rope.get("rope_type", "default") != "default",
            "attention_bias": bool(config.attention_bias),
            "hidden_act": config.hidden_act != "silu",
            "use_sliding_window": bool(config.use_sliding_window),
        }
        for name, wrong in unsupported.items():
            if wrong:
                raise ValueError(
                    f"the learner cannot train a model whose config has {name}="
                    f"{getattr(config, name)!r}; use Qwen3 with untied embeddings, default rope, "
                    "no attention bias and no sliding window"
                )
        return cls(
            vocab=config.vocab_size,
            hidden=config.hidden_size,
            layers=config.num_hidden_layers,
            heads=config.num_attention_heads,
            kv_heads=config.num_key_value_heads,
            head_dim=config.head_dim,
            intermediate=config.intermediate_size,
            eps=config.rms_norm_eps,
            rope_theta=rope["rope_theta"],
        )


class RmsNorm(torch.autograd.Function):
    """x [..., H], weight [H]."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, eps: float) -> Tensor:
        wide = x.float()
        inverse = torch.rsqrt(wide.square().mean(-1, keepdim=True) + eps)
        ctx.save_for_backward(x, weight, inverse)
        return (wide * inverse).mul_(weight.float()).to(x.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, None]:
        x, weight, inverse = ctx.saved_tensors
        unit = x.float().mul_(inverse)
        wide = grad.float()
        weight_grad = (wide * unit).sum(0)
        wide = wide.mul_(weight.float())
        inner = (wide * unit).mean(-1, keepdim=True)
        return (
            wide.sub_(unit.mul_(inner)).mul_(inverse).to(x.dtype),
            weight_grad.to(weight.dtype),
            None,
        )


class NormRope(torch.autograd.Function):
    """RMSNorm of every head, then rotary embedding: x [T, N, D], weight [N, D], cos [T, 1, D/2]."""

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, weight: Tensor, cos: Tensor, sin: Tensor, eps: float
    ) -> Tensor:
        wide = x.float()
        inverse = torch.rsqrt(wide.square().mean(-1, keepdim=True) + eps)
        ctx.save_for_backward(x, weight, inverse, cos, sin)
        normed = (wide * inverse).mul_(weight.float())
        if x.dtype != torch.float32:
            normed = normed.to(x.dtype).float()
        left, right = normed.chunk(2, -1)
        return torch.cat([left * cos - right * sin, right * cos + left * sin], -1).to(x.dtype)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        x, weight, inverse, cos, sin = ctx.saved_tensors
        left, right = grad.float().chunk(2, -1)
        wide = torch.cat([left * cos + right * sin, right * cos - left * sin], -1)
        unit = x.float().mul_(inverse)
        weight_grad = (wide * unit).sum(0)
        wide = wide.mul_(weight.float())
        inner = (wide * unit).mean(-1, keepdim=True)
        return (
            wide.sub_(unit.mul_(inner)).mul_(inverse).to(x.dtype),
            weight_grad.to(weight.dtype),
            None,
            None,
            None,
        )


class SwiGlu(torch.autograd.Function):
    """silu(gate) * up for [T, 2 I] = [gate, up]."""

    @staticmethod
    def forward(ctx: Any, both: Tensor) -> Tensor:
        ctx.save_for_backward(both)
        gate, up = both.chunk(2, -1)
        return F.silu(gate).mul_(up)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (both,) = ctx.saved_tensors
        gate, up = both.chunk(2, -1)
        result = torch.empty_like(both)
        grad_gate, grad_up = result.chunk(2, -1)
        torch.mul(grad, F.silu(gate), out=grad_up)
        torch.ops.aten.silu_backward.grad_input(grad * up, gate, grad_input=grad_gate)
        return result


def _rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    return cast(Tensor, RmsNorm.apply(x, weight, eps))  # type: ignore[no-untyped-call]


def _norm_rope(x: Tensor, weight: Tensor, cos: Tensor, sin: Tensor, eps: float) -> Tensor:
    return cast(Tensor, NormRope.apply(x, weight, cos, sin, eps))  # type: ignore[no-untyped-call]


def _swiglu(both: Tensor) -> Tensor:
    return cast(Tensor, SwiGlu.apply(both))  # type: ignore[no-untyped-call]


def rotary(shape: Shape, positions: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """cos, sin [T, 1, D/2] in fp32, rounded to the compute dtype as engines keep them."""
    half = shape.head_dim // 2
    exponent = torch.arange(0, shape.head_dim, 2, dtype=torch.float32, device=positions.device)
    inverse = 1.0 / (shape.rope_theta ** (exponent / shape.head_dim))
    angles = positions.to(torch.float32)[:, None] * inverse[None, :half]
    return (
        angles.cos().to(dtype).float()[:, None],
        angles.sin().to(dtype).float()[:, None],
    )


def forward(
    shape: Shape, weights: dict[str, Tensor], batch: MicroBatch, embedded: Tensor
) -> Tensor:
    """Final hidden states [R, H] of the tail rows. `embedded` [T, H] is given so that the caller
    can take its gradient in fp32: summed in bf16, most of a frequent token's rows would be lost."""
    device = embedded.device
    cos, sin = rotary(shape, batch.positions, embedded.dtype)
    full, tails = plan_full(batch.spans, device), plan_tails(batch.spans, device)
    q_width, kv_width = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
    scale = shape.head_dim**-0.5
    hidden = embedded
    for layer in range(shape.layers):
        last = layer == shape.layers - 1
        w = {name: weights[f"{layer}.{name}"] for name in LAYER_WEIGHTS}
        norm_weight = torch.cat(
            [
                w["q_norm"].expand(shape.heads, shape.head_dim),
                w["k_norm"].expand(shape.kv_heads, shape.head_dim),
            ]
        )
        normed = _rms_norm(hidden, w["input_norm"], shape.eps)
        if last:
            rows = batch.tail_rows
            hidden = hidden[rows]
            q = F.linear(normed[rows], w["qkv"][:q_width]).view(-1, shape.heads, shape.head_dim)
            kv = F.linear(normed, w["qkv"][q_width:])
            k = kv[:, :kv_width].view(-1, shape.kv_heads, shape.head_dim)
            v = kv[:, kv_width:].view(-1, shape.kv_heads, shape.head_dim)
            q = _norm_rope(q, norm_weight[: shape.heads], cos[rows], sin[rows], shape.eps)
            k = _norm_rope(k, norm_weight[shape.heads :], cos, sin, shape.eps)
        else:
            qkv = F.linear(normed, w["qkv"]).view(
                -1, shape.heads + 2 * shape.kv_heads, shape.head_dim
            )
            qk, v = qkv.split([shape.heads + shape.kv_heads, shape.kv_heads], 1)
            qk = _norm_rope(qk, norm_weight, cos, sin, shape.eps)
            q, k = qk.split([shape.heads, shape.kv_heads], 1)
        mixed = block_attention(q, k, v, tails if last else full, scale)
        hidden = hidden + F.linear(mixed, w["o"])
        normed = _rms_norm(hidden, w["post_norm"], shape.eps)
        hidden = hidden + F.linear(_swiglu(F.linear(normed, w["gate_up"])), w["down"])
    return _rms_norm(hidden, weights["norm"], shape.eps)


LAYER_WEIGHTS = ("qkv", "o", "gate_up", "down", "input_norm", "post_norm", "q_norm", "k_norm")


def target_log_softmax(
    hidden: Tensor, head: Tensor, batch: MicroBatch, temperature: float
) -> Tensor:
    """[N, V] fp32 log-probabilities at the rows of the targets."""
    logits = F.linear(hidden[batch.target_rows], head).float()
    if temperature != 1.0:
        logits = logits / temperature
    return torch.log_softmax(logits, -1)
