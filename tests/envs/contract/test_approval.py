"""A task waits for nobody unless it says so."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from envs.contract.approval import ASK_PERSON, RULES, Approve, describe_approval
from envs.contract.task import Task


def test_a_task_waits_for_nobody_by_itself() -> None:
    assert Task(id="t", instruction="x").approve is None


@pytest.mark.parametrize(
    ("approve", "is_on"),
    [
        (Approve(), True),
        (Approve(mode="all", rules=()), True),
        (Approve(mode="never"), False),
        (Approve(rules=()), False),
    ],
)
def test_whether_anything_may_wait(approve: Approve, is_on: bool) -> None:
    assert approve.is_on is is_on


def test_waiting_has_an_end() -> None:
    assert Approve().rules == RULES
    with pytest.raises(ValidationError):
        Approve(wait_s=10**9)


def test_an_agent_is_told_how_to_ask() -> None:
    assert ASK_PERSON in describe_approval()
