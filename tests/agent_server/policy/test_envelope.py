"""The envelope of an evaluation, and a guard that stops a policy outside of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.episodes.agent import Sampling, Turn
from agent_server.episodes.compact import parse
from agent_server.episodes.trajectory import Completion, Step
from agent_server.policy.envelope import (
    Envelope,
    EnvelopeError,
    GuardedPolicy,
    find_exit,
    measure_envelope,
    read_envelope,
)
from envs.contract.actions import ActionResult, Infeasible
from envs.contract.observations import Observation
from envs.contract.task import Task

ENVELOPE = Envelope(
    episodes=1, success_rate=1.0, templates=(), prompt_tokens=10, surprisal=0.5, patience=2
)
TURN = Turn(Task(id="t", instruction="x"), Observation(hash="", url=""), "p", Sampling())


def make_completion(surprisal: float, prompt: int = 5) -> Completion:
    return Completion(
        text="click Cart", prompt_ids=(1,) * prompt, token_ids=(2, 3), logprobs=(-surprisal,) * 2
    )


def make_step(surprisal: float, prompt: int = 5) -> Step:
    completion = make_completion(surprisal, prompt)
    return Step(index=0, prompt="", completion=completion, result=ActionResult.success())


class Scripted:
    def __init__(self, *completions: Completion) -> None:
        self.completions = list(completions)

    async def act(self, turn: Turn) -> Completion:
        return self.completions.pop(0)


async def play(*completions: Completion) -> list[str]:
    policy = GuardedPolicy(Scripted(*completions), ENVELOPE)
    return [(await policy.act(TURN)).text for _ in completions]


async def test_a_long_prompt_is_stopped_at_once_and_ends_the_episode_in_words() -> None:
    (text,) = await play(make_completion(0.1, prompt=11))
    action = parse(text).action
    assert isinstance(action, Infeasible)
    assert action.reason == (
        "outside of what this policy was evaluated in: a prompt of 11 tokens, evaluated up to 10"
    )


async def test_only_unsure_answers_in_a_row_are_stopped() -> None:
    levels = (0.6, 0.1, 0.6, 0.6)
    texts = await play(*map(make_completion, levels))
    assert texts[:3] == ["click Cart"] * 3
    assert "2 answers in a row that it is unsure of" in texts[3]


async def test_a_stopped_answer_has_no_tokens_to_learn_from() -> None:
    policy = GuardedPolicy(Scripted(make_completion(0.1, prompt=99)), ENVELOPE)
    completion = await policy.act(TURN)
    assert (completion.token_ids, completion.logprobs) == ((), ())


def test_an_envelope_is_of_all_prompts_and_of_99_steps_in_100() -> None:
    steps = [make_step(0.1 * number / 100, prompt=number + 1) for number in range(100)]
    envelope = measure_envelope([("shop/b", True, steps[:50]), ("shop/a", False, steps[50:])])
    assert (envelope.episodes, envelope.success_rate) == (2, 0.5)
    assert envelope.templates == ("shop/a", "shop/b")
    assert envelope.prompt_tokens == 100
    assert envelope.surprisal == pytest.approx(0.099)
    assert find_exit(envelope, steps) is None
    assert find_exit(envelope, [make_step(9.0)] * 3) is not None


def test_too_little_to_measure_is_refused() -> None:
    with pytest.raises(EnvelopeError, match="1 answers have logprobs, at least 20 are needed"):
        measure_envelope([("shop/a", True, [make_step(0.1)])])


def test_a_file_that_is_no_envelope_is_named(tmp_path: Path) -> None:
    file = tmp_path / "envelope.json"
    with pytest.raises(EnvelopeError, match=r"envelope\.json is no envelope: No such file"):
        read_envelope(file)
    file.write_text("{}")
    with pytest.raises(EnvelopeError, match=r"envelope\.json is no envelope: Field required"):
        read_envelope(file)
    file.write_text(ENVELOPE.model_dump_json())
    assert read_envelope(file) == ENVELOPE
