"""Dates that a task gives in words."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.osworld.outside.getters.time_rules import fill_placeholders, parse_day, resolve_rules

SATURDAY, SUNDAY, MONDAY = date(2026, 11, 21), date(2026, 11, 22), date(2026, 11, 23)


@pytest.mark.parametrize(
    ("words", "today", "expected"),
    [
        ("tomorrow", SATURDAY, SUNDAY),
        ("tomorrow", date(2026, 12, 31), date(2027, 1, 1)),
        ("tomorrow", date(2028, 2, 28), date(2028, 2, 29)),
        ("this month", SATURDAY, SATURDAY),
        ("5th next month", SATURDAY, date(2026, 12, 5)),
        ("10th next month", date(2026, 12, 31), date(2027, 1, 10)),
        ("11th next month", date(2027, 1, 31), date(2027, 2, 11)),
        ("this Saturday", MONDAY, date(2026, 11, 28)),
        ("this Saturday", SUNDAY, SATURDAY),
        ("this Sunday", SUNDAY, SUNDAY),
        ("next Monday", SATURDAY, MONDAY),
        ("next Monday", MONDAY, date(2026, 11, 30)),
        ("next Monday split", date(2026, 12, 29), date(2027, 1, 4)),
        ("next Friday", SATURDAY, date(2026, 11, 27)),
        ("next Friday", date(2026, 11, 26), date(2026, 11, 27)),
        ("next Friday", date(2026, 11, 27), date(2026, 12, 4)),
        ("next week Friday", SUNDAY, date(2026, 11, 27)),
        ("next week Friday", MONDAY, date(2026, 12, 4)),
        ("next week Sunday", MONDAY, date(2026, 12, 6)),
        ("first monday four months later", date(2026, 8, 31), date(2026, 12, 7)),
        ("first monday four months later", date(2026, 9, 1), date(2027, 1, 4)),
        ("first monday eight months later", date(2026, 4, 30), date(2026, 12, 7)),
        ("first monday eight months later", SATURDAY, date(2027, 7, 5)),
        ("first monday six months later", date(2026, 12, 15), date(2027, 6, 7)),
    ],
)
def test_a_day_in_words(words: str, today: date, expected: date) -> None:
    assert parse_day(words, today) == expected


def test_the_end_of_a_stay_comes_after_its_beginning() -> None:
    for today in (SATURDAY, SUNDAY, MONDAY, date(2026, 11, 26)):
        monday = parse_day("next Monday", today)
        assert parse_day("next Friday", today, monday).toordinal() == monday.toordinal() + 4


@given(st.dates(date(1990, 1, 1), date(2090, 12, 31)), st.sampled_from(["Monday", "Sunday"]))
def test_the_next_one_is_within_a_week_and_never_today(today: date, name: str) -> None:
    day = parse_day(f"next {name}", today)
    assert 1 <= (day - today).days <= 7
    assert f"{day:%A}" == name


def test_words_that_say_no_day() -> None:
    for words in ("", "next", "someday", "40th of next month", "first monday many months later"):
        with pytest.raises(ValueError, match="says no day"):
            parse_day(words, SATURDAY)
    with pytest.raises(ValueError, match="day"):
        parse_day("31st next month", date(2027, 1, 1))


def test_each_placeholder() -> None:
    of = date(2027, 1, 5)
    assert fill_placeholders("{DoW}, {Month} {Day0D}, {Year}", of) == "Tue, Jan 05, 2027"
    assert (
        fill_placeholders("{MonthFull} {DayD}|{month}-weather", of) == "January 5|january-weather"
    )
    assert fill_placeholders("{Year}-{Month0D}-{DayD} {MonthD} {Year}", of) == "2027-01-5 1 2027"
    assert fill_placeholders("{other} {}", of) == "{other} {}"


def test_one_day_fills_all_values_and_lists_and_leaves_the_task_as_it_was() -> None:
    rules = {
        "relativeTime": {"from": "next Monday"},
        "expected": {"from": ["BOM"], "time": ["{Year}-{Month0D}-{Day0D}"], "count": 2},
        "expect_in_result": True,
    }
    filled = resolve_rules(rules, SATURDAY)
    assert filled["expected"] == {"from": ["BOM"], "time": ["2026-11-23"], "count": 2}
    assert filled["expect_in_result"] is True
    assert rules["expected"]["time"] == ["{Year}-{Month0D}-{Day0D}"]  # type: ignore[index]


def test_beginning_and_end_of_a_stay() -> None:
    stay = {
        "relativeTime": {"from": "next week Friday", "to": "next week Sunday"},
        "expected": {"from": "Check In{DoW}, {Month} {Day0D}", "to": "{DoW}, {Month} {Day0D}"},
    }
    assert resolve_rules(stay, MONDAY)["expected"] == {
        "from": "Check InFri, Dec 04",
        "to": "Sun, Dec 06",
    }
    car = {
        "relativeTime": {"from": "next Monday split", "to": "next Friday split"},
        "expected": {
            "puDay": "{DayD}",
            "puMonth": "{MonthD}",
            "doDay": "{DayD}",
            "doYear": "{Year}",
        },
    }
    assert resolve_rules(car, date(2026, 12, 26))["expected"] == {
        "puDay": "28", "puMonth": "12", "doDay": "1", "doYear": "2027",
    }  # fmt: skip
