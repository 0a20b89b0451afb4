"""Clock times ("09:30") and days (ISO dates) of the calendar: arithmetic and sampling."""

from __future__ import annotations

import random
from calendar import monthrange
from datetime import date, timedelta

from envs.gyms.kit.company import Company

OPENS, CLOSES = "08:00", "18:00"
"""Events lie between these."""
NEVER, WEEKLY, MONTHLY = "Never", "Weekly", "Monthly"
REPEATS = (NEVER, WEEKLY, MONTHLY)


def to_minutes(clock: str) -> int:
    """Minutes since midnight."""
    return int(clock[:2]) * 60 + int(clock[3:])


def to_clock(minutes: int) -> str:
    """The inverse of `to_minutes`."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def add_minutes(clock: str, minutes: int) -> str:
    """A later time, at most CLOSES."""
    return min(to_clock(to_minutes(clock) + minutes), CLOSES)


def list_occurrences(first: str, repeat: str, times: int) -> list[str]:
    """The days of a series. A monthly one takes the last day of a month that is too short."""
    start = date.fromisoformat(first)
    if repeat == WEEKLY:
        return [(start + timedelta(days=7 * index)).isoformat() for index in range(times)]
    if repeat == NEVER:
        return [first]
    days = []
    for index in range(times):
        year = start.year + (start.month - 1 + index) // 12
        month = (start.month - 1 + index) % 12 + 1
        last_day = monthrange(year, month)[1]
        days.append(date(year, month, min(start.day, last_day)).isoformat())
    return days


def sample_work_day(world: Company, rng: random.Random, first: int, last: int) -> str:
    """A Monday to Friday between `first` and `last` days from today."""
    while True:
        day = world.day(rng.randint(first, last))
        if date.fromisoformat(day).weekday() < 5:
            return day


def sample_time_span(rng: random.Random) -> tuple[str, str]:
    """Start and end of an event of 30 to 90 minutes."""
    start = rng.randrange(to_minutes(OPENS), to_minutes(CLOSES) - 60, 30)
    return to_clock(start), to_clock(start + rng.choice((30, 60, 60, 90)))
