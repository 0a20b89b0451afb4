"""Sums and means over the tokens of each completion in a packed row: what a ratio of whole answers
needs.

A completion is never split between micro-batches, so these do not depend on the packing.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

import torch
from torch import Tensor

from trainer.packing import MicroBatch


def completion_sums(values_N: Tensor, batch: MicroBatch) -> Tensor:
    """For each token the sum over its completion; 0 for tokens of prompts."""
    inside_N = values_N * batch.completion_N
    # In Python: the largest index on a GPU would have to be waited for.
    count = 1 + max((place for place, _ in batch.completions), default=0)
    totals = torch.zeros(count, dtype=inside_N.dtype, device=inside_N.device)
    return totals.index_add(0, batch.sample_index_N, inside_N)[batch.sample_index_N]


def completion_means(values_N: Tensor, batch: MicroBatch) -> Tensor:
    """For each token the mean over its completion; 0 for tokens of prompts."""
    lengths_N = completion_sums(torch.ones_like(values_N), batch)
    return completion_sums(values_N, batch) / lengths_N.clamp(min=1.0) * batch.completion_N
