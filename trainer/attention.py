"""Causal attention over a flat row of bundles, with a backward written out by hand.

Scores and their softmax are fp32, as the serving engine computes them; probabilities and values
are multiplied in the compute dtype. Queries are taken in blocks that see only the keys up to their
own end, so about half of the score matrix is never computed. On a CPU this takes half the time of
PyTorch's flash kernel for sequences of a few hundred tokens; on other devices it is correct too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from trainer.packing import Span

QUERY_BLOCK = 128
"""Queries a block: smaller ones skip more of the upper triangle but cost more calls."""


@dataclass(frozen=True, slots=True)
class Block:
    """Queries [q0, q1) see keys [k0, k1); `mask` (0 or -inf) is added to the last columns."""

    q0: int
    q1: int
    k0: int
    k1: int
    mask: Tensor


@lru_cache(maxsize=8)
def _causal(size: int, device: torch.device) -> Tensor:
    return torch.full((size, size), float("-inf"), device=device).triu(1)


def causal_mask(size: int, device: torch.device) -> Tensor:
    """[size, size], a view of a larger cached one."""
    whole = max(QUERY_BLOCK, 1 << (size - 1).bit_length())
    return _causal(whole, device)[:size, :size]


def _branch_mask(span: Span, device: torch.device) -> Tensor:
    """Rows and columns: the prompt's last token, then the inputs of each completion."""
    size = span.end - span.branch + 1
    mask = torch.full((size, size), float("-inf"), device=device)
    mask[:, 0] = 0.0
    at = 1
    for length in span.branches:
        mask[at : at + length, at : at + length] = causal_mask(length, device)
        at += length
    return mask


def plan_full(spans: Sequence[Span], device: torch.device) -> list[Block]:
    """Every row of the flat row is a query."""
    blocks: list[Block] = []
    for span in spans:
        several = sum(length > 0 for length in span.branches) > 1
        plain_end = span.branch if several else span.end
        for q0 in range(span.start, plain_end, QUERY_BLOCK):
            q1 = min(q0 + QUERY_BLOCK, plain_end)
            blocks.append(Block(q0, q1, span.start, q1, causal_mask(q1 - q0, device)))
        if several:
            mask = _branch_mask(span, device)[1:]
            blocks.append(Block(span.branch, span.end, span.start, span.end, mask))
    return blocks


def plan_tails(spans: Sequence[Span], device: torch.device) -> list[Block]:
    """Only the tails are queries: numbered from 0 through all spans, while keys keep their rows."""
    blocks: list[Block] = []
    offset = 0
    for span in spans:
        if span.tail == span.branch - 1:
            mask = _branch_mask(span, device)
            size = span.end - span.tail
            blocks.append(Block(offset, offset + size, span.start, span.end, mask))
        else:
            shift = offset - span.start
            blocks.extend(
                Block(block.q0 + shift, block.q1 + shift, block.k0, block.k1, block.mask)
                for block in plan_full([span], device)
            )
        offset += span.end - span.tail
    return blocks


class BlockAttention(torch.autograd.Function):
    """q [Q, H, D], k [T, K, D], v [T, K, D] -> [Q, H * D]; H / K heads in a row share keys."""

    @staticmethod
    def forward(
        ctx: Any, q: Tensor, k: Tensor, v: Tensor, blocks: list[Block], scale: float
    ) -> Tensor:
        rows, heads, dim = q.shape
        kv_heads = k.shape[1]
        group = heads // kv_heads
        out = torch.empty(rows, heads, dim, dtype=q.dtype, device=q.device)
        q32 = (q.float() * scale).view(rows, kv_heads, group, dim)
        k32 = k.float()
        saved: list[Tensor] = []
        for block in blocks:
            length, keys = block.q1 - block.q0, block.k1 - block.k0
            queries = q32[block.q0 : block.q1].permute(1, 2, 0, 3)  # [K, G, L, D]
            scores = torch.bmm(
                queries.reshape(kv_heads, group * length, dim),
                k32[block.k0 : block.k1].permute(1, 2, 0),
            ).view(heads, length, keys)
            scores[:, :, keys - block.mask.shape[1] :] += block.mask
            weights = torch.softmax(scores, -1).to(q.dtype).view(kv_heads, group * length, keys)
            mixed = torch.bmm(weights, v[block.k0 : block.k1].transpose(0, 1))
            out[block.q0 : block.q1].view(length, kv_heads, group, dim).copy_(
                mixed.view(kv_heads, group, length, dim).permute(2, 0, 1, 3)
            )
            saved.append(weights)
        ctx.save_for_backward(q, k, v, out, *saved)
        ctx.blocks, ctx.scale = blocks, scale
        return out.view(rows, heads * dim)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        q, k, v, out, *saved = ctx.saved_tensors
        rows, heads, dim = q.shape
        kv_heads = k.shape[1]
        group = heads // kv_heads
        grad = grad.view(rows, heads, dim)
        # sum_j P_ij dP_ij of every row at once: it equals dO . O.
        inner = (grad.float() * out.float()).sum(-1).to(q.dtype)
        grad_q = torch.empty_like(q)
        grad_k = torch.zeros(k.shape, dtype=torch.float32, device=k.device)
        grad_v = torch.zeros(v.shape, dtype=torch.float32, device=v.device)
        scaled_q = q * ctx.scale

        def by_group(tensor: Tensor, length: int) -> Tensor:
            return (
                tensor.view(length, kv_heads, group, -1)
                .permute(1, 2, 0, 3)
                .reshape(kv_heads, group * length, -1)
            )

        for block, weights in zip(ctx.blocks, saved, strict=True):
            queries, keys = slice(block.q0, block.q1), slice(block.k0, block.k1)
            length = block.q1 - block.q0
            d_out = by_group(grad[queries], length)
            grad_v[keys] += torch.bmm(weights.transpose(1, 2), d_out).transpose(0, 1)
            d_scores = torch.bmm(d_out, v[keys].permute(1, 2, 0))
            d_scores.sub_(by_group(inner[queries], length)).mul_(weights)
            grad_k[keys] += torch.bmm(
                d_scores.transpose(1, 2), by_group(scaled_q[queries], length)
            ).transpose(0, 1)
            d_q = torch.bmm(d_scores, k[keys].transpose(0, 1))
            grad_q[queries].view(length, kv_heads, group, dim).copy_(
                d_q.view(kv_heads, group, length, dim).permute(2, 0, 1, 3)
            )
        return grad_q.mul_(ctx.scale), grad_k.to(k.dtype), grad_v.to(v.dtype), None, None


def block_attention(q: Tensor, k: Tensor, v: Tensor, blocks: list[Block], scale: float) -> Tensor:
    return cast(Tensor, BlockAttention.apply(q, k, v, blocks, scale))  # type: ignore[no-untyped-call]
