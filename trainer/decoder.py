"""Qwen3's forward on packed tokens: the same mathematics as transformers' and vLLM's.

    x = embed[ids]
    for each layer:  x = x + Wo attention(rope(norm(Wq h)), rope(norm(Wk h)), Wv h),  h = norm(x)
                     x = x + Wdown (silu(Wgate h) * Wup h),                           h = norm(x)
    logits = Whead norm(x)

(Qwen3 technical report, arXiv:2505.09388.) Differences are in layout only: tokens are one row [T]
without padding; q, k, v and gate, up are one product each; the last layer works on the rows that
predict something, and the output head on their targets.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from trainer.attention import block_attention, plan_full, plan_tails
from trainer.flex_attention import flex_attend, plan_rows
from trainer.kernels import norm_rope, rms_norm, swiglu
from trainer.packing import MicroBatch

Attend = Callable[[Tensor, Tensor, Tensor, float], Tensor]
"""q [R, H, D], k [T, K, D], v [T, K, D], scale -> [R, H * D], by a plan that it holds."""
LAYER_WEIGHTS = ("qkv", "o", "gate_up", "down", "input_norm", "post_norm", "q_norm", "k_norm")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The parts of a Qwen3Config that the forward needs."""

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
    def from_config(cls, config: Any) -> Shape:
        """Raises ValueError for a config that this forward would silently compute wrongly."""
        rope = config.rope_parameters
        unsupported = {
            "model_type": config.model_type != "qwen3",
            "tie_word_embeddings": bool(config.tie_word_embeddings),
            "rope_parameters": rope.get("rope_type", "default") != "default",
            "attention_bias": bool(config.attention_bias),
            "hidden_act": config.hidden_act != "silu",
            "use_sliding_window": bool(config.use_sliding_window),
        }
        for name, is_wrong in unsupported.items():
            if is_wrong:
                raise ValueError(
                    f"the learner cannot train a model whose config has {name}="
                    f"{getattr(config, name)!r}; use Qwen3 with untied embeddings, default rope, "
                    "no attention bias and no sliding window, or learner.backend=transformers"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rotary:
    """cos and sin [T, 1, D/2] of the tokens' angles."""

    cos_T1C: Tensor
    sin_T1C: Tensor

    def select(self, rows_R: Tensor) -> _Rotary:
        return _Rotary(cos_T1C=self.cos_T1C[rows_R], sin_T1C=self.sin_T1C[rows_R])


def _rotary(shape: Shape, positions_T: Tensor, dtype: torch.dtype) -> _Rotary:
    """Computed in fp32, rounded to the compute dtype as engines keep them (RoPE, Su et al. 2021,
    arXiv:2104.09864): angle of pair f at position p = p * theta^(-2f / D)."""
    half = shape.head_dim // 2
    exponent_C = torch.arange(0, shape.head_dim, 2, dtype=torch.float32, device=positions_T.device)
    inverse_C = 1.0 / (shape.rope_theta ** (exponent_C / shape.head_dim))
    angles_TC = positions_T.to(torch.float32)[:, None] * inverse_C[None, :half]
    return _Rotary(
        cos_T1C=angles_TC.cos().to(dtype).float()[:, None],
        sin_T1C=angles_TC.sin().to(dtype).float()[:, None],
    )


def forward(
    shape: Shape, weights: dict[str, Tensor], batch: MicroBatch, embedded_TE: Tensor
) -> Tensor:
    """Final hidden states [R, E] of the tail rows.

    `embedded_TE` is an argument so that the caller can take its gradient and sum it in fp32: summed
    in bf16, most of the contributions to a frequent token's row would be lost."""
    rotary = _rotary(shape, batch.positions_T, embedded_TE.dtype)
    # The plans are the same for every layer: masks are made once.
    full, tails = _plan_attention(batch, embedded_TE.device)
    hidden = embedded_TE  # [T, E]; after the last layer's keys and values [R, E]
    for layer in range(shape.layers):
        w = {name: weights[f"{layer}.{name}"] for name in LAYER_WEIGHTS}
        normed_TE = rms_norm(hidden, w["input_norm"], shape.eps)
        if layer < shape.layers - 1:
            mixed = _attend_full(shape, w, normed_TE, rotary, full)
        else:
            # Nothing reads the last layer's output except the predictions: other rows give keys
            # and values only. From here on the rows are R.
            hidden = hidden[batch.tail_rows_R]
            mixed = _attend_tails(shape, w, normed_TE, rotary, tails, batch.tail_rows_R)
        hidden = hidden + F.linear(mixed, w["o"])
        normed = rms_norm(hidden, w["post_norm"], shape.eps)
        hidden = hidden + F.linear(swiglu(F.linear(normed, w["gate_up"])), w["down"])
    return rms_norm(hidden, weights["norm"], shape.eps)


def _plan_attention(batch: MicroBatch, device: torch.device) -> tuple[Attend, Attend]:
    """Attention of all rows, and of the tails. Blocks of a size that suits a CPU would be thousands
    of small kernels on a GPU."""
    if device.type == "cuda":
        full, tails = plan_rows(batch, device)
        return _attend_by(flex_attend, full), _attend_by(flex_attend, tails)
    return (
        _attend_by(block_attention, plan_full(batch.spans, device)),
        _attend_by(block_attention, plan_tails(batch.spans, device)),
    )


def _attend_by(attention: Callable[..., Tensor], plan: Any) -> Attend:
    return lambda q_RHD, k_TKD, v_TKD, scale: attention(q_RHD, k_TKD, v_TKD, plan, scale)


def _head_norms(shape: Shape, w: dict[str, Tensor]) -> Tensor:
    """[H + K, D]: the norm weights of query and key heads, so that one call normalises both."""
    return torch.cat(
        [
            w["q_norm"].expand(shape.heads, shape.head_dim),
            w["k_norm"].expand(shape.kv_heads, shape.head_dim),
        ]
    )


def _attend_full(
    shape: Shape, w: dict[str, Tensor], normed_TE: Tensor, rotary: _Rotary, attend: Attend
) -> Tensor:
    """[T, H * D]: every token attends."""
    qkv = F.linear(normed_TE, w["qkv"]).view(-1, shape.heads + 2 * shape.kv_heads, shape.head_dim)
    qk_TJD, v_TKD = qkv.split([shape.heads + shape.kv_heads, shape.kv_heads], 1)
    qk_TJD = norm_rope(qk_TJD, _head_norms(shape, w), rotary.cos_T1C, rotary.sin_T1C, shape.eps)
    q_THD, k_TKD = qk_TJD.split([shape.heads, shape.kv_heads], 1)
    return attend(q_THD, k_TKD, v_TKD, shape.head_dim**-0.5)


def _attend_tails(
    shape: Shape,
    w: dict[str, Tensor],
    normed_TE: Tensor,
    rotary: _Rotary,
    attend: Attend,
    rows_R: Tensor,
) -> Tensor:
    """[R, H * D]: only tail rows attend, to the keys of all tokens."""
    norms_JD = _head_norms(shape, w)
    q_width, kv_width = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
    q_RHD = F.linear(normed_TE[rows_R], w["qkv"][:q_width]).view(-1, shape.heads, shape.head_dim)
    kv_T_2KD = F.linear(normed_TE, w["qkv"][q_width:])
    k_TKD = kv_T_2KD[:, :kv_width].view(-1, shape.kv_heads, shape.head_dim)
    v_TKD = kv_T_2KD[:, kv_width:].view(-1, shape.kv_heads, shape.head_dim)
    tail = rotary.select(rows_R)
    q_RHD = norm_rope(q_RHD, norms_JD[: shape.heads], tail.cos_T1C, tail.sin_T1C, shape.eps)
    k_TKD = norm_rope(k_TKD, norms_JD[shape.heads :], rotary.cos_T1C, rotary.sin_T1C, shape.eps)
    return attend(q_RHD, k_TKD, v_TKD, shape.head_dim**-0.5)


def temperature_divisors(batch: MicroBatch, temperature: float) -> Tensor | None:
    """[N] what the logits of each target are divided by; None for 1 everywhere.

    `temperature` is the sampler's, and holds for the tokens that it sampled. Text that no policy
    sampled (an oracle's answer, a page, a probe) has the model's own probability."""
    # Samplers do not divide by 1: skipping it keeps the rounding equal and saves a copy.
    if temperature == 1.0:
        return None
    return torch.where(~torch.isnan(batch.behaviour_N), temperature, 1.0)


def target_log_softmax(
    hidden_RE: Tensor, head_VE: Tensor, batch: MicroBatch, temperature: float
) -> Tensor:
    """[N, V] fp32 log-probabilities at the rows of the targets."""
    logits_NV = F.linear(hidden_RE[batch.target_rows_N], head_VE).float()
    divisor_N = temperature_divisors(batch, temperature)
    if divisor_N is not None:
        logits_NV = logits_NV / divisor_N[:, None]
    return torch.log_softmax(logits_NV, -1)
