"""The portal's records and the numbers in them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.gyms.apps.people import records


@given(st.integers(0, 10**12 - 1))
def test_check_digits_make_account_numbers_divisible(number: int) -> None:
    account = records.account_number(f"{number:012d}").replace(" ", "")
    # ISO 13616: letters become numbers (X is 33, C is 12), and the remainder by 97 is 1.
    assert int(f"{account[4:]}3312{account[2:4]}") % 97 == 1


@pytest.mark.parametrize(
    ("first", "last", "days"),
    [
        ("2026-03-02", "2026-03-06", 5),
        ("2026-03-06", "2026-03-09", 2),
        ("2026-03-07", "2026-03-08", 0),
        ("2026-03-09", "2026-03-06", 0),
    ],
)
def test_working_days(first: str, last: str, days: int) -> None:
    assert records.count_working_days(first, last) == days


def test_lines_are_numbered_beyond_all_that_were() -> None:
    report = records.make_report(0, "u1", "Trade fair", "2026-03-02")
    for _ in range(2):
        line = records.make_report_line(report, "Taxi", "2026-03-01", 900, True)
        report["lines"].append(line)
    assert [line["id"] for line in report["lines"]] == ["e1-1", "e1-2"]
    del report["lines"][0]
    assert records.make_report_line(report, "Taxi", "2026-03-01", 900, True)["id"] == "e1-3"


def test_new_records_begin_open() -> None:
    leave = records.make_leave(4, "u1", "Vacation", "2026-03-02", "2026-03-03", 4)
    assert (leave["id"], leave["number"], leave["status"]) == ("l5", "LV-1005", "Pending")
    tasks = records.make_check_list("2026-03-02", "u1")["tasks"]
    assert [task["done"] for task in tasks] == [False] * 8
    assert records.make_grant("u1", "Recruiter")["id"] == "u1:Recruiter"
    assert records.sample_phone(random.Random(1)) == records.sample_phone(random.Random(1))
    assert records.sample_account(random.Random(1)).startswith("XC")
