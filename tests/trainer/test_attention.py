"""Attention over packed bundles: what each token may see, and gradients against autograd's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
import torch

from trainer.attention import Block, block_attention, causal_mask, plan_full, plan_tails
from trainer.packing import Span

CPU = torch.device("cpu")
SHARED = Span(start=0, tail=2, branch=3, end=7, branches=(2, 2))
"""A prompt of three tokens, and two completions of two inputs each."""
ALONE = Span(start=7, tail=7, branch=9, end=12, branches=(3,))
"""A prompt of two tokens that is a target itself, and one completion."""


def visible(blocks: list[Block], rows: int, keys: int) -> torch.Tensor:
    """[rows, keys] of 0 and 1: which key each query sees."""
    seen = torch.zeros(rows, keys, dtype=torch.int64)
    for block in blocks:
        scores = torch.zeros(block.q1 - block.q0, block.k1 - block.k0)
        scores[:, scores.shape[1] - block.mask_QM.shape[1] :] += block.mask_QM
        seen[block.queries, block.keys] = (scores == 0).long()
    return seen


def test_a_completion_sees_the_prompt_and_itself_but_no_other_completion() -> None:
    assert visible(plan_full([SHARED], CPU), 7, 7).tolist() == [
        [1, 0, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0, 0, 0],
        [1, 1, 1, 0, 0, 0, 0],
        [1, 1, 1, 1, 0, 0, 0],
        [1, 1, 1, 1, 1, 0, 0],
        [1, 1, 1, 0, 0, 1, 0],
        [1, 1, 1, 0, 0, 1, 1],
    ]


def test_tails_see_what_the_same_rows_see_in_the_full_plan() -> None:
    full = visible(plan_full([SHARED, ALONE], CPU), 12, 12)
    tails = visible(plan_tails([SHARED, ALONE], CPU), 10, 12)
    rows = [*range(2, 7), *range(7, 12)]
    assert torch.equal(tails, full[rows])


def test_a_prompt_longer_than_a_block_is_still_causal() -> None:
    span = Span(start=0, tail=299, branch=300, end=300, branches=(0,))
    blocks = plan_full([span], CPU)
    assert [(block.q0, block.q1, block.k1) for block in blocks] == [
        (0, 128, 128),
        (128, 256, 256),
        (256, 300, 300),
    ]
    assert torch.equal(visible(blocks, 300, 300), torch.ones(300, 300).tril().long())


def test_a_causal_mask_is_zero_up_to_the_diagonal() -> None:
    assert causal_mask(2, CPU).tolist() == [[0.0, float("-inf")], [0.0, 0.0]]
    assert causal_mask(200, CPU).shape == (200, 200)


@pytest.mark.parametrize("plan", [plan_full, plan_tails])
def test_values_and_gradients_are_those_of_plain_attention(
    plan: Callable[[Sequence[Span], torch.device], list[Block]],
) -> None:
    generator = torch.Generator().manual_seed(0)

    def draw(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.float32).requires_grad_()

    blocks = plan([SHARED, ALONE], CPU)
    rows = max(block.q1 for block in blocks)
    q_RHD, k_TKD, v_TKD = draw(rows, 4, 8), draw(12, 2, 8), draw(12, 2, 8)
    out = block_attention(q_RHD, k_TKD, v_TKD, blocks, 0.35)
    weight = torch.randn(out.shape, generator=generator)
    mine = torch.autograd.grad((out * weight).sum(), [q_RHD, k_TKD, v_TKD])

    k_THD, v_THD = k_TKD.repeat_interleave(2, 1), v_TKD.repeat_interleave(2, 1)
    scores = torch.einsum("qhd,khd->hqk", q_RHD, k_THD) * 0.35
    scores = scores.masked_fill(visible(blocks, rows, 12) == 0, float("-inf"))
    plain = torch.einsum("hqk,khd->qhd", scores.softmax(-1), v_THD).reshape(rows, -1)
    theirs = torch.autograd.grad((plain * weight).sum(), [q_RHD, k_TKD, v_TKD])
    torch.testing.assert_close(out, plain, rtol=1e-5, atol=1e-6)
    for left, right in zip(mine, theirs, strict=True):
        torch.testing.assert_close(left, right, rtol=1e-4, atol=1e-5)
