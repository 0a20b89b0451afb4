"""Getters of Chromium's databases: history and cookies.

Guarantees: a database is copied before it is read, with its write-ahead log; Chromium may run
meanwhile, and its own file is neither locked nor written.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Parameters
from envs.osworld.inside.getters.chromium_profile import PROFILE
from envs.osworld.inside.machine import Machine, local_path, require_regular_file

_BESIDE = ("-journal", "-wal")
_COOKIES = (f"{PROFILE}/Network/Cookies", f"{PROFILE}/Cookies")
"""The newer place first."""
_VISITED = "SELECT url, title, last_visit_time FROM urls ORDER BY id"
_ALL_COOKIES = "SELECT * FROM cookies"


async def history(machine: Machine, ending: Ending, parameters: Parameters) -> list[list[Any]]:
    """[url, title, time of the last visit] of each page; microseconds since 1601. Raises
    FileNotFoundError."""
    file = require_regular_file(local_path(machine, f"{PROFILE}/History"))
    return await asyncio.to_thread(_rows, file, ending.make_folder(), _VISITED)


async def cookie_data(machine: Machine, ending: Ending, parameters: Parameters) -> list[list[Any]]:
    """Rows of Chromium's table of cookies; the second value of each is the host, bytes are in
    hexadecimal. Raises FileNotFoundError."""
    places = [local_path(machine, path) for path in _COOKIES]
    file = require_regular_file(next((place for place in places if place.is_file()), places[-1]))
    return await asyncio.to_thread(_rows, file, ending.make_folder(), _ALL_COOKIES)


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
        raise FileNotFoundError(f"{file.name} is not a database of Chromium's: {error}") from error


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value
