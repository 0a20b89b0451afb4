"""Numbers are read in digits and in words, with a unit that is known."""

from __future__ import annotations

from decimal import Decimal

import pytest

from envs.gyms.kit.locale import Locale, Region
from envs.gyms.kit.numerals import parse_number


@pytest.mark.parametrize(
    ("text", "region", "value"),
    [
        ("7", "us", "7"),
        ("7.0", "eu", "7"),
        ("2,5", "eu", "2.5"),
        ("1,234", "us", "1234"),
        ("1.234", "eu", "1234"),
        ("1234 KB", "us", "1234"),
        ("1,234KB", "gb", "1234"),
        ("twenty-one", "us", "21"),
        ("Two hundred and five", "us", "205"),
        ("one hundred", "us", "100"),
        ("-3", "us", "-3"),
        ("zero", "us", "0"),
    ],
)
def test_a_number_is_read_as_people_write_it(text: str, region: Region, value: str) -> None:
    assert parse_number(text, Locale(region), ("KB",)) == Decimal(value)


@pytest.mark.parametrize(
    "text",
    ["", "KB", "7 MB", "7 8", "seven eight", "ten one", "hundred", "1,2345", "nan", "9" * 30],
)
def test_anything_else_is_no_number(text: str) -> None:
    assert parse_number(text, Locale("us"), ("KB",)) is None
