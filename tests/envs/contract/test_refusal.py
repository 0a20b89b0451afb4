"""A refusal is a failed result with the words that it was raised with."""

from __future__ import annotations

from envs.contract.actions import ActionError
from envs.contract.refusal import Refusal


def test_a_refusal_carries_the_result_that_the_agent_reads() -> None:
    refusal = Refusal(ActionError.STALE_REF, "#3 is gone")
    assert (refusal.result.ok, refusal.result.error) == (False, ActionError.STALE_REF)
    assert refusal.result.message == str(refusal) == "#3 is gone"
