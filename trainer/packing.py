"""Samples as micro-batches of real tokens only: no padding is ever computed.

A micro-batch is one flat row of tokens [T]. Samples with the same prompt become one *bundle*: the
prompt is read once, followed by the inputs of each completion. Per bundle, tokens see the prompt
and their own completion, nothing else. `tail` is the part of a bundle from which something is
predicted (the prompt's last token and the completions' inputs, or everything when the prompt itself
is a target): past the last layer's keys and values, nothing else is computed.
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

from trainer.samples import Sample, Weights


@dataclass(frozen=True, slots=True)
class Span:
    """A bundle in the flat row: inputs [start, end), of which [tail, end) predict something; the
    inputs of the completions begin at `branch` and have the lengths `branches`."""

    start: int
    tail: int
    branch: int
    end: int
    branches: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MicroBatch:
    """Token ids and positions of the row [T]; tail rows [R]; everything else per target [N]."""

    spans: tuple[Span, ...]
    ids: Tensor
    positions: Tensor
    tail_rows: Tensor
    """[R] rows of the flat row that predict something"""
    target_rows: Tensor
    """[N] index into the tail rows of the row that predicts the target"""
    targets: Tensor
    sample_index: Tensor
    """[N] place of the target's sample in the list that was packed"""
    behaviour: Tensor
    """[N] fp32, NaN where no policy sampled the token"""
    advantage: Tensor
    rl: Tensor
    ce: Tensor
    ref_kl: Tensor
    prompt_ce: Tensor
    completion: Tensor
    """[N] 1.0 for completion tokens, 0.0 for prompt tokens"""
    tokens: int
    """prompt and completion tokens of the samples, a shared prompt counted for each of them"""

    def to(self, device: torch.device) -> MicroBatch:
        if self.ids.device == device:
            return self
        values: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(self)}
        moved = {name: v.to(device) for name, v in values.items() if isinstance(v, Tensor)}
        return MicroBatch(**values | moved)


def bundles(samples: Sequence[Sample]) -> list[list[int]]:
    """Indices of samples by equal prompt, in order of first appearance."""
    by_prompt: dict[tuple[tuple[int, ...], float], list[int]] = {}
    for index, sample in enumerate(samples):
        by_prompt.setdefault((sample.prompt_ids, sample.prompt_ce), []).append(index)
    return list(by_prompt.values())


def _cost(samples: Sequence[Sample], bundle: Sequence[int]) -> int:
    prompt = len(samples[bundle[0]].prompt_ids)
    return prompt + sum(len(samples[index].completion_ids) - 1 for index in bundle)


