"""The learner against transformers' own forward, and what it promises about its updates."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
import torch
from transformers import Qwen3ForCausalLM

from trainer.learner import Learner, LearnerConfig
from trainer.model import ModelConfig, new_policy
from trainer.packing import pack
from trainer.samples import Sample

VOCAB = 400
SHAPE = ModelConfig(vocab_size=VOCAB, hidden=64, layers=2, heads=2, kv_heads=1, intermediate=96)
EXACT = LearnerConfig(dtype="float32", threads=1, micro_tokens=4096)


def policy(seed: int = 0) -> Qwen3ForCausalLM:
    return new_policy(SHAPE, VOCAB, seed)


@contextmanager
def learner(config: LearnerConfig = EXACT, seed: int = 0) -> Iterator[Learner]:
    made = Learner(policy(seed), config)
    try:
        yield made
    finally:
        made.close()


def samples(seed: int = 0, count: int = 12) -> list[Sample]:
    """Groups of four share a prompt; every stream has a weight somewhere."""
    rng = np.random.default_rng(seed)

    def ids(length: int) -> tuple[int, ...]:
        return tuple(rng.integers(4, VOCAB, length).tolist())

    made = []
    for index in range(count):
        prompt = ids(int(rng.integers(3, 150))) if index % 4 == 0 else made[-1].prompt_ids
        said = ids(int(rng.integers(1, 20)))
        made.append(
            Sample(
                prompt,
                said,
                tuple((-rng.exponential(1.0, len(said))).tolist()),
                advantage=float(rng.normal()),
                rl=1.0,
                ce=0.2 if index % 3 == 0 else 0.0,
            )
        )
    return made


def test_logprobs_are_those_of_transformers_model() -> None:
    model, asked = policy(), samples()
    with learner() as made:
        found = made.logprobs(asked)
    for sample, mine in zip(asked, found, strict=True):
        ids = torch.tensor([sample.prompt_ids + sample.completion_ids])
        with torch.no_grad():
            logs = model(ids).logits[0].float().log_softmax(-1)
        rows = range(len(sample.prompt_ids) - 1, ids.shape[1] - 1)
        theirs = [logs[row, ids[0, row + 1]].item() for row in rows]
        assert mine == pytest.approx(theirs, abs=2e-4)


def test_bf16_logprobs_are_close_to_fp32() -> None:
    with learner() as exact, learner(LearnerConfig(dtype="bfloat16", threads=1)) as fast:
        pairs = zip(exact.logprobs(samples()), fast.logprobs(samples()), strict=True)
        gaps = [abs(a - b) for left, right in pairs for a, b in zip(left, right, strict=True)]
    assert sum(gaps) / len(gaps) < 0.03


@pytest.mark.parametrize("share_prompts", [True, False])
@pytest.mark.parametrize("micro_tokens", [64, 4096])
def test_an_update_does_not_depend_on_how_it_was_packed(
    share_prompts: bool, micro_tokens: int
) -> None:
    other = EXACT.model_copy(update={"share_prompts": share_prompts, "micro_tokens": micro_tokens})
    with learner() as one, learner(other) as two:
        first, second = one.step(samples()), two.step(samples())
        assert second["loss/total"] == pytest.approx(first["loss/total"], rel=1e-4)
        assert second["grad_norm"] == pytest.approx(first["grad_norm"], rel=1e-3)
        torch.testing.assert_close(one.gradient, two.gradient, rtol=1e-3, atol=1e-5)


def test_the_gradient_is_that_of_a_padded_loss_through_transformers_model() -> None:
    model, asked = policy(), [dataclasses.replace(one, ce=1.0, rl=0.0) for one in samples(count=4)]
    total = sum(len(sample.completion_ids) for sample in asked)
    for sample in asked:
        ids = torch.tensor([sample.prompt_ids + sample.completion_ids])
        labels = ids.clone()
        labels[0, : len(sample.prompt_ids)] = -100
        share = len(sample.completion_ids) / total
        torch.autograd.backward(model(ids, labels=labels).loss * share)
    theirs = {name: parameter.grad for name, parameter in model.named_parameters()}
    with learner(EXACT.model_copy(update={"grad_clip": 1e9})) as made:
        made.step(asked)
        mine = made.weights.hf_views(made.gradient)
        for name, grad in theirs.items():
            assert grad is not None
            torch.testing.assert_close(mine[name], grad, rtol=2e-3, atol=2e-5, msg=name)


def test_imitation_lowers_the_loss_and_reinforcement_follows_the_advantage() -> None:
    good, bad = samples(count=1)[0], samples(seed=1, count=1)[0]
    pushed = [
        dataclasses.replace(good, advantage=1.0, logprobs=()),
        dataclasses.replace(bad, advantage=-1.0, logprobs=()),
    ]
    with learner(EXACT.model_copy(update={"lr": 1e-3, "warmup_steps": 0})) as made:
        before = [sum(values) for values in made.logprobs(pushed)]
        for _ in range(5):
            made.step(pushed)
        after = [sum(values) for values in made.logprobs(pushed)]
        assert after[0] > before[0]
        assert after[1] < before[1]
        losses = [made.step([dataclasses.replace(good, ce=1.0)])["loss/ce"] for _ in range(5)]
        assert losses[-1] < losses[0]


def test_a_resumed_learner_goes_on_bit_for_bit() -> None:
    config = EXACT.model_copy(update={"minibatches": 3})
    with learner(config) as steady, learner(config, seed=5) as resumed:
        steady.step(samples(1))
        resumed.load_state_dict(steady.state_dict())
        for seed in (2, 3):
            steady.step(samples(seed))
            resumed.step(samples(seed))
        assert torch.equal(steady.weights.master, resumed.weights.master)
        assert (steady.steps, steady.phase_steps) == (resumed.steps, resumed.phase_steps)


def test_equal_inputs_give_equal_weights_whatever_thread_was_first() -> None:
    config = EXACT.model_copy(update={"threads": 2, "micro_tokens": 64})
    with learner(config) as one, learner(config) as two:
        for made in (one, two):
            made.step(samples(1))
            made.step(samples(2))
        assert torch.equal(one.weights.master, two.weights.master)


def test_mismatch_compares_with_the_weights_before_the_update() -> None:
    with learner(EXACT.model_copy(update={"minibatches": 2, "lr": 0.01})) as made:
        asked = samples()
        exact = made.logprobs(asked)
        honest = [
            dataclasses.replace(sample, logprobs=logprobs)
            for sample, logprobs in zip(asked, exact, strict=True)
        ]
        found = made.step(honest)
    assert found["mismatch/abs_logprob_mean"] == pytest.approx(0.0, abs=1e-4)
    assert found["mismatch/tokens"] == sum(len(sample.completion_ids) for sample in asked)


def test_tokens_of_older_weights_are_compared_apart() -> None:
    with learner() as made:
        asked = samples(count=4)
        honest = [
            dataclasses.replace(sample, logprobs=logprobs)
            for sample, logprobs in zip(asked, made.logprobs(asked), strict=True)
        ]
        old = [dataclasses.replace(sample, lag=1) for sample in samples(seed=1, count=4)]
        found = made.step(honest + old)
    assert found["mismatch/abs_logprob_mean"] == pytest.approx(0.0, abs=1e-4)
    assert found["lagging/abs_logprob_mean"] > 0.1
    assert found["lagging/tokens"] == sum(len(sample.completion_ids) for sample in old)


def test_a_pull_to_the_reference_needs_one() -> None:
    pulled = [dataclasses.replace(one, ref_kl=0.1) for one in samples()]
    with learner() as made:
        with pytest.raises(ValueError, match="snapshot_reference"):
            made.step(pulled)
        made.snapshot_reference()
        assert made.step(pulled)["loss/ref_kl"] == pytest.approx(0.0, abs=1e-6)
        assert made.step(pulled)["loss/ref_kl"] > 0


def test_a_gradient_that_is_not_finite_changes_nothing() -> None:
    with learner() as made:
        before = made.weights.master.clone()
        with pytest.raises(FloatingPointError, match="weights are unchanged"):
            made.step([dataclasses.replace(samples()[0], advantage=float("inf"))])
        assert torch.equal(before, made.weights.master)


def test_the_weights_of_another_shape_are_refused() -> None:
    wider = SHAPE.model_copy(update={"intermediate": 128})
    other = Learner(new_policy(wider, VOCAB, 0), EXACT)
    with learner() as made, pytest.raises(ValueError, match="checkpoint is of a model of shape"):
        made.load_state_dict(other.state_dict())
    other.close()


def test_nothing_is_padded_and_shared_prompts_are_read_once() -> None:
    asked = samples()
    read = sum(len(batch.ids) for batch in pack(asked, 4096))
    prompts = {sample.prompt_ids for sample in asked}
    inputs = sum(len(sample.completion_ids) - 1 for sample in asked)
    assert read == sum(len(prompt) for prompt in prompts) + inputs
    apart = sum(len(batch.ids) for batch in pack(asked, 4096, share_prompts=False))
    assert apart == sum(sample.input_tokens for sample in asked)


def test_published_weights_are_the_masters_in_bf16() -> None:
    model = policy()
    with learner() as made:
        state = made.export_bf16_state()
    assert state.keys() == model.state_dict().keys()
    for name, value in model.state_dict().items():
        assert torch.equal(state[name], value.to(torch.bfloat16)), name
