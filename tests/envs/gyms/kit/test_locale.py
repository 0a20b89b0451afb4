"""Dates and money are read as they are written."""

from __future__ import annotations

from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from envs.gyms.kit.locale import REGIONS, Locale, Region

regions = st.sampled_from(REGIONS)


@settings(deadline=None)
@given(regions, st.dates(date(1990, 1, 1), date(2090, 1, 1)))
def test_dates_are_read_as_they_are_written(region: Region, day: date) -> None:
    locale = Locale(region)
    assert locale.parse_date(locale.format_date(day.isoformat())) == day.isoformat()
    assert locale.parse_date(day.isoformat()) == day.isoformat()


@settings(deadline=None)
@given(regions, st.integers(-(10**9), 10**9))
def test_money_is_read_as_it_is_written(region: Region, cents: int) -> None:
    locale = Locale(region)
    assert locale.parse_money(locale.format_money(cents)) == cents


def test_what_is_no_date_or_amount_is_none() -> None:
    locale = Locale("us")
    assert [locale.parse_date(text) for text in ("", "soon", "2026-02-30", "Foo 3, 2026")] == [
        None
    ] * 4
    assert [locale.parse_money(text) for text in ("", "12.5", "1,23.00", "ten")] == [None] * 4
    assert locale.parse_money("$1,234.50") == locale.parse_money("1234.50") == 123450
    assert Locale("eu").parse_money("1.234,50 €") == 123450
    assert locale.parse_date("03/05/2026") == "2026-03-05"
    assert Locale("gb").parse_date("03/05/2026") == "2026-05-03"


def test_dates_are_understood_as_people_write_them() -> None:
    locale = Locale("us")
    for text in (
        "March 5th, 2026",
        "March 5 2026",
        "5th of March, 2026",
        "the 5th of March 2026",
        "Thursday, March 5, 2026",
        "Thu, 5 Mar 2026",
        "Thursday 2026-03-05",
        "thursday, 03/05/2026",
    ):
        assert locale.parse_date(text) == "2026-03-05", text
    for text in ("Friday, March 5, 2026", "Thursday", "Thursday, ", "March 5th", "March, 2026"):
        assert locale.parse_date(text) is None, text


def test_an_amount_of_another_currency_is_no_amount() -> None:
    for region, right, wrong in (
        ("us", ("USD 1,234.50", "1,234.50 USD", "US$1,234.50", "$ 1,234.50", "usd 1234.50"), "€£"),
        ("gb", ("GBP 1,234.50", "£1,234.50", "1234.50 pounds"), "$€"),
        ("eu", ("EUR 1.234,50", "1.234,50 EUR", "€ 1.234,50", "1234,50 euros"), "$£"),
    ):
        locale = Locale(region)  # type: ignore[arg-type]
        assert [locale.parse_money(text) for text in right] == [123450] * len(right)
        bare = locale.format_money(123450).strip("$£€ ")
        assert [locale.parse_money(f"{sign}{bare}") for sign in wrong] == [None, None]
        assert locale.parse_money(f"$€{bare}") is None
