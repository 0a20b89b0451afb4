"""`deskhand bench learner`: the packed learner beside a plain padded transformers loop.

Both take the same optimiser steps on the same batches: a policy of about 4 million parameters,
clipped policy gradients with advantages on completion tokens, bf16 products, fp32 master weights,
AdamW. Lengths are those of shop episodes: prompts of about 180 tokens that vary widely, short
answers, and one prompt in five (the first page of a task) common to a group of 8 episodes.

Tokens a second count real tokens, never padding; a shared prompt counts once for each of its
samples in both loops, because each of them has to be learnt from. `learner.unshared_*` reads every
prompt for itself, so it shows what packing alone gains; `learner.hf_*` is the backend that computes
with transformers' own model.

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from rich.console import Console
from torch import Tensor
from torch.nn.functional import cross_entropy
from transformers import Qwen3ForCausalLM

from benchmarks.figures import Figure, number, percentiles
from benchmarks.result import report
from trainer.learner import Learner, LearnerConfig
from trainer.model import ModelConfig, new_policy
from trainer.samples import Sample

VOCAB = 1536
MODEL = ModelConfig(vocab_size=VOCAB)
GROUPS, GROUP_SIZE, EPISODE_STEPS = 6, 8, 5
PADDED_BATCH = 8
"""Sequences of one padded micro-batch: the fastest on two cores of 4, 8, 16 and 32."""
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
                logprobs = tuple((-rng.exponential(0.4, len(answer))).tolist())
                page = first if step == 0 else prompt()
                samples.append(Sample(page, answer, logprobs, advantage=advantage, rl=1.0))
    return samples


class PaddedLoop:
    """The straightforward loop: right-padded micro-batches through transformers' model."""

    def __init__(self, model: Qwen3ForCausalLM) -> None:
        self.model = model.train()
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, fused=True)

    def step(self, samples: Sequence[Sample]) -> None:
        """One optimiser step over all samples."""
        total = sum(len(sample.completion_ids) for sample in samples)
        self.optimizer.zero_grad(set_to_none=True)
        for start in range(0, len(samples), PADDED_BATCH):
            self._accumulate(samples[start : start + PADDED_BATCH], total)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()

    def _accumulate(self, samples: Sequence[Sample], total: int) -> None:
        longest = max(sample.tokens for sample in samples)
        ids_BT = torch.zeros(len(samples), longest, dtype=torch.long)
        mask_BT = torch.zeros(len(samples), longest, dtype=torch.long)
        weight_BT = torch.zeros(len(samples), longest)
        sampler_BT = torch.zeros(len(samples), longest)
        for row, sample in enumerate(samples):
            prompt, end = len(sample.prompt_ids), sample.tokens
            ids_BT[row, :end] = torch.tensor(sample.prompt_ids + sample.completion_ids)
            mask_BT[row, :end] = 1
            assert isinstance(sample.advantage, float)
            weight_BT[row, prompt:end] = sample.advantage
            sampler_BT[row, prompt:end] = torch.tensor(sample.logprobs)
        with torch.autocast("cpu", torch.bfloat16):
            logits = self.model(input_ids=ids_BT, attention_mask=mask_BT, use_cache=False).logits
        # Logits at token t predict token t + 1.
        logprobs_BT = -cross_entropy(
            logits[:, :-1].float().transpose(1, 2), ids_BT[:, 1:], reduction="none"
        )
        loss = _surrogate(logprobs_BT, sampler_BT[:, 1:], weight_BT[:, 1:]) / total
        torch.autograd.backward(loss)


def _surrogate(logprobs_BT: Tensor, sampler_BT: Tensor, advantage_BT: Tensor) -> Tensor:
    """The learner's loss: clipped surrogate with truncated importance weights. Padding and prompts
    have advantage 0."""
    ratio_BT = (logprobs_BT - logprobs_BT.detach()).exp()
    correction_BT = (logprobs_BT.detach() - sampler_BT).exp().clamp(max=2.0)
    clipped_BT = ratio_BT.clamp(1 - CLIP_LOW, 1 + CLIP_HIGH)
    gain_BT = torch.minimum(ratio_BT * advantage_BT, clipped_BT * advantage_BT)
    return -(correction_BT * gain_BT).sum()


def measure_rates(
    step: Callable[[Sequence[Sample]], object], batches: Sequence[Sequence[Sample]]
) -> list[float]:
    """Real tokens a second of each batch after the first, which warms up."""
    rates = []
    for batch in batches:
        started = time.perf_counter()
        step(batch)
        rates.append(sum(sample.tokens for sample in batch) / (time.perf_counter() - started))
    return rates[1:]


def measure() -> dict[str, Figure]:
    """Figures of the packed learner, of packing alone, of transformers' model, and of the padded
    loop."""
    batches = [make_batch(seed) for seed in range(ROUNDS + 1)]
    model = new_policy(MODEL, VOCAB, 0)
    figures: dict[str, Figure] = {}
    rates: dict[str, list[float]] = {}
    for name, config in (
        ("learner.", LearnerConfig(backend="decoder")),
        ("learner.unshared_", LearnerConfig(backend="decoder", share_prompts=False)),
        ("learner.hf_", LearnerConfig(backend="transformers")),
    ):
        # The transformers backend trains the model that it is given in place.
        learner = Learner(copy.deepcopy(model), config)
        try:
            rates[name] = measure_rates(learner.step, batches)
        finally:
            learner.close()
    # The padded loop parallelises within operators, the learner across micro-batches.
    torch.set_num_threads(LearnerConfig().threads)
    rates["learner.padded_"] = measure_rates(PaddedLoop(model).step, batches)
    medians = {name: float(np.median(values)) for name, values in rates.items()}
    for name, values in rates.items():
        figures[f"{name}tokens_per_s"] = percentiles(values, "tokens/s")
    for name in ("learner.", "learner.unshared_", "learner.hf_"):
        speedup = medians[name] / medians["learner.padded_"]
        figures[f"{name}speedup"] = number(speedup, "x")
    parameters = sum(parameter.numel() for parameter in model.parameters())
    figures["learner.parameters"] = number(parameters / 1e6, "million")
    return figures


def run(json: Path | None) -> None:
    """Measures, prints the figures and writes them to `json`."""
    console = Console()
    with console.status("packed, packed without shared prompts, padded: about a minute"):
        figures = measure()
    report(figures, console, json)
