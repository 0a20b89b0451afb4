"""Metric of SQLite databases.

Guarantees: the database is only read, and a query takes no longer than `QUERY_S`.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from envs.osworld.outside.published.error_policy import scores_0_on

QUERY_S = 20.0
CHECK_EVERY = 10_000
"""Steps of SQLite's machine between looks at the clock."""


@scores_0_on(sqlite3.DatabaseError)
def run_sqlite3(result: Path, rules: Mapping[str, str]) -> float:
    """1 when the first value that the query `sql` gives is a number from 1 up, 0 when it is none or
    none above 0, else the number."""
    first = _first(result, rules["sql"])
    return min(1.0, max(0.0, float(first))) if isinstance(first, int | float) else 0.0


def run_sqlite3_compat(result: Path, rules: Mapping[str, str]) -> float:
    """The number itself. Raises TypeError where there is no row."""
    first = _first(result, rules["sql"])
    if first is _NO_ROW:
        raise TypeError("the query gives no row")
    return float(first or 0)


_NO_ROW = object()


def _first(path: Path, query: str) -> Any:
    """Raises ValueError for what is no query, TimeoutError."""
    ends = time.monotonic() + QUERY_S
    # Immutable: what a write-ahead log beside it holds is not part of the file.
    address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        connection.set_progress_handler(lambda: time.monotonic() > ends, CHECK_EVERY)
        try:
            row = connection.execute(query).fetchone()
        except sqlite3.OperationalError as error:
            if "interrupted" in str(error):
                raise TimeoutError(f"the query took over {QUERY_S:.0f} s") from error
            if "syntax error" in str(error) or "incomplete input" in str(error):
                raise ValueError(f"{query!r} is not a query: {error}") from error
            raise
    return row[0] if row is not None else _NO_ROW
