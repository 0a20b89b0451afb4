"""Causal attention over a packed row of bundles, with a backward written out by hand.

    P = softmax(scale * Q K^T + mask),   O = P V
    dV = P^T dO,   dS = P * (dO V^T - rowsum(dO * O)),   dQ = scale * dS K,   dK = scale * dS^T Q

(the backward of FlashAttention-2, Dao 2023, arXiv:2307.08691, section 3.1, with P kept instead of
computed again). Scores and their softmax are fp32, as the serving engine computes them;
probabilities and values are multiplied in the compute dtype. Queries are taken in blocks that see
only the keys up to their own end, so about half of the score matrix is never computed. On a CPU
this takes half the time of PyTorch's flash kernel for sequences of a few hundred tokens; on other
devices it is correct too.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from trainer.packing import Span

QUERY_BLOCK = 128
"""Queries a block: smaller ones skip more of the upper triangle but cost more calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Queries [q0, q1) see keys [k0, k1). `mask_QM` (0 or -inf) is added to the scores of the last
    M keys only: all keys before those are visible to every query of the block."""

    q0: int
    q1: int
    k0: int
    k1: int
    mask_QM: Tensor

    @property
    def queries(self) -> slice:
        """Rows of the queries."""
        return slice(self.q0, self.q1)

    @property
    def keys(self) -> slice:
        """Rows of the keys and values."""
        return slice(self.k0, self.k1)


@lru_cache(maxsize=8)
def _make_causal_mask(size: int, device: torch.device) -> Tensor:
    return torch.full((size, size), float("-inf"), device=device).triu(1)


def causal_mask(size: int, device: torch.device) -> Tensor:
    """[size, size], a view of a larger cached one: sizes are rounded up to few different ones."""
    # The top left corner of a causal mask is a causal mask.
    cached_size = max(QUERY_BLOCK, 1 << (size - 1).bit_length())
    return _make_causal_mask(cached_size, device)[:size, :size]


def _branch_mask(span: Span, device: torch.device) -> Tensor:
    """Rows and columns: the prompt's last token, then the inputs of each completion.

    Completions lie behind one another in the row but are alternatives: a causal mask alone would
    let the second one read the first. Only the diagonal blocks are open."""
    size = span.end - span.branch + 1
    mask_QM = torch.full((size, size), float("-inf"), device=device)
    # Every completion reads the prompt's last token; those before it need no mask.
    mask_QM[:, 0] = 0.0
    begin = 1
    for length in span.branches:
        end = begin + length
        mask_QM[begin:end, begin:end] = causal_mask(length, device)
        begin = end
    return mask_QM


def plan_full(spans: Sequence[Span], device: torch.device) -> list[Block]:
    """Blocks in which every row of T is a query."""
    blocks: list[Block] = []
    for span in spans:
        # A single completion simply continues the prompt: one causal triangle over both.
        several = sum(length > 0 for length in span.branches) > 1
        causal_end = span.branch if several else span.end
        for q0 in range(span.start, causal_end, QUERY_BLOCK):
            q1 = min(q0 + QUERY_BLOCK, causal_end)
            mask_QM = causal_mask(q1 - q0, device)
            blocks.append(Block(q0=q0, q1=q1, k0=span.start, k1=q1, mask_QM=mask_QM))
        if several:
            # The row of the prompt's last token is a query of the causal part already.
            mask_QM = _branch_mask(span, device)[1:]
            blocks.append(
                Block(q0=span.branch, q1=span.end, k0=span.start, k1=span.end, mask_QM=mask_QM)
            )
    return blocks


def plan_tails(spans: Sequence[Span], device: torch.device) -> list[Block]:
    """Blocks in which only the tails are queries: `q0` and `q1` are rows of R, keys rows of T."""
    blocks: list[Block] = []
    offset = 0
    for span in spans:
        size = span.end - span.tail
        if span.tail == span.branch - 1:
            mask_QM = _branch_mask(span, device)
            blocks.append(
                Block(q0=offset, q1=offset + size, k0=span.start, k1=span.end, mask_QM=mask_QM)
            )
        else:
            # The prompt is a target: the tail is the whole bundle.
            shift = offset - span.start
            blocks.extend(
                replace(block, q0=block.q0 + shift, q1=block.q1 + shift)
                for block in plan_full([span], device)
            )
        offset += size
    return blocks


class BlockAttention(torch.autograd.Function):
    """Grouped-query attention: q [R, H, D], k [T, K, D], v [T, K, D] -> [R, H * D].

    `q` may have a row for each of T instead (R = T). Consecutive G = H / K heads share keys."""

    @staticmethod
    def forward(
        ctx: Any, q_RHD: Tensor, k_TKD: Tensor, v_TKD: Tensor, blocks: list[Block], scale: float
    ) -> Tensor:
        rows, heads, dim = q_RHD.shape
        kv_heads = k_TKD.shape[1]
        group = heads // kv_heads
        out_RHD = torch.empty(rows, heads, dim, dtype=q_RHD.dtype, device=q_RHD.device)
        # Scaled here, on Q x D entries, and not on the Q x S scores.
        q_RKGD = (q_RHD.float() * scale).view(rows, kv_heads, group, dim)
        k32_TKD = k_TKD.float()
        saved: list[Tensor] = []
        for block in blocks:
            length, keys = block.q1 - block.q0, block.k1 - block.k0
            # The G heads of a key head become G * Q rows of one product: keys are not repeated.
            q_KGQD = q_RKGD[block.queries].permute(1, 2, 0, 3)
            scores_HQS = torch.bmm(
                q_KGQD.reshape(kv_heads, group * length, dim),
                k32_TKD[block.keys].permute(1, 2, 0),
            ).view(heads, length, keys)
            scores_HQS[:, :, keys - block.mask_QM.shape[1] :] += block.mask_QM
            probs_K_GQ_S = (
                torch.softmax(scores_HQS, -1).to(q_RHD.dtype).view(kv_heads, group * length, keys)
            )
            out_K_GQ_D = torch.bmm(probs_K_GQ_S, v_TKD[block.keys].transpose(0, 1))
            out_RHD[block.queries].view(length, kv_heads, group, dim).copy_(
                out_K_GQ_D.view(kv_heads, group, length, dim).permute(2, 0, 1, 3)
            )
            # Kept as they were multiplied: in bf16 that is half of the memory of fp32 scores.
            saved.append(probs_K_GQ_S)
        ctx.save_for_backward(q_RHD, k_TKD, v_TKD, out_RHD, *saved)
        ctx.blocks, ctx.scale = blocks, scale
        return out_RHD.view(rows, heads * dim)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_R_HD: Tensor) -> tuple[Tensor | None, ...]:
        q_RHD, k_TKD, v_TKD, out_RHD, *saved = ctx.saved_tensors
        rows, heads, dim = q_RHD.shape
        kv_heads = k_TKD.shape[1]
        group = heads // kv_heads
        grad_RHD = grad_R_HD.view(rows, heads, dim)
        # rowsum(P * dP) for all rows at once: it equals rowsum(dO * O), which needs no scores.
        inner_RH = (grad_RHD.float() * out_RHD.float()).sum(-1).to(q_RHD.dtype)
        grad_q_RHD = torch.empty_like(q_RHD)
        # Several blocks add to the same keys: their sum is kept in fp32 and rounded once.
        grad_k_TKD = torch.zeros(k_TKD.shape, dtype=torch.float32, device=k_TKD.device)
        grad_v_TKD = torch.zeros(v_TKD.shape, dtype=torch.float32, device=v_TKD.device)
        scaled_q_RHD = q_RHD * ctx.scale

        def by_kv_head(rows_QH: Tensor, length: int) -> Tensor:
            """[Q, H] or [Q, H, D] -> [K, G * Q, 1 or D], as the saved probabilities lie."""
            return (
                rows_QH.view(length, kv_heads, group, -1)
                .permute(1, 2, 0, 3)
                .reshape(kv_heads, group * length, -1)
            )

        for block, probs_K_GQ_S in zip(ctx.blocks, saved, strict=True):
            queries, keys = block.queries, block.keys
            length = block.q1 - block.q0
            d_out_K_GQ_D = by_kv_head(grad_RHD[queries], length)
            grad_v_TKD[keys] += torch.bmm(probs_K_GQ_S.transpose(1, 2), d_out_K_GQ_D).transpose(
                0, 1
            )
            d_scores_K_GQ_S = torch.bmm(d_out_K_GQ_D, v_TKD[keys].permute(1, 2, 0))
            # In place: scores are the largest tensors of the step.
            d_scores_K_GQ_S.sub_(by_kv_head(inner_RH[queries], length)).mul_(probs_K_GQ_S)
            grad_k_TKD[keys] += torch.bmm(
                d_scores_K_GQ_S.transpose(1, 2), by_kv_head(scaled_q_RHD[queries], length)
            ).transpose(0, 1)
            d_q_K_GQ_D = torch.bmm(d_scores_K_GQ_S, k_TKD[keys].transpose(0, 1))
            grad_q_RHD[queries].view(length, kv_heads, group, dim).copy_(
                d_q_K_GQ_D.view(kv_heads, group, length, dim).permute(2, 0, 1, 3)
            )
        return (
            grad_q_RHD.mul_(ctx.scale),
            grad_k_TKD.to(k_TKD.dtype),
            grad_v_TKD.to(v_TKD.dtype),
            None,
            None,
        )


block_attention: Callable[[Tensor, Tensor, Tensor, list[Block], float], Tensor] = (
    BlockAttention.apply
)
"""`BlockAttention` as a function: q, k, v, blocks, scale."""
