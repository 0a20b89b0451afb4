"""The two loops that are compared take the same work, and the batches are always the same."""

from __future__ import annotations

import torch
from transformers import Qwen3ForCausalLM

from benchmarks.learner import (
    EPISODE_STEPS,
    GROUP_SIZE,
    GROUPS,
    PaddedLoop,
    make_batch,
    measure_rates,
)
from trainer.learner import Learner, LearnerConfig
from trainer.model import ModelConfig, new_policy
from trainer.samples import Sample

SHAPE = ModelConfig(hidden=64, layers=1, heads=1, kv_heads=1, intermediate=64)


def make_policy() -> Qwen3ForCausalLM:
    return new_policy(SHAPE, 1536, 0)


def test_batches_are_reproducible_and_share_each_groups_first_prompt() -> None:
    batch = make_batch(3)
    assert batch == make_batch(3)
    assert len(batch) == GROUPS * GROUP_SIZE * EPISODE_STEPS
    first_of_group = [batch[index].prompt_ids for index in range(0, len(batch), EPISODE_STEPS)]
    assert len(set(first_of_group)) == GROUPS
    assert all(len(sample.logprobs) == len(sample.completion_ids) for sample in batch)


def test_the_padded_loops_gradient_is_the_learners() -> None:
    samples = [
        Sample((5, 6, 7), (8, 9), (-7.0, -7.5), advantage=1.0, rl=1.0),
        Sample((5, 6), (10, 11, 12), (-7.0, -7.2, -7.1), advantage=-0.5, rl=1.0),
    ]
    model = make_policy()
    PaddedLoop(model).step(samples)
    config = LearnerConfig(dtype="float32", threads=1)
    learner = Learner(make_policy(), config)
    learner.step(samples)
    own = learner.backend.weights.hf_views(learner.backend.optimizer.gradient_P)
    learner.close()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None
        difference = (own[name] - parameter.grad).norm() / parameter.grad.norm()
        assert difference < 0.1, f"{name}: bf16 products differ from fp32 by {difference:.3f}"
    assert torch.isfinite(learner.backend.optimizer.gradient_P).all()


def test_the_first_batch_warms_up_and_is_not_counted() -> None:
    batches = [make_batch(0)[:2]] * 4
    steps: list[int] = []
    rates = measure_rates(lambda batch: steps.append(len(batch)), batches)
    assert (steps, len(rates)) == ([2, 2, 2, 2], 3)
    assert all(rate > 0 for rate in rates)
