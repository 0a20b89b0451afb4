"""What went wrong, by rules; expected lines written by hand."""

from __future__ import annotations

import pytest

from agent_server.episodes.attempt import Attempt
from envs.contract.actions import ActionError, ActionResult
from envs.contract.session import Verdict
from tests.trainer.tiny_run import make_step
from trainer.feedback.rules import explain

FAILED = ActionResult.failure(ActionError.NOT_FOUND, "#4 is gone")


def attempt(reason: str = "done", answer: str | None = None, is_failed: bool = False) -> Attempt:
    step = make_step()
    steps = (step.model_copy(update={"result": FAILED}) if is_failed else step,)
    return Attempt(instruction="buy", steps=steps, reason=reason, answer=answer)


def test_the_difference_of_states_comes_first() -> None:
    details = {
        "state": {
            "missing": ["added /orders/3"],
            "forbidden": [f"changed /cart/{number}" for number in range(5)],
        },
        "answer_ok": True,
    }
    verdict = Verdict(
        score=0.0, milestones={"in_cart": True, "coupon_used": False}, details=details
    )
    assert explain(attempt(is_failed=True), verdict, 400) == (
        "not done: added /orders/3; changed though nobody asked: changed /cart/0, "
        "changed /cart/1, changed /cart/2 and 2 more; not reached: coupon used; "
        "an action failed: #4 is gone"
    )


@pytest.mark.parametrize(
    ("reason", "details", "line"),
    [
        ("step_limit", {}, "you ran out of steps"),
        ("loop", {}, "you did the same again and again"),
        ("done", {"answer_ok": False}, "the answer was wrong: 7"),
        ("done", {"ending_ok": False}, "it ended the wrong way"),
        ("done", {"state": "odd"}, "the task was not achieved"),
        ("no such reason", {}, "the task was not achieved"),
    ],
)
def test_how_it_ended_is_said(reason: str, details: dict[str, object], line: str) -> None:
    assert explain(attempt(reason, "7"), Verdict(score=0.0, details=details), 400) == line


def test_the_line_is_cut() -> None:
    verdict = Verdict(score=0.0, milestones={"x" * 100: False})
    assert len(explain(attempt(), verdict, 40)) == 40
