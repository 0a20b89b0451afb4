from __future__ import annotations

import time

import pytest

from envs.apps.office.bridge.deadline import DeadlinePassed, call_until


def test_work_that_ends_in_time_has_its_value() -> None:
    assert call_until(time.monotonic() + 10, lambda: 5) == 5


def test_an_error_of_the_work_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        call_until(time.monotonic() + 10, lambda: 1 // 0)


def test_work_that_ends_at_its_deadline_interrupts_nothing_later() -> None:
    outcomes = set()
    for number in range(300):
        deadline = time.monotonic() + 0.001

        def wait(until: float = deadline + (number % 5 - 2) * 0.0001) -> str:
            while time.monotonic() < until:
                pass
            return "ended"

        try:
            outcomes.add(call_until(deadline, wait))
        except DeadlinePassed:
            outcomes.add("interrupted")
        for _ in range(1000):
            pass
    assert "ended" in outcomes
