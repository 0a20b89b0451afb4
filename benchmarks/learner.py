"""`deskhand bench learner`: the packed learner beside a plain padded transformers loop.

Both take the same optimiser steps on the same batches: a policy of about 4 million parameters,
clipped policy gradients with advantages on completion tokens, bf16 products, fp32 master weights,
AdamW. Lengths are those of shop episodes: prompts of about 180 tokens that vary widely, short
answers, and one prompt in five (the first page of a task) common to a group of 8 episodes.

Tokens a second count real tokens, never padding; a shared prompt counts once for each of its
samples in both loops, for that is the work asked for. `learner.unshared_*` reads every prompt for
itself, so it shows what packing alone gains.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from rich.console import Console
from torch import Tensor
from torch.nn.functional import cross_entropy
from transformers import Qwen3ForCausalLM

from benchmarks.result import Figure, Result, plain, result, sampled, show, write
from trainer.learner import Learner, LearnerConfig
from trainer.model import ModelConfig, new_policy
from trainer.samples import Sample

VOCAB = 1536
MODEL = ModelConfig(vocab_size=VOCAB)
GROUPS, GROUP_SIZE, EPISODE_STEPS = 6, 8, 5
PADDED_BATCH = 8
"""Sequences of one padded micro-batch: the largest figure on two cores, of 4, 8, 16 and 32."""
ROUNDS = 5
CLIP_LOW, CLIP_HIGH = 0.2, 0.28


def make_batch(seed: int) -> list[Sample]:
    """Steps of GROUPS x GROUP_SIZE episodes; each group's first prompt is the same for all."""
    rng = np.random.default_rng(seed)
    samples = []

    def tokens(count: int) -> tuple[int, ...]:
        return tuple(rng.integers(4, VOCAB, count).tolist())

    def prompt() -> tuple[int, ...]:
        return tokens(int(np.clip(rng.lognormal(np.log(160), 0.5), 60, 600)))

    for _ in range(GROUPS):
        first = prompt()
        for _ in range(GROUP_SIZE):
            advantage = float(rng.normal())
            for step in range(EPISODE_STEPS):
                answer = tokens(int(rng.integers(8, 24)))
                sampler = tuple((-rng.exponential(0.4, len(answer))).tolist())
                read = first if step == 0 else prompt()
                samples.append(Sample(read, answer, sampler, advantage=advantage, rl=1.0))
    return samples


class PaddedLoop:
    """What one writes first: right-padded micro-batches through the library's model."""

    def __init__(self, model: Qwen3ForCausalLM) -> None:
        self.model = model.train()
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)

    def step(self, samples: Sequence[Sample]) -> None:
        total = sum(len(sample.completion_ids) for sample in samples)
        self.optimizer.zero_grad(set_to_none=True)
        for start in range(0, len(samples), PADDED_BATCH):
            self._micro(samples[start : start + PADDED_BATCH], total)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()

    def _micro(self, samples: Sequence[Sample], total: int) -> None:
        longest = max(sample.tokens for sample in samples)
        ids_BT = torch.zeros(len(samples), longest, dtype=torch.long)
        seen_BT = torch.zeros(len(samples), longest, dtype=torch.long)
        weight_BT = torch.zeros(len(samples), longest)
        sampler_BT = torch.zeros(len(samples), longest)
        for row, sample in enumerate(samples):
            prompt, end = len(sample.prompt_ids), sample.tokens
            ids_BT[row, :end] = torch.tensor(sample.prompt_ids + sample.completion_ids)
            seen_BT[row, :end] = 1
            assert isinstance(sample.advantage, float)
            weight_BT[row, prompt:end] = sample.advantage
            sampler_BT[row, prompt:end] = torch.tensor(sample.logprobs)
        with torch.autocast("cpu", torch.bfloat16):
            logits = self.model(input_ids=ids_BT, attention_mask=seen_BT, use_cache=False).logits
        logprobs = -cross_entropy(
            logits[:, :-1].float().transpose(1, 2), ids_BT[:, 1:], reduction="none"
        )
        loss = _surrogate(logprobs, sampler_BT[:, 1:], weight_BT[:, 1:]) / total
        torch.autograd.backward(loss)


def _surrogate(logprobs: Tensor, sampler: Tensor, advantage: Tensor) -> Tensor:
    ratio = (logprobs - logprobs.detach()).exp()
    correction = (logprobs.detach() - sampler).exp().clamp(max=2.0)
    clipped = ratio.clamp(1 - CLIP_LOW, 1 + CLIP_HIGH)
    return -(correction * torch.minimum(ratio * advantage, clipped * advantage)).sum()


def rates(step: Callable[[Sequence[Sample]], object], batches: list[list[Sample]]) -> list[float]:
    """Real tokens a second of each batch after the first, which warms up."""
    found = []
    for batch in batches:
        started = time.perf_counter()
        step(batch)
        found.append(sum(sample.tokens for sample in batch) / (time.perf_counter() - started))
    return found[1:]


def measure() -> Result:
    batches = [make_batch(seed) for seed in range(ROUNDS + 1)]
    model = new_policy(MODEL, VOCAB, 0)
    figures: dict[str, Figure] = {}
    found: dict[str, list[float]] = {}
    for name, shared in (("learner.", True), ("learner.unshared_", False)):
        learner = Learner(model, LearnerConfig(share_prompts=shared))
        try:
            found[name] = rates(learner.step, batches)
        finally:
            learner.close()
    torch.set_num_threads(LearnerConfig().threads)
    found["learner.padded_"] = rates(PaddedLoop(model).step, batches)
    middle = {name: float(np.median(values)) for name, values in found.items()}
    for name, values in found.items():
        figures[f"{name}tokens_per_s"] = sampled(values, "tokens/s")
    figures["learner.speedup"] = plain(middle["learner."] / middle["learner.padded_"], "x")
    figures["learner.unshared_speedup"] = plain(
        middle["learner.unshared_"] / middle["learner.padded_"], "x"
    )
    parameters = sum(parameter.numel() for parameter in model.parameters())
    figures["learner.parameters"] = plain(parameters / 1e6, "million")
    return result(figures)


def run(json: Path | None) -> None:
    console = Console()
    with console.status("packed, packed without shared prompts, padded: about a minute"):
        measured = measure()
    show(measured, console)
    if json is not None:
        write(json, measured)
