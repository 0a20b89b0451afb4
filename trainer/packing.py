"""Packs samples into micro-batches of real tokens only: no padding is ever computed.

A micro-batch is one row of tokens [T]. Samples with the same prompt form one *bundle*: the prompt
is read once, followed by the inputs of each completion. Within a bundle a token attends to the
prompt and to its own completion, nothing else. The *tail* of a bundle is the part from which
something is predicted: the prompt's last token and the completions' inputs, or the whole bundle
when the prompt itself is a target. After the last layer's keys and values, only tails are computed.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from trainer.samples import Picture, Sample, Weights

NOT_SAMPLED = float("nan")
"""Behaviour logprob of a token that no policy sampled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A bundle in the packed row: inputs [start, end), of which [tail, end) predict something. The
    inputs of the completions begin at `branch` and have the lengths `branches`."""

    start: int
    tail: int
    branch: int
    end: int
    branches: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MicroBatch:
    """One packed row with its targets and their weights in each stream."""

    spans: tuple[Span, ...]
    ids_T: Tensor
    positions_T: Tensor
    tail_rows_R: Tensor
    """indices into T"""
    target_rows_N: Tensor
    """indices into R: the tail row that predicts the target"""
    targets_N: Tensor
    """token ids to predict"""
    sample_index_N: Tensor
    """index of the target's sample in the list that was packed"""
    behaviour_N: Tensor
    """fp32 logprobs of the sampler, NOT_SAMPLED where there is none"""
    advantage_N: Tensor
    rl_N: Tensor
    ce_N: Tensor
    ref_kl_N: Tensor
    prompt_ce_N: Tensor
    proximal_kl_N: Tensor
    completion_N: Tensor
    """1.0 for completion tokens, 0.0 for prompt tokens"""
    completions: tuple[tuple[int, slice], ...]
    """(index of a sample in the list that was packed, its completion's rows of N in order)"""
    has_ref_kl: bool
    """whether any target has a weight in `ref_kl_N`"""
    tokens: int
    """prompt and completion tokens of the samples, a shared prompt counted for each of them"""
    pictures: tuple[tuple[Picture, ...], ...]
    """of each span's prompt"""

    def to(self, device: torch.device) -> MicroBatch:
        """The same batch on another device, without waiting for what that device computes."""
        if self.ids_T.device == device:
            return self
        values: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(self)}
        # What is asked while a device computes is plain Python: reading it there would wait.
        moved = {
            name: v.to(device, non_blocking=True)
            for name, v in values.items()
            if isinstance(v, Tensor)
        }
        return MicroBatch(**values | moved)


def group_by_prompt(samples: Sequence[Sample]) -> list[list[int]]:
    """Indices of samples with equal prompts, in order of first appearance."""
    by_prompt: dict[tuple[object, ...], list[int]] = {}
    for index, sample in enumerate(samples):
        # The weight of the prompt is part of the key: a shared prompt is a target once, with one
        # weight.
        key = (sample.prompt_ids, sample.prompt_ce, sample.pictures)
        by_prompt.setdefault(key, []).append(index)
    return list(by_prompt.values())


def pack(
    samples: Sequence[Sample], token_budget: int, lanes: int = 1, share_prompts: bool = True
) -> list[MicroBatch]:
    """Micro-batches of at most `token_budget` inputs; one sample may exceed it alone.

    Their number is a multiple of `lanes` when there are enough bundles, so that `lanes` workers
    finish together."""
    bundles = (
        group_by_prompt(samples) if share_prompts else [[index] for index in range(len(samples))]
    )
    parts = [part for bundle in bundles for part in _split_bundle(samples, bundle, token_budget)]
    costs = [_input_tokens(samples, part) for part in parts]
    return [
        _build_micro_batch(samples, [parts[place] for place in places])
        for places in _fill_bins(costs, token_budget, lanes)
    ]


def _input_tokens(samples: Sequence[Sample], bundle: Sequence[int]) -> int:
    prompt = len(samples[bundle[0]].prompt_ids)
    return prompt + sum(len(samples[index].completion_ids) - 1 for index in bundle)


