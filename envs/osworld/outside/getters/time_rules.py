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
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_NUMBERS = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_OF_THE_END = frozenset({"to", "doDay", "doMonth", "doYear"})
"""Names of values that tell the end of a stay; all others tell its beginning."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_DAY = rf"(?P<day>{'|'.join(_WEEKDAYS)})"
_OF_NEXT_MONTH = re.compile(r"(?P<number>\d{1,2})(?:st|nd|rd|th) next month")
_OF_WEEK = re.compile(rf"(?P<week>this|next|next week) {_DAY}")
_OF_LATER_MONTH = re.compile(rf"first {_DAY} (?P<count>{'|'.join(_NUMBERS)}) months? later")


def resolve_rules(rules: Mapping[str, Any], today: date) -> dict[str, Any]:
    """The rules with the placeholders of `expected` replaced by the days of `relativeTime`: `to` in
    values that name an end, `from` in all others. Raises ValueError for words that name no day."""
    times = rules["relativeTime"]
    start = parse_day(times["from"], today)
    end = parse_day(times["to"], today, start) if "to" in times else start
    expected = {
        name: _fill_value(value, end if name in _OF_THE_END else start)
        for name, value in rules["expected"].items()
    }
    return {**rules, "expected": expected}


def parse_day(words: str, today: date, start: date | None = None) -> date:
    """The day that the words name. `start`: the beginning of the stay that they end. Raises
    ValueError."""
    phrase = words.lower().removesuffix(" split").strip()
    if phrase == "tomorrow":
        return today + timedelta(1)
    if phrase == "this month":
        return today
    if match := _OF_NEXT_MONTH.fullmatch(phrase):
        return _first_of_month(today, 1).replace(day=int(match["number"]))
    if match := _OF_WEEK.fullmatch(phrase):
        return _of_week(match["week"], _WEEKDAYS.index(match["day"]), today, start or today)
    if match := _OF_LATER_MONTH.fullmatch(phrase):
        first = _first_of_month(today, _NUMBERS.index(match["count"]) + 1)
        return first + timedelta((_WEEKDAYS.index(match["day"]) - first.weekday()) % 7)
    raise ValueError(f"{words!r} says no day")


def fill_placeholders(text: str, of: date) -> str:
    """The text with {DoW} (Mon), {Month} (Jan), {MonthFull} (January), {month} (january), {MonthD}
    (1), {Month0D} (01), {DayD} (5), {Day0D} (05) and {Year} replaced; other braces are kept."""
    month = _MONTHS[of.month - 1]
    parts = {
        "DoW": _WEEKDAYS[of.weekday()][:3].title(),
        "Month": month[:3],
        "MonthFull": month,
        "month": month.lower(),
        "MonthD": str(of.month),
        "Month0D": f"{of.month:02}",
        "DayD": str(of.day),
        "Day0D": f"{of.day:02}",
        "Year": str(of.year),
    }
    return _PLACEHOLDER.sub(lambda match: parts.get(match[1], match[0]), text)


def _fill_value(value: Any, of: date) -> Any:
    if isinstance(value, str):
        return fill_placeholders(value, of)
    return [_fill_value(item, of) for item in value] if isinstance(value, list) else value


def _of_week(week: str, weekday: int, today: date, start: date) -> date:
    if week == "next":
        return start + timedelta((weekday - start.weekday() - 1) % 7 + 1)
    monday = today - timedelta(today.weekday())
    return monday + timedelta(weekday + (7 if week == "next week" else 0))


def _first_of_month(today: date, later: int) -> date:
    months = today.year * 12 + today.month - 1 + later
    return date(months // 12, months % 12 + 1, 1)
