"""Clock times and days of the calendar."""

from __future__ import annotations

import random
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.gyms.apps.calendar.times import (
    CLOSES,
    MONTHLY,
    NEVER,
    OPENS,
    WEEKLY,
    add_minutes,
    list_occurrences,
    sample_time_span,
    sample_work_day,
    to_clock,
    to_minutes,
)
from envs.gyms.kit.company import get_company


@given(st.integers(0, 24 * 60 - 1))
def test_clocks_and_minutes_are_inverse(minutes: int) -> None:
    assert to_minutes(to_clock(minutes)) == minutes


@pytest.mark.parametrize(
    ("clock", "minutes", "later"),
    [("09:30", 45, "10:15"), ("17:30", 30, CLOSES), ("17:45", 60, CLOSES)],
)
def test_adding_minutes_ends_with_the_day(clock: str, minutes: int, later: str) -> None:
    assert add_minutes(clock, minutes) == later


def test_occurrences() -> None:
    assert list_occurrences("2026-03-05", NEVER, 4) == ["2026-03-05"]
    assert list_occurrences("2026-02-23", WEEKLY, 3) == ["2026-02-23", "2026-03-02", "2026-03-09"]
    assert list_occurrences("2026-11-30", MONTHLY, 4) == [
        "2026-11-30",
        "2026-12-30",
        "2027-01-30",
        "2027-02-28",
    ]


@given(st.integers(0, 1000))
def test_samples_lie_within_working_time(seed: int) -> None:
    rng, world = random.Random(seed), get_company(1)
    start, end = sample_time_span(rng)
    assert OPENS <= start < end <= CLOSES
    assert to_minutes(end) - to_minutes(start) in (30, 60, 90)
    day = sample_work_day(world, rng, 3, 9)
    assert world.day(3) <= day <= world.day(9)
    assert date.fromisoformat(day).weekday() < 5
