"""A policy small enough for tests, and samples that use every stream."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from transformers import Qwen3ForCausalLM

from trainer.learner import Learner, LearnerConfig
from trainer.model import ModelConfig, new_policy
from trainer.samples import Sample

VOCAB = 400
SHAPE = ModelConfig(vocab_size=VOCAB, hidden=64, layers=2, heads=2, kv_heads=1, intermediate=96)
EXACT = LearnerConfig(dtype="float32", threads=1, micro_tokens=4096)


def make_policy(seed: int = 0) -> Qwen3ForCausalLM:
    return new_policy(SHAPE, VOCAB, seed)


@contextmanager
def open_learner(config: LearnerConfig = EXACT, seed: int = 0) -> Iterator[Learner]:
    learner = Learner(make_policy(seed), config)
    try:
        yield learner
    finally:
        learner.close()


def make_samples(seed: int = 0, count: int = 12) -> list[Sample]:
    """Groups of four share a prompt; every stream has a weight somewhere."""
    rng = np.random.default_rng(seed)

    def ids(length: int) -> tuple[int, ...]:
        return tuple(rng.integers(4, VOCAB, length).tolist())

    samples: list[Sample] = []
    for index in range(count):
        prompt = ids(int(rng.integers(3, 150))) if index % 4 == 0 else samples[-1].prompt_ids
        answer = ids(int(rng.integers(1, 20)))
        samples.append(
            Sample(
                prompt,
                answer,
                tuple((-rng.exponential(1.0, len(answer))).tolist()),
                advantage=float(rng.normal()),
                rl=1.0,
                ce=0.2 if index % 3 == 0 else 0.0,
            )
        )
    return samples
