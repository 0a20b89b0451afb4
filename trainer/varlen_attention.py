"""Causal attention in which the samples of a packed row do not see each other, as one operator.

On CUDA it is PyTorch's own flash kernel for sequences of several lengths (FlashAttention-2, Dao
2023, arXiv:2307.08691), in bf16: no mask of T x T exists, and only pairs within a sample are
computed. On a CPU it is the definition, sample by sample: what tests compare with.

An operator of its own, because `torch.compile` takes it as a whole on both.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor

_FORWARD = (
    "(Tensor q, Tensor k, Tensor v, Tensor bounds, SymInt longest, float scale) -> (Tensor, Tensor)"
)
_BACKWARD = (
    "(Tensor grad, Tensor q, Tensor k, Tensor v, Tensor out, Tensor lse, Tensor bounds,"
    " SymInt longest, float scale) -> (Tensor, Tensor, Tensor)"
)


def varlen_attention(
    q_THD: Tensor, k_TKD: Tensor, v_TKD: Tensor, bounds_Z: Tensor, longest: int, scale: float
) -> Tensor:
    """Grouped-query attention [T, H, D]. `bounds_Z` (int32) are the rows at which samples begin,
    and the end of the last one; the longest sample has `longest` rows."""
    out_THD, _ = torch.ops.deskhand.varlen_attention(q_THD, k_TKD, v_TKD, bounds_Z, longest, scale)
    result: Tensor = out_THD
    return result


@torch.library.custom_op(
    "deskhand::varlen_attention", mutates_args=(), device_types="cpu", schema=_FORWARD
)
def _attend(
    q_THD: Tensor, k_TKD: Tensor, v_TKD: Tensor, bounds_Z: Tensor, longest: int, scale: float
) -> tuple[Tensor, Tensor]:
    """Output [T, H, D], and the logarithm of each softmax's denominator [H, T]."""
    out_THD = torch.empty(q_THD.shape, dtype=q_THD.dtype)
    lse_HT = torch.empty(q_THD.shape[1], q_THD.shape[0])
    for rows in _samples(bounds_Z):
        scores_HQS = _scores(q_THD[rows], k_TKD[rows], scale)
        lse_HT[:, rows] = torch.logsumexp(scores_HQS, -1)
        probs_HQS = (scores_HQS - lse_HT[:, rows, None]).exp()
        out_THD[rows] = (
            (probs_HQS @ _spread(v_TKD[rows], q_THD.shape[1])).transpose(0, 1).to(q_THD.dtype)
        )
    return out_THD, lse_HT


@_attend.register_kernel("cuda")
def _attend_on_cuda(
    q_THD: Tensor, k_TKD: Tensor, v_TKD: Tensor, bounds_Z: Tensor, longest: int, scale: float
) -> tuple[Tensor, Tensor]:
    result = torch.ops.aten._flash_attention_forward(
        q_THD.contiguous(),
        k_TKD.contiguous(),
        v_TKD.contiguous(),
        bounds_Z,
        bounds_Z,
        longest,
        longest,
        0.0,
        True,
        False,
        scale=scale,
    )
    return result[0], result[1]


@_attend.register_fake
def _attend_shapes(
    q_THD: Tensor, k_TKD: Tensor, v_TKD: Tensor, bounds_Z: Tensor, longest: int, scale: float
) -> tuple[Tensor, Tensor]:
    return q_THD.new_empty(q_THD.shape), q_THD.new_empty(
        (q_THD.shape[1], q_THD.shape[0]), dtype=torch.float32
    )


