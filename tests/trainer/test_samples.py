"""Samples refuse what does not fit together, and know whether they can move weights."""

from __future__ import annotations

import pytest

from agent_server.episodes.trajectory import Completion, Step
from envs.contract.actions import ActionResult
from trainer.samples import Sample, ce_sample, rl_sample, text_sample, weigh_imitation


def step(**completion: object) -> Step:
    parsed = Completion.model_validate({"text": "click #1", **completion})
    return Step(index=3, prompt="page", completion=parsed, result=ActionResult.success())


def test_a_reinforced_step_keeps_the_engines_own_ids_and_logprobs() -> None:
    sample = rl_sample(step(prompt_ids=[1, 2], token_ids=[3], logprobs=[-0.5]), 2.0, ref_kl=0.1)
    assert (sample.prompt_ids, sample.completion_ids, sample.logprobs) == ((1, 2), (3,), (-0.5,))
    assert (sample.advantage, sample.rl, sample.ref_kl, sample.ce) == (2.0, 1.0, 0.1, 0.0)


def test_reinforcement_without_the_samplers_logprobs_is_refused() -> None:
    with pytest.raises(ValueError, match="step 3 has 1 tokens but 0 logprobs"):
        rl_sample(step(prompt_ids=[1], token_ids=[3]), 1.0)


def test_one_weight_for_each_token_must_fit_their_number() -> None:
    with pytest.raises(ValueError, match="advantage has 1 values for 2 completion tokens"):
        Sample((1,), (2, 3), advantage=(1.0,))


@pytest.mark.parametrize("ids", [((), (1,)), ((1,), ())])
def test_nothing_to_read_or_nothing_to_say_is_refused(ids: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(ValueError, match="at least one prompt token"):
        Sample(*ids)


def test_only_a_sample_with_a_weight_in_some_stream_moves_weights() -> None:
    assert not Sample((1,), (2,), (-1.0,), rl=1.0).moves_weights, "advantage 0"
    assert Sample((1,), (2,), (-1.0,), rl=1.0, advantage=-1.0).moves_weights
    assert ce_sample(step(prompt_ids=[1], token_ids=[2], logprobs=[-1.0])).moves_weights
    assert text_sample([1], [2], weight=0.0, prompt_ce=0.1).moves_weights


def test_the_last_token_is_never_an_input() -> None:
    sample = text_sample([1, 2, 3], [4, 5])
    assert (sample.tokens, sample.input_tokens) == (5, 4)


def test_parts_of_the_imitation_stream_weigh_what_was_said() -> None:
    short, long = text_sample([1], [2]), text_sample([1], [2, 3, 4])
    (first,), (second,), (off,) = weigh_imitation([(0.3, [short]), (0.1, [long]), (0.0, [long])])
    assert (first.ce, second.ce) == pytest.approx((0.3 * 4 / 1, 0.1 * 4 / 3)), "4 tokens in all"
    assert off.ce == 0.0
    # With a loss of 2 nats on the short part's token and of 5 on the long one's:
    stream = (first.ce * 2.0 + second.ce * 3 * 5.0) / 4  # type: ignore[operator]
    assert stream == pytest.approx(0.3 * 2.0 + 0.1 * 5.0)
