"""Packed rows against rows worked out by hand, and accounting of any samples."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.trainer.tiny_policy import make_samples
from trainer.packing import MicroBatch, Span, group_by_prompt, pack
from trainer.samples import Sample

GOOD = Sample((5, 6, 7), (10, 11, 12), (-0.1, -0.2, -0.3), advantage=2.0, rl=1.0)
BAD = Sample((5, 6, 7), (20, 21), (-0.4, math.nan), advantage=-1.0, rl=1.0, ref_kl=0.5)


def test_a_shared_prompt_is_read_once_and_positions_restart_at_its_end() -> None:
    (batch,) = pack([GOOD, BAD], 100)
    assert batch.ids_T.tolist() == [5, 6, 7, 10, 11, 20]
    assert batch.positions_T.tolist() == [0, 1, 2, 3, 4, 3]
    assert batch.spans == (Span(start=0, tail=2, branch=3, end=6, branches=(2, 1)),)
    assert batch.tokens == 11, "the prompt counts for both samples"


def test_each_target_is_predicted_by_the_token_before_it() -> None:
    (batch,) = pack([GOOD, BAD], 100)
    before = batch.ids_T[batch.tail_rows_R[batch.target_rows_N]]
    assert before.tolist() == [7, 10, 11, 7, 20]
    assert batch.targets_N.tolist() == [10, 11, 12, 20, 21]
    assert batch.sample_index_N.tolist() == [0, 0, 0, 1, 1]
    assert batch.advantage_N.tolist() == [2.0, 2.0, 2.0, -1.0, -1.0]
    assert batch.ref_kl_N.tolist() == [0.0, 0.0, 0.0, 0.5, 0.5]


def test_a_samplers_nan_is_not_mistaken_for_a_token_that_nobody_sampled() -> None:
    (batch,) = pack([BAD, Sample((5,), (9,), ce=1.0)], 100)
    assert batch.behaviour_N[:2].tolist() == pytest.approx([-0.4, -math.inf])
    assert torch.isnan(batch.behaviour_N[2])


def test_a_prompt_that_is_a_target_weighs_once_for_each_of_its_samples() -> None:
    samples = [Sample((5, 6, 7), (10,), ce=1.0, prompt_ce=0.1) for _ in range(3)]
    (batch,) = pack(samples, 100)
    assert batch.targets_N.tolist() == [6, 7, 10, 10, 10]
    assert batch.prompt_ce_N.tolist() == pytest.approx([0.3, 0.3, 0.0, 0.0, 0.0])
    assert batch.completion_N.tolist() == [0.0, 0.0, 1.0, 1.0, 1.0]
    assert batch.tail_rows_R.tolist() == [0, 1, 2]


def test_completions_are_found_again_by_their_sample() -> None:
    (batch,) = pack([GOOD, BAD], 100)
    rows = {index: batch.targets_N[rows].tolist() for index, rows in batch.completions}
    assert rows == {0: [10, 11, 12], 1: [20, 21]}


def test_nothing_is_padded_and_shared_prompts_are_read_once() -> None:
    samples = make_samples()
    read = sum(len(batch.ids_T) for batch in pack(samples, 4096))
    prompts = {sample.prompt_ids for sample in samples}
    inputs = sum(len(sample.completion_ids) - 1 for sample in samples)
    assert read == sum(len(prompt) for prompt in prompts) + inputs
    apart = sum(len(batch.ids_T) for batch in pack(samples, 4096, share_prompts=False))
    assert apart == sum(sample.input_tokens for sample in samples)


def test_workers_get_equally_many_micro_batches() -> None:
    samples = [Sample((index,) * 10, (1,), ce=1.0) for index in range(1, 10)]
    assert len(pack(samples, 1000)) == 1
    assert len(pack(samples, 1000, lanes=2)) == 2
    assert len(pack(samples[:1], 1000, lanes=2)) == 1, "there is nothing to divide"


def test_a_sample_larger_than_the_budget_is_a_micro_batch_alone() -> None:
    large, small = Sample((1,) * 50, (2,), ce=1.0), Sample((3,), (4,), ce=1.0)
    assert [len(batch.ids_T) for batch in pack([large, small], 20)] == [50, 1]


def test_samples_with_equal_prompts_and_other_weights_are_not_shared() -> None:
    samples = [Sample((1,), (2,)), Sample((1,), (3,), prompt_ce=0.1), Sample((1,), (4,))]
    assert group_by_prompt(samples) == [[0, 2], [1]]


@given(
    st.lists(
        st.tuples(
            st.lists(st.integers(1, 3), min_size=1, max_size=6),
            st.lists(st.integers(4, 9), min_size=1, max_size=6),
        ),
        min_size=1,
        max_size=12,
    ),
    st.integers(4, 40),
    st.integers(1, 3),
    st.booleans(),
)
def test_every_completion_token_is_a_target_exactly_once(
    texts: list[tuple[list[int], list[int]]], budget: int, lanes: int, share: bool
) -> None:
    samples = [Sample(tuple(prompt), tuple(answer), ce=1.0) for prompt, answer in texts]
    batches = pack(samples, budget, lanes, share)
    targets: dict[int, list[int]] = {}
    for index, answer in (pair for batch in batches for pair in completions(batch)):
        assert index not in targets
        targets[index] = answer
    assert [targets[index] for index in range(len(samples))] == [answer for _, answer in texts]
    for batch in batches:
        assert len(batch.ids_T) <= budget or len(batch.spans) == 1


def completions(batch: MicroBatch) -> list[tuple[int, list[int]]]:
    pairs = zip(batch.sample_index_N.tolist(), batch.targets_N.tolist(), strict=True)
    by_sample: dict[int, list[int]] = {}
    for index, token in pairs:
        by_sample.setdefault(index, []).append(token)
    return list(by_sample.items())
