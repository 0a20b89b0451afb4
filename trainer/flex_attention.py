"""Attention over a packed row of bundles on a GPU, by PyTorch's FlexAttention: one compiled kernel
that skips the blocks of scores that no query may see.

What a row sees is what `trainer.attention` lets it see on a CPU: its bundle's prompt and its own
completion, up to itself. Scores and softmax are fp32 (FlexAttention, Dong et al. 2024,
arXiv:2412.05496).

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.attention.flex_attention import BlockMask, flex_attention

from trainer.packing import MicroBatch, Span

BLOCK = 128
"""Rows and columns of a block of scores."""
PAD_TO = 65_536
"""Rows are padded to a multiple, so that few shapes are compiled; blocks of padding are skipped."""
_SHAPES = 64


@dataclass(frozen=True, slots=True)
class FlexPlan:
    """Which keys each query sees; `queries` of the padded rows are real."""

    mask: BlockMask
    queries: int


@lru_cache(maxsize=1)
def _compile_attention() -> Callable[..., Any]:
    # Each padded shape is compiled once; the default limit would fall back to a T x T matrix.
    torch._dynamo.config.recompile_limit = _SHAPES
    return torch.compile(flex_attention, dynamic=False)


def plan_rows(batch: MicroBatch, device: torch.device) -> tuple[FlexPlan, FlexPlan]:
    """The plans of layers in which every row of T is a query, and of the last one, where only tails
    are: its queries are rows of R."""
    rows = batch.ids_T.shape[0]
    start_T, branch_T = _describe_rows(batch.spans, rows, device)
    every_row_T = torch.arange(rows, device=device)
    return (
        _plan(every_row_T, start_T, branch_T),
        _plan(batch.tail_rows_R, start_T, branch_T),
    )


def _describe_rows(spans: Sequence[Span], rows: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """[T] where each row's bundle starts, and which of its completions the row belongs to: 0 is the
    prompt."""
    starts: list[int] = []
    branches: list[int] = []
    lengths: list[int] = []
    for span in spans:
        pieces = (span.branch - span.start, *span.branches)
        starts += [span.start] * len(pieces)
        branches += range(len(pieces))
        lengths += pieces
    table = np.repeat(np.array([starts, branches], dtype=np.int64), lengths, axis=1)
    assert table.shape[1] == rows
    start_T, branch_T = torch.from_numpy(table).to(device, non_blocking=True)
    return start_T, branch_T


def _plan(rows_R: Tensor, start_T: Tensor, branch_T: Tensor) -> FlexPlan:
    """The mask of the queries `rows_R`, which are in ascending order."""
    queries, keys = rows_R.shape[0], start_T.shape[0]
    size_R, size_T = _size_with_padding(queries), _size_with_padding(keys)
    # A padded query belongs to no bundle and sees nothing.
    row_R = F.pad(rows_R, (0, size_R - queries), value=-1)
    start_R = F.pad(start_T[rows_R], (0, size_R - queries), value=-1)
    branch_R = F.pad(branch_T[rows_R], (0, size_R - queries), value=-1)
    key_start_T = F.pad(start_T, (0, size_T - keys), value=-2)
    key_branch_T = F.pad(branch_T, (0, size_T - keys), value=-2)

    def sees(_batch: Any, _head: Any, query_Q1: Tensor, key_1S: Tensor) -> Tensor:
        of_bundle = start_R[query_Q1] == key_start_T[key_1S]
        of_branch = (key_branch_T[key_1S] == 0) | (key_branch_T[key_1S] == branch_R[query_Q1])
        return of_bundle & of_branch & (key_1S <= row_R[query_Q1])

    # Bundles lie behind one another: a block of queries sees keys from the start of its first
    # query's bundle up to its last query.
    block_starts_Q = torch.arange(0, size_R, BLOCK, device=rows_R.device)
    lasts_Q = (block_starts_Q + BLOCK - 1).clamp(max=queries - 1)
    is_real_Q = block_starts_Q < queries
    first_keys_Q = start_T[rows_R[block_starts_Q.clamp(max=queries - 1)]] // BLOCK
    last_keys_Q = rows_R[lasts_Q] // BLOCK
    counts_Q = torch.where(is_real_Q, last_keys_Q - first_keys_Q + 1, 0)
    columns_S = torch.arange(size_T // BLOCK, device=rows_R.device)
    indices_QS = (first_keys_Q[:, None] + columns_S).clamp(max=size_T // BLOCK - 1)
    mask = BlockMask.from_kv_blocks(
        counts_Q[None, None].to(torch.int32),
        indices_QS[None, None].to(torch.int32),
        BLOCK_SIZE=BLOCK,
        mask_mod=sees,
        seq_lengths=(size_R, size_T),
    )
    return FlexPlan(mask, queries)


def _size_with_padding(rows: int) -> int:
    return -(-rows // PAD_TO) * PAD_TO


def flex_attend(
    q_RHD: Tensor, k_TKD: Tensor, v_TKD: Tensor, plan: FlexPlan, scale: float
) -> Tensor:
    """Grouped-query attention: q [R, H, D], k [T, K, D], v [T, K, D] -> [R, H * D]."""
    size_R, size_T = plan.mask.seq_lengths

    def lay_out(rows_RHD: Tensor, size: int) -> Tensor:
        """Padded to [1, H, size, D]."""
        padded = F.pad(rows_RHD, (0, 0, 0, 0, 0, size - rows_RHD.shape[0]))
        return padded.transpose(0, 1)[None].contiguous()

    out_BHRD = _compile_attention()(
        lay_out(q_RHD, size_R),
        lay_out(k_TKD, size_T),
        lay_out(v_TKD, size_T),
        block_mask=plan.mask,
        scale=scale,
        enable_gqa=True,
    )
    out_RHD: Tensor = out_BHRD[0].transpose(0, 1)[: plan.queries]
    return out_RHD.reshape(plan.queries, -1)
