"""What a GPU needs of the transformers backend, as far as a CPU can tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch._dynamo import reset
from torch._dynamo.utils import counters
from transformers.modeling_layers import GradientCheckpointingLayer

from tests.trainer.tiny_policy import EXACT, make_policy, make_samples, open_learner
from trainer.learner import Learner, LearnerConfig
from trainer.packed_forward import VARLEN
from trainer.samples import Sample

UNSHARED = EXACT.model_copy(update={"backend": "transformers", "share_prompts": False})


@pytest.fixture
def fresh_compiler() -> Iterator[None]:
    reset()
    counters.clear()
    yield
    reset()


def take_step(learner: Learner, samples: list[Sample]) -> torch.Tensor:
    """The weights after one step; closes the learner."""
    backend: Any = learner.backend
    learner.step(samples)
    weights: torch.Tensor = backend.weights.master_P.clone()
    learner.close()
    return weights


def expected_weights() -> torch.Tensor:
    with open_learner(UNSHARED) as learner:
        return take_step(learner, make_samples())


def test_compiled_layers_attend_by_samples_and_train_the_same() -> None:
    learner = Learner(make_policy(), UNSHARED.model_copy(update={"compile": True}))
    backend: Any = learner.backend
    assert backend.weights.module.config._attn_implementation == VARLEN
    assert not backend.shares_prompts
    # What the compiler makes of a layer takes minutes on a CPU; that it is asked is seen here.
    layers = [
        module
        for module in backend.weights.module.modules()
        if isinstance(module, GradientCheckpointingLayer)
    ]
    assert layers
    assert all(layer._compiled_call_impl is not None for layer in layers)
    with torch.compiler.set_stance("force_eager"):
        own = take_step(learner, make_samples())
    torch.testing.assert_close(own, expected_weights(), rtol=0, atol=1e-5)


def test_all_layers_and_all_lengths_are_one_graph(fresh_compiler: None) -> None:
    config = LearnerConfig.model_validate(UNSHARED.model_dump() | {"compile": True})
    learner = Learner(make_policy(), config)
    backend: Any = learner.backend
    for module in backend.weights.module.modules():
        if isinstance(module, GradientCheckpointingLayer):
            module.compile(dynamic=True, backend="aot_eager", fullgraph=True)
    samples = make_samples()
    for count in (12, 3, 1):
        learner.step(samples[:count])
    learner.close()
    assert counters["stats"]["unique_graphs"] == 1


def test_without_threads_gradients_are_added_as_they_are_made() -> None:
    learner = Learner(make_policy(), UNSHARED)
    backend: Any = learner.backend
    learner.close()
    # As on a GPU, where one thread queues all.
    backend._pool = None
    backend._add_gradients_at_once()
    own = take_step(learner, make_samples())
    torch.testing.assert_close(own, expected_weights(), rtol=0, atol=1e-5)
    assert all(leaf.grad is None for leaf in backend.weights.leaves.values())


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA device")
def test_a_gpu_computes_the_same_in_bf16() -> None:
    samples = make_samples()
    with open_learner(UNSHARED) as oracle:
        expected = oracle.logprobs(samples)
    config = UNSHARED.model_copy(update={"device": "cuda", "dtype": "bfloat16"})
    learner = Learner(make_policy(), config)
    gaps = [
        (torch.tensor(own) - torch.tensor(theirs)).abs()
        for own, theirs in zip(learner.logprobs(samples), expected, strict=True)
    ]
    assert torch.cat(gaps).mean() < 0.02
    assert learner.step(samples)["grad_norm"] > 0
