from __future__ import annotations

import pytest

from agent_server.episodes.spending import Spending
from agent_server.episodes.trajectory import Completion, Usage
from envs.contract.outcomes import EndReason
from envs.contract.task import Limits

ANSWER = Completion(text="", usage=Usage(prompt=90, completion=10))


def test_what_counts_no_tokens_has_used_none_that_are_known() -> None:
    spending = Spending()
    spending.add(Completion(text="done"), None)
    assert (spending.steps, spending.tokens, spending.cost) == (1, None, None)
    assert spending.find_exceeded(Limits(max_tokens=1, max_cost=0.1)) is None


@pytest.mark.parametrize(
    ("limits", "reason", "detail"),
    [
        (Limits(max_steps=2), EndReason.STEP_LIMIT, "max_steps: 2 steps were made"),
        (Limits(max_tokens=200), EndReason.TOKEN_LIMIT, "max_tokens: 200 of 200"),
        (Limits(max_cost=0.5), EndReason.COST_LIMIT, "max_cost: 0.5 of 0.5"),
    ],
)
def test_the_limit_that_is_used_up_is_named(limits: Limits, reason: EndReason, detail: str) -> None:
    spending = Spending()
    spending.add(ANSWER, 0.25)
    assert spending.find_exceeded(limits) is None
    spending.add(ANSWER, 0.25)
    assert spending.find_exceeded(limits) == (reason, detail)
