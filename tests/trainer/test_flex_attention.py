"""What the mask of a GPU lets a row see is what the blocks of a CPU let it see."""

from __future__ import annotations

import torch

from tests.trainer.test_attention import visible
from trainer.attention import plan_full, plan_tails
from trainer.flex_attention import BLOCK, FlexPlan, plan_rows
from trainer.packing import pack
from trainer.samples import Sample

CPU = torch.device("cpu")
SAMPLES = [
    *(Sample(tuple(range(1, 150)), (7,) * length, ce=1.0, prompt_ce=0.1) for length in (3, 40, 1)),
    *(Sample((4, 5, 6), (8,) * length, ce=1.0) for length in (2, 5)),
    Sample(tuple(range(1, 300)), (9, 9), ce=1.0),
]


def seen(plan: FlexPlan, keys: int) -> torch.Tensor:
    """[queries, keys] of 0 and 1: what is in a block that is computed, and not masked there."""
    queries_R1 = torch.arange(plan.queries)[:, None]
    keys_1S = torch.arange(keys)[None]
    none = torch.tensor(0)
    allowed_RS = plan.mask.mask_mod(none, none, queries_R1, keys_1S)
    is_computed_QS = plan.mask.to_dense()[0, 0].bool()
    computed_RS = is_computed_QS[queries_R1 // BLOCK, keys_1S // BLOCK]
    assert bool((computed_RS | ~allowed_RS).all()), "a block that is left out has a visible key"
    return (allowed_RS & computed_RS).long()


def test_every_row_sees_its_prompt_and_its_own_completion() -> None:
    (batch,) = pack(SAMPLES, 10_000)
    rows = batch.ids_T.shape[0]
    full, tails = plan_rows(batch, CPU)
    assert torch.equal(seen(full, rows), visible(plan_full(batch.spans, CPU), rows, rows))
    size = batch.tail_rows_R.shape[0]
    assert torch.equal(seen(tails, rows), visible(plan_tails(batch.spans, CPU), size, rows))


def test_few_blocks_are_computed_and_none_of_padding() -> None:
    (batch,) = pack(SAMPLES, 10_000)
    full, _ = plan_rows(batch, CPU)
    blocks = -(-batch.ids_T.shape[0] // BLOCK)
    is_computed_QS = full.mask.to_dense()[0, 0]
    assert int(is_computed_QS.sum()) == int(is_computed_QS[:blocks, :blocks].sum())
    assert int(is_computed_QS.sum()) <= blocks * (blocks + 1) // 2
