"""What is refused for good is said once; what passes is tried again."""

from __future__ import annotations

import pytest

from agent_server.episodes.answer_status import get_fault_of_status
from envs.contract.outcomes import RETRY_RULES, InvalidReason


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 411, 413, 414, 415, 422, 431, 302])
def test_a_permanent_refusal_is_not_tried_again(status: int) -> None:
    reason = get_fault_of_status(status)
    assert reason in (InvalidReason.POLICY_REFUSED, InvalidReason.POLICY_DENIED)
    assert RETRY_RULES[reason].max_retries == 0


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504])
def test_what_passes_by_waiting_is_tried_again(status: int) -> None:
    assert RETRY_RULES[get_fault_of_status(status)].max_retries > 0
