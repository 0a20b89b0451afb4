"""Dates that a task says in words, reckoned from the day on which it is judged. Pure functions.

    tomorrow | this month | 10th next month | this Saturday | next Monday | next week Friday |
    first monday four months later          (a word "split" at the end is no matter)

A week begins on Monday. "next Friday" is the first Friday after today; as the end of a stay, the
first one after its beginning.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_NUMBERS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
_OF_THE_END = frozenset({"to", "doDay", "doMonth", "doYear"})
"""Names of values that tell the end of a stay; all others tell its beginning."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_DAY = rf"(?P<day>{'|'.join(_WEEKDAYS)})"
_OF_NEXT_MONTH = re.compile(r"(?P<number>\d{1,2})(?:st|nd|rd|th) next month")
_OF_WEEK = re.compile(rf"(?P<week>this|next|next week) {_DAY}")
_OF_LATER_MONTH = re.compile(rf"first {_DAY} (?P<count>{'|'.join(_NUMBERS)}) months? later")


def absolute(rules: Mapping[str, Any], today: date) -> dict[str, Any]:
    """The rules with the placeholders of `expected` replaced by the days of `relativeTime`: its
    `to` in values that tell an end, its `from` in all others. Raises ValueError for words that say
    no day."""
    said = rules["relativeTime"]
    start = day(said["from"], today)
    end = day(said["to"], today, start) if "to" in said else start
    filled = {
        name: _filled(value, end if name in _OF_THE_END else start)
        for name, value in rules["expected"].items()
    }
    return {**rules, "expected": filled}


def day(words: str, today: date, start: date | None = None) -> date:
    """`start`: the beginning of the stay that `words` end. Raises ValueError."""
    said = words.lower().removesuffix(" split").strip()
    if said == "tomorrow":
        return today + timedelta(1)
    if said == "this month":
        return today
    if found := _OF_NEXT_MONTH.fullmatch(said):
        return _first_of_month(today, 1).replace(day=int(found["number"]))
    if found := _OF_WEEK.fullmatch(said):
        return _of_week(found["week"], _WEEKDAYS.index(found["day"]), today, start or today)
    if found := _OF_LATER_MONTH.fullmatch(said):
        first = _first_of_month(today, _NUMBERS.index(found["count"]) + 1)
        return first + timedelta((_WEEKDAYS.index(found["day"]) - first.weekday()) % 7)
    raise ValueError(f"{words!r} says no day")


def written(text: str, of: date) -> str:
    """The text with {DoW} (Mon), {Month} (Jan), {MonthFull} (January), {month} (january), {MonthD}
    (1), {Month0D} (01), {DayD} (5), {Day0D} (05) and {Year} replaced; other braces stay."""
    month = _MONTHS[of.month - 1]
    parts = {
        "DoW": _WEEKDAYS[of.weekday()][:3].title(), "Month": month[:3], "MonthFull": month,
        "month": month.lower(), "MonthD": str(of.month), "Month0D": f"{of.month:02}",
        "DayD": str(of.day), "Day0D": f"{of.day:02}", "Year": str(of.year),
    }  # fmt: skip
    return _PLACEHOLDER.sub(lambda found: parts.get(found[1], found[0]), text)


def _filled(value: Any, of: date) -> Any:
    if isinstance(value, str):
        return written(value, of)
    return [_filled(one, of) for one in value] if isinstance(value, list) else value


def _of_week(week: str, weekday: int, today: date, start: date) -> date:
    if week == "next":
        return start + timedelta((weekday - start.weekday() - 1) % 7 + 1)
    monday = today - timedelta(today.weekday())
    return monday + timedelta(weekday + (7 if week == "next week" else 0))


def _first_of_month(today: date, later: int) -> date:
    months = today.year * 12 + today.month - 1 + later
    return date(months // 12, months % 12 + 1, 1)
