"""History and cookies in databases as Chromium makes them."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from envs.osworld.format.ending import Ending
from envs.osworld.inside.getters import GETTERS
from envs.osworld.outside.metric_modules import load_metric

URLS = (
    "CREATE TABLE urls(id INTEGER PRIMARY KEY AUTOINCREMENT,url LONGVARCHAR,title LONGVARCHAR,"
    "visit_count INTEGER DEFAULT 0 NOT NULL,typed_count INTEGER DEFAULT 0 NOT NULL,"
    "last_visit_time INTEGER NOT NULL,hidden INTEGER DEFAULT 0 NOT NULL)"
)
COOKIES = (
    "CREATE TABLE cookies(creation_utc INTEGER NOT NULL,host_key TEXT NOT NULL,"
    "top_frame_site_key TEXT NOT NULL,name TEXT NOT NULL,value TEXT NOT NULL,"
    "encrypted_value BLOB NOT NULL,path TEXT NOT NULL)"
)


@pytest.fixture
def machine(tmp_path: Path) -> Any:
    (tmp_path / "home/.config/chromium/Default").mkdir(parents=True)
    return SimpleNamespace(home=tmp_path / "home")


@pytest.fixture
def ending(tmp_path: Path) -> Ending:
    (tmp_path / "scratch").mkdir()
    return Ending(None, False, scratch=tmp_path / "scratch")


@pytest.fixture
def visited(machine: Any) -> Iterator[sqlite3.Connection]:
    """A history that a browser has open, its last page not yet merged into the file."""
    with closing(sqlite3.connect(profile(machine) / "History")) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute(URLS)
        for url, at in (("https://www.youtube.com/watch?v=1", 13344000000000000), ("b", 1)):
            database.execute(
                "INSERT INTO urls(url, title, last_visit_time) VALUES(?, 'T', ?)", (url, at)
            )
        database.commit()
        yield database


def profile(machine: Any) -> Path:
    folder: Path = machine.home / ".config/chromium/Default"
    return folder


def got(machine: Any, ending: Ending, kind: str) -> Any:
    return asyncio.run(GETTERS[kind](machine, ending, {"dest": "x"}))


def test_visits_while_the_browser_has_them_open(
    machine: Any, ending: Ending, visited: sqlite3.Connection
) -> None:
    value = got(machine, ending, "history")
    assert value[0] == ["https://www.youtube.com/watch?v=1", "T", 13344000000000000]
    rule = {"type": "keywords", "keywords": ["youtube"]}
    assert load_metric("check_history_deleted")(value, rule) == 0
    visited.execute("DELETE FROM urls WHERE url LIKE '%youtube%'")
    visited.commit()
    assert load_metric("check_history_deleted")(got(machine, ending, "history"), rule) == 1


def test_a_locked_history_is_read_all_the_same(
    machine: Any, ending: Ending, visited: sqlite3.Connection
) -> None:
    visited.execute("BEGIN IMMEDIATE")
    visited.execute("DELETE FROM urls")
    assert len(got(machine, ending, "history")) == 2


@pytest.mark.parametrize("place", ["Cookies", "Network/Cookies"])
def test_cookies_in_both_places(machine: Any, ending: Ending, place: str) -> None:
    file = profile(machine) / place
    file.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(COOKIES)
        row = (1, ".amazon.com", "", "session-id", "", b"v10\x00", "/")
        database.execute("INSERT INTO cookies VALUES(?, ?, ?, ?, ?, ?, ?)", row)
    value = got(machine, ending, "cookie_data")
    assert value == [[1, ".amazon.com", "", "session-id", "", "76313000", "/"]]
    rule = {"type": "domains", "domains": [".amazon.com"]}
    assert load_metric("is_cookie_deleted")(value, rule) == 0
    assert load_metric("is_cookie_deleted")([], rule) == 1


def test_no_database_and_a_broken_one(machine: Any, ending: Ending) -> None:
    with pytest.raises(FileNotFoundError):
        got(machine, ending, "history")
    with pytest.raises(FileNotFoundError):
        got(machine, ending, "cookie_data")
    (profile(machine) / "History").write_bytes(b"not a database, and long enough for a header" * 9)
    with pytest.raises(FileNotFoundError, match="not a database"):
        got(machine, ending, "history")
