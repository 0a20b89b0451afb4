"""Addresses of one page, and visits of the past."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from envs.osworld.inside.steps.chrome import add_visits, same_page


@pytest.mark.parametrize(
    ("first", "other", "same"),
    [
        ("https://www.tripadvisor.com/", "https://www.tripadvisor.com", True),
        ("https://tripadvisor.com", "www.tripadvisor.com", True),
        ("https://a.example/b?c=1", "https://a.example/b", False),
        ("https://a.example/b", "http://a.example/b", False),
        ("https://a.example/b", "https://b.example/b", False),
    ],
)
def test_addresses_of_one_page(first: str, other: str, same: bool) -> None:
    assert same_page(first, other) is same


def test_visits_of_the_past_are_dated_as_chromium_dates(tmp_path: Path) -> None:
    file = tmp_path / "History"
    with pytest.raises(FileNotFoundError, match="written no history"):
        add_visits(file, [], 0.0)
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(
            "CREATE TABLE urls (id INTEGER PRIMARY KEY, url, title, visit_count, typed_count,"
            " last_visit_time, hidden)"
        )
        database.execute(
            "CREATE TABLE visits (id INTEGER PRIMARY KEY, url, visit_time, from_visit, transition,"
            " segment_id, visit_duration)"
        )
    visit = {"url": "https://a.example/", "title": "A", "visit_time_from_now_in_seconds": 60}
    earlier = visit | {"visit_time_from_now_in_seconds": 61}
    add_visits(file, [visit, earlier], now=1_700_000_060.0)
    with closing(sqlite3.connect(file)) as database:
        pages = database.execute("SELECT url, title, visit_count, last_visit_time FROM urls")
        visits = database.execute("SELECT visit_time FROM visits WHERE url = 1 ORDER BY id")
        # 2023-11-14 22:13:20 UTC, in microseconds since 1601.
        assert pages.fetchall() == [("https://a.example/", "A", 2, 13_344_473_600_000_000)]
        assert visits.fetchall() == [(13_344_473_600_000_000,), (13_344_473_599_000_000,)]
