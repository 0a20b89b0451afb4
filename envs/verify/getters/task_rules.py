"""Getters of what the task itself says, and of what the agent said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from envs.verify.getters.time_rules import absolute
from envs.verify.machine import Machine
from envs.verify.registry import Ending, getter


@getter("rule", outside=True)
async def rule(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> Any:
    """What the task file itself says."""
    return given["rules"]


@getter("rule_relativeTime", outside=True)
async def rule_relative_time(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> dict[str, Any]:
    """The task's rules with dates (see `time_rules`) as they are in its `timezone` when the episode
    ends; UTC where it names none. Raises ValueError."""
    rules = given["rules"]
    name = rules.get("timezone", "UTC")
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError(f"there is no time zone {name!r}") from error
    return absolute(rules, ending.at.astimezone(zone).date())


@getter("time_diff_range", outside=True)
async def time_diff_range(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> Any:
    """How many minutes two times may differ, as the task says."""
    return given["diff_range_in_minutes"]


@getter("answer", outside=True)
async def answer(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> str:
    """What the agent said when it was done."""
    return (ending.answer or "").strip()