def _split_bundle(
    samples: Sequence[Sample], bundle: Sequence[int], token_budget: int
) -> list[list[int]]:
    """Cuts a bundle that exceeds the budget between completions; each part repeats the prompt."""
    parts: list[list[int]] = [[]]
    for index in bundle:
        if parts[-1] and _input_tokens(samples, [*parts[-1], index]) > token_budget:
            parts.append([])
        parts[-1].append(index)
    return parts


def _fill_bins(costs: Sequence[int], capacity: int, lanes: int) -> list[list[int]]:
    """Greedy bin packing: the largest item goes into the emptiest bin (LPT scheduling, Graham
    1969), into a new one where it would exceed `capacity`. Fullest bin first, without empty ones.

    Ties are broken by index, so that equal inputs give equal micro-batches and equal updates."""
    # -(-a // b) rounds up. A multiple of the lanes, so that no worker waits for a last bin.
    count = max(1, -(-sum(costs) // capacity))
    count = min(-(-count // lanes) * lanes, max(1, len(costs)))
    loads = [0] * count
    members: list[list[int]] = [[] for _ in range(count)]
    for item in sorted(range(len(costs)), key=lambda item: (-costs[item], item)):
        emptiest = min(range(len(loads)), key=lambda place: (loads[place], place))
        if loads[emptiest] and loads[emptiest] + costs[item] > capacity:
            loads.append(0)
            members.append([])
            emptiest = len(loads) - 1
        loads[emptiest] += costs[item]
        members[emptiest].append(item)
    order = sorted(range(len(loads)), key=lambda place: (-loads[place], place))
    return [members[place] for place in order if members[place]]


def _build_micro_batch(samples: Sequence[Sample], bundles: Sequence[Sequence[int]]) -> MicroBatch:
    row = _PackedRow()
    for bundle in bundles:
        row.add_bundle(samples, bundle)
    return row.build()


class _PackedRow:
    """Collects bundles as NumPy pieces, joined into tensors once: a tensor a token is slow."""

    def __init__(self) -> None:
        self._spans: list[Span] = []
        self._pictures: list[tuple[Picture, ...]] = []
        self._ids: list[int] = []
        self._positions: list[NDArray[np.int64]] = []
        self._tail_rows: list[NDArray[np.int64]] = []
        self._tail_count = 0
        self._tokens = 0
        self._targets = _Targets()
        self._completions: list[tuple[int, slice]] = []

    def add_bundle(self, samples: Sequence[Sample], bundle: Sequence[int]) -> None:
        """Appends the prompt of a bundle, then the inputs of each of its completions."""
        first = samples[bundle[0]]
        prompt = first.prompt_ids
        start, branch = len(self._ids), len(self._ids) + len(prompt)
        # The prompt's last token predicts the first token of every completion, so it is in the
        # tail even when nothing in the prompt is a target.
        tail = start if first.prompt_ce else branch - 1
        self._ids.extend(prompt)
        self._positions.append(np.arange(len(prompt)))
        if first.prompt_ce and len(prompt) > 1:
            # A prompt that several samples share is read once, but is a target for each of them.
            self._targets.add(
                rows=np.arange(self._tail_count, self._tail_count + len(prompt) - 1),
                ids=prompt[1:],
                sample=bundle[0],
                behaviour=NOT_SAMPLED,
                # Its gradient is that of every copy together.
                prompt_ce=first.prompt_ce * len(bundle),
            )
        # A row of R, while `branch` and `tail` are rows of T.
        last_of_prompt = self._tail_count + (branch - 1 - tail)
        branches = []
        for index in bundle:
            sample = samples[index]
            self._add_completion(
                sample, index, last_of_prompt, next_row=self._tail_count + len(self._ids) - tail
            )
            branches.append(len(sample.completion_ids) - 1)
        end = len(self._ids)
        self._pictures.append(first.pictures)
        self._tail_rows.append(np.arange(tail, end))
        self._tail_count += end - tail
        self._spans.append(
            Span(start=start, tail=tail, branch=branch, end=end, branches=tuple(branches))
        )

    def _add_completion(
        self, sample: Sample, index: int, last_of_prompt: int, next_row: int
    ) -> None:
        """Inputs and targets of one completion; its tail rows begin at `next_row`."""
        length = len(sample.completion_ids)
        begin = self._targets.count
        self._completions.append((index, slice(begin, begin + length)))
        self._targets.add(
            rows=np.concatenate([[last_of_prompt], np.arange(next_row, next_row + length - 1)]),
            ids=sample.completion_ids,
            sample=index,
            behaviour=_mark_dropped(sample.logprobs) if sample.logprobs else NOT_SAMPLED,
            advantage=sample.advantage,
            rl=sample.rl,
            ce=sample.ce,
            ref_kl=sample.ref_kl,
            proximal_kl=sample.proximal_kl,
            completion=1.0,
        )
        # The last token is only ever a target: nothing is predicted from it.
        self._ids.extend(sample.completion_ids[:-1])
        # Rotary positions count within the sample: every completion goes on where the prompt ends,
        # wherever it lies in the row.
        prompt_length = len(sample.prompt_ids)
        self._positions.append(np.arange(prompt_length, prompt_length + length - 1))
        self._tokens += sample.tokens

    def build(self) -> MicroBatch:
        """The tensors of everything that was added."""
        targets = self._targets
        lengths = [len(part) for part in targets.ids]
        ref_kl_N = targets.column("ref_kl")
        return MicroBatch(
            spans=tuple(self._spans),
            ids_T=torch.tensor(self._ids, dtype=torch.int64),
            positions_T=torch.from_numpy(np.concatenate(self._positions)),
            tail_rows_R=torch.from_numpy(np.concatenate(self._tail_rows)),
            target_rows_N=torch.from_numpy(np.concatenate(targets.rows)),
            targets_N=torch.tensor([token for part in targets.ids for token in part]),
            sample_index_N=torch.from_numpy(np.repeat(np.array(targets.sample), lengths)),
            behaviour_N=targets.column("behaviour"),
            advantage_N=targets.column("advantage"),
            rl_N=targets.column("rl"),
            ce_N=targets.column("ce"),
            ref_kl_N=ref_kl_N,
            prompt_ce_N=targets.column("prompt_ce"),
            proximal_kl_N=targets.column("proximal_kl"),
            completion_N=targets.column("completion"),
            completions=tuple(self._completions),
            has_ref_kl=bool((ref_kl_N != 0).any()),
            tokens=self._tokens,
            pictures=tuple(self._pictures),
        )


class _Targets:
    """Columns of per-target values in pieces; a stream that is not given weighs 0."""

    COLUMNS = (
        *("behaviour", "advantage", "rl", "ce", "ref_kl", "prompt_ce", "proximal_kl"),
        "completion",
    )

    def __init__(self) -> None:
        self.rows: list[NDArray[np.int64]] = []
        self.ids: list[tuple[int, ...]] = []
        self.sample: list[int] = []
        self.count = 0
        self._pieces: dict[str, list[NDArray[np.float32]]] = {name: [] for name in self.COLUMNS}

    def add(
        self, rows: NDArray[np.int64], ids: tuple[int, ...], sample: int, **values: Weights
    ) -> None:
        """Targets of one sample; `values` by column, one number for all or one each."""
        self.rows.append(rows)
        self.ids.append(ids)
        self.sample.append(sample)
        self.count += len(ids)
        for name, pieces in self._pieces.items():
            pieces.append(_expand(values.get(name, 0.0), len(ids)))

    def column(self, name: str) -> Tensor:
        """All values of one column [N]."""
        return torch.from_numpy(np.concatenate(self._pieces[name]))


def _mark_dropped(logprobs: tuple[float, ...]) -> tuple[float, ...]:
    """NaN means that no policy sampled the token, so a sampler's own NaN becomes -inf: its log
    ratio is not finite, and the loss drops the token."""
    return tuple(-math.inf if math.isnan(value) else value for value in logprobs)


def _expand(weights: Weights, length: int) -> NDArray[np.float32]:
    if isinstance(weights, tuple):
        return np.array(weights, dtype=np.float32)
    return np.full(length, weights, dtype=np.float32)
