"""Packing: samples of any length become one flat row of tokens, so no linear layer sees padding.

Only attention needs to know where a sample begins; it works on `lengths`. Micro-batches are cut by
a token budget over samples sorted by length, which keeps their lengths alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from trainer.samples import Sample


@dataclass(frozen=True, slots=True)
class Pack:
    """T tokens of B samples, N of them predicted with some weight (their logits are computed).

    `at_N` are the flat positions whose next token is `targets_N`; the weights and logprobs are
    aligned with them. `completion_N` marks completion tokens, the others are prompt tokens."""

    tokens_T: Tensor
    positions_T: Tensor
    lengths: list[int]
    at_N: Tensor
    targets_N: Tensor
    completion_N: Tensor
    advantages_N: Tensor
    ce_N: Tensor
    behaviour_N: Tensor
    """Behaviour logprobs; NaN where there are none."""


def micro_batches(samples: Sequence[Sample], token_budget: int) -> list[list[int]]:
    """Indices of samples, shortest first, at most `token_budget` tokens each (one sample at
    least)."""
    order = sorted(range(len(samples)), key=lambda index: samples[index].length)
    batches: list[list[int]] = []
    used = token_budget + 1
    for index in order:
        length = samples[index].length
        if used + length > token_budget:
            batches.append([])
            used = 0
        batches[-1].append(index)
        used += length
    return batches


def pack(samples: Sequence[Sample], device: torch.device) -> Pack:
    tokens: list[int] = []
    positions: list[int] = []
    at: list[int] = []
    completion: list[bool] = []
    advantages: list[float] = []
    ce: list[float] = []
    behaviour: list[float] = []
    for sample in samples:
        start, prompt = len(tokens), len(sample.prompt_ids)
        tokens += sample.prompt_ids
        tokens += sample.completion_ids
        positions += range(sample.length)
        first = 0 if sample.prompt_ce else prompt - 1
        at += range(start + first, start + sample.length - 1)
        told, said = prompt - 1 - first, len(sample.completion_ids)
        completion += [False] * told + [True] * said
        advantages += [0.0] * told + [sample.advantage] * said
        ce += [sample.prompt_ce] * told + [sample.ce] * said
        known = list(sample.logprobs) if sample.logprobs else [float("nan")] * said
        behaviour += [float("nan")] * told + known
    tokens_T = torch.tensor(tokens, device=device)
    at_N = torch.tensor(at, device=device)
    return Pack(
        tokens_T=tokens_T,
        positions_T=torch.tensor(positions, device=device),
        lengths=[sample.length for sample in samples],
        at_N=at_N,
        targets_N=tokens_T[at_N + 1],
        completion_N=torch.tensor(completion, device=device),
        advantages_N=torch.tensor(advantages, device=device),
        ce_N=torch.tensor(ce, device=device),
        behaviour_N=torch.tensor(behaviour, device=device),
    )
