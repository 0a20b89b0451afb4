"""What each process of a sharded learner does in tests, and the samples that they share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from trainer.learner_config import LearnerConfig
from trainer.learner_processes import join, leave
from trainer.losses import Objective, StreamCounts
from trainer.samples import Sample
from trainer.sharded_backend import ShardedBackend

VOCABULARY = 300
RATE = 1e-3


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


def work(rank: int, folders: list[Path], out: Path) -> None:
    """One of four processes: a gradient and a step of each model, first by two of them, which write
    a checkpoint, then by all, which read it."""
    torch.set_num_threads(1)
    for world in (2, 4):
        if rank < world:
            join(rank, world, out / f"meeting-{world}", torch.device("cpu"))
            results = {folder.name: _compute(folder, world, out) for folder in folders}
            if rank == 0:
                torch.save(results, out / f"{world}.pt")
            leave()


def _compute(folder: Path, world: int, out: Path) -> dict[str, Any]:
    backend = Peer(folder, LearnerConfig(dtype="float32", micro_tokens=64))
    samples, shards = make_samples(), out / folder.name
    backend.snapshot_reference()
    sums = _compute_gradient(backend, samples)
    named = dict(backend._targets.model.named_parameters())
    gradient: dict[str, Any] = {name: p.grad for name, p in named.items() if p.grad is not None}
    results: dict[str, Any] = {
        "gradient": {name: grad.full_tensor() for name, grad in gradient.items()},
        "loss": sum(part["rl"] + part["ce"] + part["prompt_ce"] for part in sums),
        "norm": backend.gradient_norm(),
    }
    backend.apply_gradient(1.0, RATE)
    results["after"] = torch.cat(backend.logprobs(samples))
    if world == 2:
        backend.write_shards(shards)
    else:
        other = Peer(folder, LearnerConfig(dtype="float32", micro_tokens=64))
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
