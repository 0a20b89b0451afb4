"""Getters of Chromium's databases: what was visited, and the cookies.

Guarantees: a database is copied before it is read, with what Chromium has not yet merged into it;
Chromium may run meanwhile, and its own is never locked or written to.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from envs.verify.getters import scratch
from envs.verify.getters.chromium_profile import PROFILE
from envs.verify.machine import Machine, located, regular
from envs.verify.registry import Ending, getter

_BESIDE = ("-journal", "-wal")
_COOKIES = (f"{PROFILE}/Network/Cookies", f"{PROFILE}/Cookies")
"""The newer place first."""
_VISITED = "SELECT url, title, last_visit_time FROM urls ORDER BY id"
_ALL_COOKIES = "SELECT * FROM cookies"


@getter("history")
async def history(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> list[list[Any]]:
    """[url, title, time of the last visit] of each page; microseconds since 1601. Raises
    FileNotFoundError."""
    file = regular(located(machine, f"{PROFILE}/History"))
    return await asyncio.to_thread(_rows, file, scratch.folder(ending), _VISITED)


@getter("cookie_data")
async def cookie_data(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> list[list[Any]]:
    """Chromium's table of cookies as it is: the second value of each is its host; bytes are in
    hexadecimal. Raises FileNotFoundError."""
    places = [located(machine, path) for path in _COOKIES]
    file = regular(next((place for place in places if place.is_file()), places[-1]))
    return await asyncio.to_thread(_rows, file, scratch.folder(ending), _ALL_COOKIES)


def _rows(file: Path, folder: Path, query: str) -> list[list[Any]]:
    copy = folder / file.name
    for suffix in ("", *_BESIDE):
        source = file.with_name(file.name + suffix)
        if not suffix or source.is_file():
            shutil.copyfile(source, copy.with_name(copy.name + suffix))
    try:
        with closing(sqlite3.connect(copy)) as database:
            return [[_plain(value) for value in row] for row in database.execute(query)]
    except sqlite3.DatabaseError as error:
        raise FileNotFoundError(f"{file.name} is no database of Chromium's: {error}") from error


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value
