"""Token counts of an answer, and what a step keeps."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from agent_server.episodes.trajectory import Completion, EpisodeResult, Step, Usage
from envs.contract.actions import ActionResult, Click, Target
from envs.contract.outcomes import EndReason, InvalidReason, Status
from envs.contract.session import Verdict


def test_tokens_are_the_endpoint_s_count_or_the_engine_s_ids() -> None:
    assert Completion(text="x").tokens is None, "an oracle counts none"
    assert Completion(text="x", prompt_ids=(1, 2, 3), token_ids=(4,)).tokens == Usage(
        prompt=3, completion=1
    )
    usage = Usage(prompt=9, completion=9)
    assert Completion(text="x", prompt_ids=(1,), usage=usage).tokens == usage


def test_a_step_comes_back_from_its_line() -> None:
    step = Step(
        index=1,
        prompt="p",
        completion=Completion(text="click", logprobs=(-0.5,), token_ids=(7,)),
        action=Click(target=Target(ref=3)),
        result=ActionResult.success(),
        timings_ms={"policy": 1.5},
    )
    assert Step.model_validate_json(step.model_dump_json()) == step
    with pytest.raises(ValidationError):
        Step.model_validate(step.model_dump() | {"colour": "red"})


@pytest.mark.parametrize(
    ("status", "reason", "verdict"),
    [
        (Status.SCORED, EndReason.DONE, None),
        (Status.TRUNCATED, EndReason.STEP_LIMIT, None),
        (Status.INVALID, InvalidReason.RESET, Verdict(score=0)),
        (Status.CANCELLED, None, Verdict(score=1)),
        (Status.INVALID, EndReason.DONE, None),
        (Status.SCORED, InvalidReason.RESET, Verdict(score=1)),
        (Status.RUNNING, None, None),
    ],
)
def test_a_score_that_was_not_measured_cannot_be_stated(
    status: Status, reason: EndReason | InvalidReason | None, verdict: Verdict | None
) -> None:
    with pytest.raises(ValueError, match="not"):
        EpisodeResult(status, reason, verdict=verdict)