@torch.library.custom_op(
    "deskhand::varlen_attention_backward", mutates_args=(), device_types="cpu", schema=_BACKWARD
)
def _attend_backward(
    grad_THD: Tensor,
    q_THD: Tensor,
    k_TKD: Tensor,
    v_TKD: Tensor,
    out_THD: Tensor,
    lse_HT: Tensor,
    bounds_Z: Tensor,
    longest: int,
    scale: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """Gradients of q, k and v, as in `trainer.attention`."""
    heads = q_THD.shape[1]
    grads = tuple(torch.empty(t.shape, dtype=t.dtype) for t in (q_THD, k_TKD, v_TKD))
    for rows in _samples(bounds_Z):
        probs_HQS = (_scores(q_THD[rows], k_TKD[rows], scale) - lse_HT[:, rows, None]).exp()
        grad_HQD = grad_THD[rows].float().transpose(0, 1)
        inner_HQ1 = (grad_HQD * out_THD[rows].float().transpose(0, 1)).sum(-1, keepdim=True)
        d_probs_HQS = grad_HQD @ _spread(v_TKD[rows], heads).transpose(1, 2)
        d_scores_HQS = probs_HQS * (d_probs_HQS - inner_HQ1) * scale
        parts_HQD = (
            d_scores_HQS @ _spread(k_TKD[rows], heads),
            d_scores_HQS.transpose(1, 2) @ q_THD[rows].float().transpose(0, 1),
            probs_HQS.transpose(1, 2) @ grad_HQD,
        )
        for result, part_HQD in zip(grads, parts_HQD, strict=True):
            kept, length = result.shape[1], part_HQD.shape[1]
            # Heads that share keys and values add to the same gradient.
            grouped = part_HQD.view(kept, heads // kept, length, -1).sum(1)
            result[rows] = grouped.transpose(0, 1).to(result.dtype)
    return grads[0], grads[1], grads[2]


@_attend_backward.register_kernel("cuda")
def _attend_backward_on_cuda(
    grad_THD: Tensor,
    q_THD: Tensor,
    k_TKD: Tensor,
    v_TKD: Tensor,
    out_THD: Tensor,
    lse_HT: Tensor,
    bounds_Z: Tensor,
    longest: int,
    scale: float,
) -> tuple[Tensor, Tensor, Tensor]:
    # The state of the dropout that there is none of.
    state = torch.zeros(2, dtype=torch.uint64, device=q_THD.device)
    grads = torch.ops.aten._flash_attention_backward(
        grad_THD.contiguous(),
        q_THD.contiguous(),
        k_TKD.contiguous(),
        v_TKD.contiguous(),
        out_THD,
        lse_HT,
        bounds_Z,
        bounds_Z,
        longest,
        longest,
        0.0,
        True,
        state,
        torch.empty(0, device=q_THD.device),
        scale=scale,
    )
    return grads[0], grads[1], grads[2]


@_attend_backward.register_fake
def _attend_backward_shapes(
    grad_THD: Tensor,
    q_THD: Tensor,
    k_TKD: Tensor,
    v_TKD: Tensor,
    out_THD: Tensor,
    lse_HT: Tensor,
    bounds_Z: Tensor,
    longest: int,
    scale: float,
) -> tuple[Tensor, Tensor, Tensor]:
    return q_THD.new_empty(q_THD.shape), k_TKD.new_empty(k_TKD.shape), v_TKD.new_empty(v_TKD.shape)


def _keep_for_backward(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
    q_THD, k_TKD, v_TKD, bounds_Z, ctx.longest, ctx.scale = inputs
    ctx.save_for_backward(q_THD, k_TKD, v_TKD, *output, bounds_Z)


def _backward(ctx: Any, grad_THD: Tensor, _grad_HT: Tensor) -> tuple[Tensor | None, ...]:
    q_THD, k_TKD, v_TKD, out_THD, lse_HT, bounds_Z = ctx.saved_tensors
    grads = torch.ops.deskhand.varlen_attention_backward(
        grad_THD, q_THD, k_TKD, v_TKD, out_THD, lse_HT, bounds_Z, ctx.longest, ctx.scale
    )
    return (*grads, None, None, None)


_attend.register_autograd(_backward, setup_context=_keep_for_backward)


def _samples(bounds_Z: Tensor) -> Iterator[slice]:
    return (slice(begin, end) for begin, end in pairwise(bounds_Z.tolist()))


def _spread(rows_TKD: Tensor, heads: int) -> Tensor:
    """[H, T, D] fp32: keys or values for each query head."""
    rows_KTD = rows_TKD.float().transpose(0, 1)
    return rows_KTD.repeat_interleave(heads // rows_KTD.shape[0], 0)


def _scores(q_THD: Tensor, k_TKD: Tensor, scale: float) -> Tensor:
    """[H, Q, S] fp32 with the causal mask."""
    q_HTD = q_THD.float().transpose(0, 1)
    scores_HQS = q_HTD @ _spread(k_TKD, q_THD.shape[1]).transpose(1, 2) * scale
    hidden_QS = torch.ones(scores_HQS.shape[1:], dtype=torch.bool).triu(1)
    return scores_HQS.masked_fill(hidden_QS, float("-inf"))
