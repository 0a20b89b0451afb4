"""Getters of what the task itself says: time zones, minutes."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from envs.osworld.format.ending import Ending
from envs.osworld.outside.getters.task_rules import rule_relative_time, time_diff_range


def said(zone: str | None) -> Any:
    rules: dict[str, Any] = {"relativeTime": {"from": "tomorrow"}, "expected": {"time": "{DayD}"}}
    rules |= {"timezone": zone} if zone else {}
    late = Ending(None, False, at=datetime(2026, 11, 30, 23, 30, tzinfo=UTC))
    return asyncio.run(rule_relative_time(None, late, {"rules": rules}))["expected"]["time"]


def test_the_day_is_that_of_the_task_s_time_zone() -> None:
    assert said(None) == "1"
    assert said("Europe/Zurich") == "2"
    assert said("America/New_York") == "1"
    with pytest.raises(ValueError, match="Mars/Base"):
        said("Mars/Base")


def test_minutes_that_two_times_may_differ() -> None:
    options = {"diff_range_in_minutes": "10"}
    assert asyncio.run(time_diff_range(None, Ending(None, False), options)) == "10"
