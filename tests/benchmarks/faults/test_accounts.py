"""What counts as lost, as double and as wrong."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.faults.accounts import Account, make_account
from benchmarks.faults.load import Submission
from benchmarks.faults.observer import ObservedEpisode
from benchmarks.faults.works import Work
from envs.contract.outcomes import Status

WORK = Work("shop/price@3", "oracle", {})
CALM = {WORK.name: 1.0}


def attempt(
    number: int, status: Status, reason: str | None = None, **fields: Any
) -> ObservedEpisode:
    identity = "e1" if number == 1 else f"e1.{number}"
    score = 1.0 if status.has_score else None
    values = {"detail": None, "score": score, "steps": 4, "started_after": 0.0} | fields
    return ObservedEpisode(
        id=identity, root="e1", number=number, status=status, reason=reason, **values
    )


def account(*attempts: ObservedEpisode, final: dict[str, Any] | None = None) -> Account:
    final_report = final or {"status": "scored", "score": 1.0}
    submission = Submission("k", WORK, {"e1"}, final_report)
    return make_account([submission], attempts, CALM, None)


SCORED = attempt(1, Status.SCORED)


def test_a_task_that_was_lost_once_and_then_scored_is_in_order() -> None:
    result = account(attempt(1, Status.INVALID, "worker_lost"), attempt(2, Status.SCORED, "done"))
    assert result.finds == []
    assert (result.attempts, result.scored, result.reasons) == (2, 1, {"worker_lost": 1})


@pytest.mark.parametrize(
    ("attempts", "where"),
    [
        ([], "lost"),
        ([attempt(1, Status.QUEUED)], "lost"),
        ([attempt(1, Status.RUNNING)], "lost"),
        ([attempt(1, Status.INVALID, "worker_lost")], "lost"),
        ([attempt(1, Status.CANCELLED)], "lost"),
        ([SCORED, attempt(2, Status.SCORED)], "double"),
        ([attempt(1, Status.INVALID, "reset"), attempt(3, Status.SCORED)], "double"),
        ([attempt(1, Status.SCORED, changes_after_end=["scored -> invalid"])], "double"),
        ([attempt(1, Status.TRUNCATED, score=0.0)], "wrong"),
    ],
)
def test_each_breach_has_its_name(attempts: list[ObservedEpisode], where: str) -> None:
    result = account(*attempts)
    assert getattr(result, where), result


def test_retries_that_are_used_up_are_accounted_for_and_no_loss() -> None:
    attempts = [attempt(n, Status.INVALID, "evaluator_error") for n in (1, 2)]
    result = account(*attempts, final={"status": "invalid", "score": None})
    assert result.finds == []
    assert "evaluator_error x 2" in result.gave_up[0]


def test_an_api_that_tells_another_end_than_the_database_is_a_loss() -> None:
    assert account(SCORED, final={"status": "invalid", "score": None}).lost


def test_two_tasks_of_one_key_are_double() -> None:
    final = {"status": "scored", "score": 1.0}
    submission = Submission("k", WORK, {"e1", "e2"}, final)
    assert "two tasks" in make_account([submission], [SCORED], CALM, None).double[0]


def test_a_refused_submission_is_a_loss() -> None:
    submission = Submission("k", WORK, refusal="422: no")
    assert make_account([submission], [], CALM, None).lost
