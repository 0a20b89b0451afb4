"""The results of one answer become one result."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from agent_server.episodes.agent import Sampling, outcome
from envs.contract.actions import ActionError, ActionResult, Click
from envs.dialects.dialect import Call, Parsed, make_refusal

PARSED = Parsed("", (Call(actions=(Click(), Click())),))


def test_a_parse_error_comes_before_everything() -> None:
    assert outcome(make_refusal("write one action"), ()).message == "write one action"


def test_the_first_failure_is_the_result() -> None:
    failure = ActionResult.failure(ActionError.NOT_FOUND, "gone")
    assert outcome(PARSED, (ActionResult.success(), failure)) is failure


def test_without_a_failure_the_last_value_counts() -> None:
    valued = ActionResult(ok=True, value="12 EUR")
    assert outcome(PARSED, (valued, ActionResult.success())) is valued
    assert outcome(PARSED, ()) == ActionResult.success()


@pytest.mark.parametrize(
    "fields", [{"temperature": -0.1}, {"top_p": 0}, {"max_tokens": 0}, {"topp": 0.5}]
)
def test_impossible_sampling_is_refused(fields: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        Sampling.model_validate(fields)


def test_zero_temperature_is_greedy() -> None:
    assert Sampling(temperature=0).seed is None