def pack(
    samples: Sequence[Sample], token_budget: int, even: int = 1, share_prompts: bool = True
) -> list[MicroBatch]:
    """Micro-batches of at most `token_budget` inputs (one sample may exceed it alone), as equal in
    tokens as putting the longest bundle into the emptiest bin makes them. Their number is a
    multiple of `even` when there are enough bundles, so that `even` workers finish together."""
    groups = bundles(samples) if share_prompts else [[index] for index in range(len(samples))]
    groups = [part for group in groups for part in _split(samples, group, token_budget)]
    costs = [_cost(samples, group) for group in groups]
    total = sum(costs)
    bins_wanted = max(1, -(-total // token_budget))
    bins_wanted = min(-(-bins_wanted // even) * even, max(1, len(groups)))
    loads = [0] * bins_wanted
    members: list[list[list[int]]] = [[] for _ in range(bins_wanted)]
    for position in sorted(range(len(groups)), key=lambda item: (-costs[item], item)):
        lightest = min(range(len(loads)), key=lambda item: (loads[item], item))
        if loads[lightest] and loads[lightest] + costs[position] > token_budget:
            loads.append(0)
            members.append([])
            lightest = len(loads) - 1
        loads[lightest] += costs[position]
        members[lightest].append(groups[position])
    order = sorted(range(len(loads)), key=lambda item: (-loads[item], item))
    return [_micro_batch(samples, members[item]) for item in order if members[item]]


def _split(samples: Sequence[Sample], group: list[int], budget: int) -> list[list[int]]:
    """A bundle larger than the budget is cut between completions."""
    parts: list[list[int]] = [[]]
    for index in group:
        if parts[-1] and _cost(samples, [*parts[-1], index]) > budget:
            parts.append([])
        parts[-1].append(index)
    return parts


class _Targets:
    """Collects per-target columns, then joins them once."""

    def __init__(self) -> None:
        self.rows: list[NDArray[np.int64]] = []
        self.ids: list[tuple[int, ...]] = []
        self.sample: list[int] = []
        self.columns: dict[str, list[NDArray[np.float32]]] = {
            name: []
            for name in (
                "behaviour",
                "advantage",
                "rl",
                "ce",
                "ref_kl",
                "prompt_ce",
                "completion",
            )
        }

    def add(
        self, rows: NDArray[np.int64], ids: tuple[int, ...], sample: int, **given: Weights
    ) -> None:
        self.rows.append(rows)
        self.ids.append(ids)
        self.sample.append(sample)
        for name, column in self.columns.items():
            column.append(_column(given.get(name, 0.0), len(ids)))

    def joined(self, name: str) -> Tensor:
        return torch.from_numpy(np.concatenate(self.columns[name]))


def _given(logprobs: tuple[float, ...]) -> tuple[float, ...]:
    """NaN says that nobody sampled a token, so a sampler's own NaN becomes -inf: it is dropped."""
    return tuple(-math.inf if math.isnan(value) else value for value in logprobs)


def _column(weights: Weights, length: int) -> NDArray[np.float32]:
    if isinstance(weights, tuple):
        return np.array(weights, dtype=np.float32)
    return np.full(length, weights, dtype=np.float32)


def _micro_batch(samples: Sequence[Sample], groups: Sequence[Sequence[int]]) -> MicroBatch:
    spans: list[Span] = []
    ids: list[int] = []
    positions: list[NDArray[np.int64]] = []
    tail_rows: list[NDArray[np.int64]] = []
    targets = _Targets()
    tail_count = tokens = 0
    for group in groups:
        first = samples[group[0]]
        prompt = first.prompt_ids
        start, branch = len(ids), len(ids) + len(prompt)
        tail = start if first.prompt_ce else branch - 1
        ids.extend(prompt)
        positions.append(np.arange(len(prompt)))
        branches = []
        if first.prompt_ce and len(prompt) > 1:
            # A prompt that several samples share is still a target once for each of them.
            targets.add(
                np.arange(tail_count, tail_count + len(prompt) - 1),
                prompt[1:],
                group[0],
                behaviour=float("nan"),
                prompt_ce=first.prompt_ce * len(group),
            )
        last_of_prompt = tail_count + (branch - 1 - tail)
        for index in group:
            sample = samples[index]
            length = len(sample.completion_ids)
            begin = tail_count + len(ids) - tail
            targets.add(
                np.concatenate([[last_of_prompt], np.arange(begin, begin + length - 1)]),
                sample.completion_ids,
                index,
                behaviour=_given(sample.logprobs) if sample.logprobs else float("nan"),
                advantage=sample.advantage,
                rl=sample.rl,
                ce=sample.ce,
                ref_kl=sample.ref_kl,
                completion=1.0,
            )
            ids.extend(sample.completion_ids[:-1])
            positions.append(np.arange(len(prompt), len(prompt) + length - 1))
            branches.append(length - 1)
            tokens += sample.tokens
        end = len(ids)
        tail_rows.append(np.arange(tail, end))
        tail_count += end - tail
        spans.append(Span(start, tail, branch, end, tuple(branches)))
    lengths = [len(part) for part in targets.ids]
    return MicroBatch(
        spans=tuple(spans),
        ids=torch.tensor(ids, dtype=torch.int64),
        positions=torch.from_numpy(np.concatenate(positions)),
        tail_rows=torch.from_numpy(np.concatenate(tail_rows)),
        target_rows=torch.from_numpy(np.concatenate(targets.rows)),
        targets=torch.tensor([token for part in targets.ids for token in part]),
        sample_index=torch.from_numpy(np.repeat(np.array(targets.sample), lengths)),
        behaviour=targets.joined("behaviour"),
        advantage=targets.joined("advantage"),
        rl=targets.joined("rl"),
        ce=targets.joined("ce"),
        ref_kl=targets.joined("ref_kl"),
        prompt_ce=targets.joined("prompt_ce"),
        completion=targets.joined("completion"),
        tokens=tokens,
    )
