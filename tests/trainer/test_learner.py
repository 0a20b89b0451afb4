"""The learner against transformers' own forward, and what it promises about its updates."""

from __future__ import annotations

import dataclasses

import pytest
import torch

from tests.trainer.tiny_policy import (
    EXACT,
    SHAPE,
    VOCAB,
    make_policy,
    make_samples,
    open_learner,
)
from trainer.learner import Learner, LearnerConfig
from trainer.model import new_policy


def test_logprobs_are_those_of_transformers_model() -> None:
    model, samples = make_policy(), make_samples()
    with open_learner() as learner:
        logprobs = learner.logprobs(samples)
    for sample, own in zip(samples, logprobs, strict=True):
        ids = torch.tensor([sample.prompt_ids + sample.completion_ids])
        with torch.no_grad():
            logs = model(ids).logits[0].float().log_softmax(-1)
        rows = range(len(sample.prompt_ids) - 1, ids.shape[1] - 1)
        theirs = [logs[row, ids[0, row + 1]].item() for row in rows]
        assert own == pytest.approx(theirs, abs=2e-4)


def test_a_prompts_state_is_the_last_hidden_one_before_the_answer() -> None:
    model, samples = make_policy(), make_samples()
    with open_learner(EXACT.model_copy(update={"threads": 2, "micro_tokens": 64})) as learner:
        states = learner.prompt_states(samples)
    for sample, own in zip(samples, states, strict=True):
        with torch.no_grad():
            hidden = model.model(torch.tensor([sample.prompt_ids])).last_hidden_state
        torch.testing.assert_close(own, hidden[0, -1], rtol=2e-4, atol=2e-4)


def test_bf16_logprobs_are_close_to_fp32() -> None:
    with open_learner() as exact, open_learner(LearnerConfig(dtype="bfloat16", threads=1)) as fast:
        pairs = zip(exact.logprobs(make_samples()), fast.logprobs(make_samples()), strict=True)
        gaps = [abs(a - b) for left, right in pairs for a, b in zip(left, right, strict=True)]
    assert sum(gaps) / len(gaps) < 0.03


@pytest.mark.parametrize("share_prompts", [True, False])
@pytest.mark.parametrize(("micro_tokens", "threads"), [(64, 1), (4096, 1), (64, 3)])
def test_an_update_does_not_depend_on_how_it_was_packed(
    share_prompts: bool, micro_tokens: int, threads: int
) -> None:
    split = {"share_prompts": share_prompts, "micro_tokens": micro_tokens, "threads": threads}
    other = EXACT.model_copy(update=split)
    with open_learner() as first_learner, open_learner(other) as second_learner:
        first = first_learner.step(make_samples())
        second = second_learner.step(make_samples())
        assert second["loss/total"] == pytest.approx(first["loss/total"], rel=1e-4)
        assert second["grad_norm"] == pytest.approx(first["grad_norm"], rel=1e-3)
        torch.testing.assert_close(
            first_learner.backend.optimizer.gradient_P,
            second_learner.backend.optimizer.gradient_P,
            rtol=1e-3,
            atol=1e-5,
        )


def test_the_gradient_is_that_of_a_padded_loss_through_transformers_model() -> None:
    model, samples = (
        make_policy(),
        [dataclasses.replace(s, ce=1.0, rl=0.0) for s in make_samples(count=4)],
    )
    total = sum(len(sample.completion_ids) for sample in samples)
    for sample in samples:
        ids = torch.tensor([sample.prompt_ids + sample.completion_ids])
        labels = ids.clone()
        labels[0, : len(sample.prompt_ids)] = -100
        share = len(sample.completion_ids) / total
        torch.autograd.backward(model(ids, labels=labels).loss * share)
    theirs = {name: parameter.grad for name, parameter in model.named_parameters()}
    with open_learner(EXACT.model_copy(update={"grad_clip": 1e9})) as learner:
        learner.step(samples)
        own = learner.backend.weights.hf_views(learner.backend.optimizer.gradient_P)
        for name, grad in theirs.items():
            assert grad is not None
            torch.testing.assert_close(own[name], grad, rtol=2e-3, atol=2e-5, msg=name)


def test_the_temperature_holds_for_what_was_sampled_at_it() -> None:
    model, sample = make_policy(), make_samples(count=1)[0]
    ids = torch.tensor([sample.prompt_ids + sample.completion_ids])
    with torch.no_grad():
        logits = model(ids).logits[0].float()
    rows = range(len(sample.prompt_ids) - 1, ids.shape[1] - 1)

    def theirs(temperature: float) -> list[float]:
        logs = (logits / temperature).log_softmax(-1)
        return [logs[row, ids[0, row + 1]].item() for row in rows]

    text = dataclasses.replace(sample, logprobs=())
    with open_learner(EXACT.model_copy(update={"temperature": 0.6})) as learner:
        sampled, written = learner.logprobs([sample, text])
    assert sampled == pytest.approx(theirs(0.6), abs=2e-4)
    assert written == pytest.approx(theirs(1.0), abs=2e-4)


