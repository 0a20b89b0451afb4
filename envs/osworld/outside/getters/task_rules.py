"""Getters of the task's own rules, and of the agent's answer."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Parameters
from envs.osworld.outside.getters.time_rules import resolve_rules


async def rule(machine: None, ending: Ending, parameters: Parameters) -> Any:
    """The rules in the task file."""
    return parameters["rules"]


async def rule_relative_time(
    machine: None, ending: Ending, parameters: Parameters
) -> dict[str, Any]:
    """The task's rules with dates (see `time_rules`) as of the episode's end in its `timezone`; UTC
    without one. Raises ValueError."""
    rules = parameters["rules"]
    name = rules.get("timezone", "UTC")
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError(f"there is no time zone {name!r}") from error
    return resolve_rules(rules, ending.at.astimezone(zone).date())


async def time_diff_range(machine: None, ending: Ending, parameters: Parameters) -> Any:
    """The number of minutes that two times may differ."""
    return parameters["diff_range_in_minutes"]


async def answer(machine: None, ending: Ending, parameters: Parameters) -> str:
    """The agent's final answer."""
    return (ending.answer or "").strip()
