"""DPO against values worked out by hand, and against the gradient of its own loss."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from tests.trainer.tiny_policy import EXACT, make_policy, make_samples, open_learner
from trainer.algorithms.dpo import Dpo
from trainer.algorithms.protocol import BatchView, EpisodeView, GroupView, StepView
from trainer.loss_config import LossConfig
from trainer.objective import phase_loss


def make_episode(reward: float, *steps: StepView) -> EpisodeView:
    return EpisodeView(reward=reward, success=reward >= 1.0, steps=steps)


BETTER = StepView(state="a", answer="x", tokens=3, policy_logprob=-1.0, reference_logprob=-2.0)
WORSE = StepView(state="a", answer="y", tokens=1, policy_logprob=-3.0, reference_logprob=-2.5)


def advantages_of(algorithm: Dpo, *episodes: EpisodeView) -> list[list[float]]:
    groups = (GroupView(template="shop/price", episodes=episodes),)
    return [part.tolist() for part in algorithm.advantages(BatchView(groups=groups))[0]]


def test_the_better_answer_to_a_prompt_rises_as_the_worse_falls() -> None:
    # m = 1/2 ((-1 + 2) - (-3 + 2.5)) = 3/4; slope 1/2 sigma(-3/4). Four tokens, one pair: each
    # token has four times the slope, of which the mean over tokens leaves the slope.
    good, bad = advantages_of(Dpo(beta=0.5), make_episode(1.0, BETTER), make_episode(0.0, WORSE))
    slope = 0.5 / (1 + math.exp(0.75))
    assert (good, bad) == (pytest.approx([4 * slope]), pytest.approx([-4 * slope]))


def test_only_different_answers_to_one_prompt_of_unequal_episodes_are_a_pair() -> None:
    elsewhere = dataclasses.replace(WORSE, state="b")
    alike = dataclasses.replace(WORSE, answer="x")
    for other in (make_episode(0.0, elsewhere, alike), make_episode(1.0, WORSE)):
        values = advantages_of(Dpo(), make_episode(1.0, BETTER), other)
        assert not np.any(np.concatenate(values))


def test_a_refused_answer_is_never_the_better_one() -> None:
    refused = dataclasses.replace(BETTER, refused=True)
    values = advantages_of(Dpo(), make_episode(1.0, refused), make_episode(0.0, WORSE))
    assert values == [[0.0], [0.0]]


def test_an_answer_in_several_pairs_gets_the_sum() -> None:
    # Two failures: two pairs, both with the better answer; five tokens.
    values = advantages_of(
        Dpo(beta=0.5), make_episode(1.0, BETTER), make_episode(0.0, WORSE), make_episode(0.0, WORSE)
    )
    slope = 0.5 / (1 + math.exp(0.75))
    assert values == [
        pytest.approx([5 / 2 * 2 * slope]),
        pytest.approx([-5 / 2 * slope]),
        pytest.approx([-5 / 2 * slope]),
    ]


def test_pairs_are_not_corrected_for_who_sampled_them() -> None:
    assert phase_loss(LossConfig(), Dpo()).tis_cap is None


def test_the_learners_gradient_is_that_of_the_loss_of_dpo() -> None:
    algorithm, pair = Dpo(beta=0.5), make_samples(count=2)
    with open_learner(EXACT.model_copy(update={"grad_clip": 1e9})) as learner:
        learner.snapshot_reference()
        learner.step([dataclasses.replace(s, ce=1.0, rl=0.0) for s in make_samples(seed=3)], 3e-3)
        policy, reference = learner.logprobs(pair), learner.reference_logprobs(pair)
        views = [
            StepView(
                state="a",
                answer=index,
                tokens=len(sample.completion_ids),
                policy_logprob=sum(policy[index]),
                reference_logprob=sum(reference[index]),
            )
            for index, sample in enumerate(pair)
        ]
        values = advantages_of(algorithm, make_episode(1.0, views[0]), make_episode(0.0, views[1]))
        weights = learner.backend.weights  # type: ignore[attr-defined]
        state = {name: view.clone() for name, view in weights.hf_views(weights.master_P).items()}
        loss = phase_loss(EXACT.loss, algorithm)
        samples = [
            dataclasses.replace(sample, advantage=value[0], rl=1.0, ce=0.0)
            for sample, value in zip(pair, values, strict=True)
        ]
        learner.step(samples, loss=loss)
        own = weights.hf_views(learner.backend.optimizer.gradient_P)  # type: ignore[attr-defined]

        model = make_policy()
        model.load_state_dict(state)
        sums = []
        for sample in pair:
            ids = torch.tensor([sample.prompt_ids + sample.completion_ids])
            logs = model(ids).logits[0].log_softmax(-1)
            start = len(sample.prompt_ids)
            sums.append(logs[start - 1 : -1].gather(1, ids[0, start:, None]).sum())
        first, second = (total - sum(reference[i]) for i, total in enumerate(sums))
        torch.autograd.backward(-F.logsigmoid(algorithm.beta * (first - second)))
        for name, parameter in model.named_parameters():
            assert parameter.grad is not None
            torch.testing.assert_close(own[name], parameter.grad, rtol=2e-3, atol=2e-5, msg=name)