def test_imitation_lowers_the_loss_and_reinforcement_follows_the_advantage() -> None:
    good, bad = make_samples(count=1)[0], make_samples(seed=1, count=1)[0]
    pushed = [
        dataclasses.replace(good, advantage=1.0, logprobs=()),
        dataclasses.replace(bad, advantage=-1.0, logprobs=()),
    ]
    with open_learner(EXACT.model_copy(update={"lr": 1e-3, "warmup_steps": 0})) as learner:
        before = [sum(values) for values in learner.logprobs(pushed)]
        for _ in range(5):
            learner.step(pushed)
        after = [sum(values) for values in learner.logprobs(pushed)]
        assert after[0] > before[0]
        assert after[1] < before[1]
        losses = [learner.step([dataclasses.replace(good, ce=1.0)])["loss/ce"] for _ in range(5)]
        assert losses[-1] < losses[0]


def test_a_resumed_learner_goes_on_bit_for_bit() -> None:
    config = EXACT.model_copy(update={"minibatches": 3})
    with open_learner(config) as steady, open_learner(config, seed=5) as resumed:
        steady.step(make_samples(1))
        resumed.load_state_dict(steady.state_dict())
        for seed in (2, 3):
            steady.step(make_samples(seed))
            resumed.step(make_samples(seed))
        assert torch.equal(steady.backend.weights.master_P, resumed.backend.weights.master_P)
        assert (steady.steps, steady.phase_steps) == (resumed.steps, resumed.phase_steps)


def test_equal_inputs_give_equal_weights_whatever_thread_was_first() -> None:
    config = EXACT.model_copy(update={"threads": 2, "micro_tokens": 64})
    with open_learner(config) as first, open_learner(config) as second:
        for learner in (first, second):
            learner.step(make_samples(1))
            learner.step(make_samples(2))
        assert torch.equal(first.backend.weights.master_P, second.backend.weights.master_P)


def test_samples_without_effect_cost_nothing_and_weaken_nothing() -> None:
    active = make_samples(count=4)
    inert = [dataclasses.replace(s, ce=0.0, advantage=0.0) for s in make_samples(1, count=8)]
    with open_learner() as alone, open_learner() as beside:
        alone_figures = alone.step(active, minibatches=2)
        figures = beside.step([*inert, *active], minibatches=2)
        assert torch.equal(alone.backend.weights.master_P, beside.backend.weights.master_P)
        assert (figures["samples"], figures["inert_samples"]) == (12.0, 8.0)
        assert figures["tokens"] == alone_figures["tokens"]
        before = beside.steps
        assert beside.step(inert)["inert_samples"] == 8.0
        assert beside.steps == before, "nothing to learn from is no optimiser step"


def test_mismatch_compares_with_the_weights_before_the_update() -> None:
    with open_learner(EXACT.model_copy(update={"minibatches": 2, "lr": 0.01})) as learner:
        samples = make_samples()
        exact = learner.logprobs(samples)
        honest = [
            dataclasses.replace(sample, logprobs=logprobs)
            for sample, logprobs in zip(samples, exact, strict=True)
        ]
        figures = learner.step(honest)
    assert figures["mismatch/abs_logprob_mean"] == pytest.approx(0.0, abs=1e-4)
    assert figures["mismatch/tokens"] == sum(len(sample.completion_ids) for sample in samples)


def test_tokens_of_older_weights_are_compared_apart() -> None:
    with open_learner() as learner:
        samples = make_samples(count=4)
        honest = [
            dataclasses.replace(sample, logprobs=logprobs)
            for sample, logprobs in zip(samples, learner.logprobs(samples), strict=True)
        ]
        old = [dataclasses.replace(sample, staleness=1) for sample in make_samples(seed=1, count=4)]
        figures = learner.step(honest + old)
    assert figures["mismatch/abs_logprob_mean"] == pytest.approx(0.0, abs=1e-4)
    assert figures["lagging/abs_logprob_mean"] > 0.1
    assert figures["lagging/tokens"] == sum(len(sample.completion_ids) for sample in old)


def test_a_pull_to_the_reference_needs_one() -> None:
    pulled = [dataclasses.replace(sample, ref_kl=0.1) for sample in make_samples()]
    with open_learner() as learner:
        with pytest.raises(ValueError, match="snapshot_reference"):
            learner.step(pulled)
        learner.snapshot_reference()
        assert learner.step(pulled)["loss/ref_kl"] == pytest.approx(0.0, abs=1e-6)
        assert learner.step(pulled)["loss/ref_kl"] > 0


def test_a_gradient_that_is_not_finite_changes_nothing() -> None:
    with open_learner() as learner:
        before = learner.backend.weights.master_P.clone()
        with pytest.raises(FloatingPointError, match="weights are unchanged"):
            learner.step([dataclasses.replace(make_samples()[0], advantage=float("inf"))])
        assert torch.equal(before, learner.backend.weights.master_P)


def test_the_weights_of_another_shape_are_refused() -> None:
    wider = SHAPE.model_copy(update={"intermediate": 128})
    other = Learner(new_policy(wider, VOCAB, 0), EXACT)
    with (
        open_learner() as learner,
        pytest.raises(ValueError, match="checkpoint is of a model of shape"),
    ):
        learner.load_state_dict(other.state_dict())
    other.close()


def test_published_weights_are_the_masters_in_bf16() -> None:
    model = make_policy()
    with open_learner() as learner:
        state = learner.export_bf16_state()
    assert state.keys() == model.state_dict().keys()
    for name, value in model.state_dict().items():
        assert torch.equal(state[name], value.to(torch.bfloat16)), name
