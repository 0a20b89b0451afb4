"""What each process of a sharded learner does in tests, and the samples that they share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch

from tests.trainer.test_picture_forward import SEES
from tests.trainer.test_picture_forward import make_samples as make_picture_samples
from trainer.learner_config import LearnerConfig
from trainer.learner_processes import join, leave
from trainer.lora import LoraConfig
from trainer.losses import Objective, StreamCounts
from trainer.samples import Sample
from trainer.sharded_backend import ShardedBackend
from trainer.sharded_tensors import local_share

VOCABULARY = 300
RATE = 1e-3
B_ENTRY = 0.02
"""Of an adapter that is compared: with zeros half of its gradient would be zero."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A model and how it is trained."""

    folder: Path
    rank: int = 0
    """of adapters; 0: all weights are trained"""
    moments: Literal["float32", "bfloat16"] = "float32"

    @property
    def name(self) -> str:
        """Of its results."""
        return f"{self.folder.name}-{self.rank}-{self.moments}"

    @property
    def samples(self) -> list[Sample]:
        """With and without pictures where the model reads any."""
        if self.folder.name not in SEES:
            return make_samples()
        return [*make_picture_samples(self.folder), *make_samples(5)]

    @property
    def config(self) -> LearnerConfig:
        """Of the learner, in any number of processes."""
        return LearnerConfig(
            dtype="float32",
            micro_tokens=64,
            threads=1,
            lora=LoraConfig(rank=self.rank),
            moments=self.moments,
        )


def make_samples(count: int = 7) -> list[Sample]:
    """Of several lengths, with weights in several streams."""
    rng = np.random.default_rng(5)

    def ids(length: int) -> tuple[int, ...]:
        return tuple(rng.integers(4, VOCABULARY, length).tolist())

    samples = []
    for number in range(count):
        answer = ids(3 + number)
        samples.append(
            Sample(
                ids(10 + 3 * number),
                answer,
                logprobs=tuple(rng.uniform(-7, -5, len(answer)).tolist()),
                advantage=float(rng.normal()),
                rl=1.0,
                ce=0.5 * (number % 2),
                prompt_ce=0.1,
                ref_kl=0.2,
            )
        )
    return samples


class Peer(ShardedBackend):
    """All processes make the calls by themselves: nobody has to be told."""

    leads = False


def work(rank: int, cases: list[Case], out: Path) -> None:
    """One of four processes: a gradient and a step of each case, first by two of them, which write
    a checkpoint, then by all, which read it."""
    torch.set_num_threads(1)
    for world in (2, 4):
        if rank < world:
            join(rank, world, out / f"meeting-{world}", torch.device("cpu"))
            results = {case.name: _compute(case, world, out) for case in cases}
            if rank == 0:
                torch.save(results, out / f"{world}.pt")
            leave()


def _compute(case: Case, world: int, out: Path) -> dict[str, Any]:
    backend = Peer(case.folder, case.config)
    samples, shards = case.samples, out / case.name
    named = dict(backend._targets.model.named_parameters())
    for name, parameter in named.items():
        if name.endswith("lora_B"):
            local_share(parameter.data).fill_(B_ENTRY)
    backend.snapshot_reference()
    sums = _compute_gradient(backend, samples)
    gradient: dict[str, Any] = {name: p.grad for name, p in named.items() if p.grad is not None}
    adapter = backend.export_adapter()
    results: dict[str, Any] = {
        "gradient": {name: grad.full_tensor() for name, grad in gradient.items()},
        "loss": sum(part["rl"] + part["ce"] + part["prompt_ce"] for part in sums),
        "norm": backend.gradient_norm(),
        "base": torch.cat(backend.base_logprobs(samples)),
        "adapter": adapter.tensors if adapter is not None else {},
    }
    backend.apply_gradient(1.0, RATE)
    results["after"] = torch.cat(backend.logprobs(samples))
    if world == 2:
        backend.write_shards(shards)
    else:
        other = Peer(case.folder, case.config)
        other.read_shards(shards, has_reference=True)
        results["read"] = torch.cat(other.logprobs(samples))
        backend = other
    results["resumed"] = torch.cat(backend.logprobs(samples))
    _compute_gradient(backend, samples)
    backend.apply_gradient(1.0, RATE)
    results["next"] = torch.cat(backend.logprobs(samples))
    return results


def _compute_gradient(backend: Peer, samples: list[Sample]) -> list[dict[str, float]]:
    objective = Objective(backend.config.loss, StreamCounts.of(samples))
    return backend.compute_gradient(samples, [None] * len(samples), objective).sums
