"""The metric that runs SQL."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from envs.osworld.outside.published.sqlite import run_sqlite3, run_sqlite3_compat


def file(folder: Path, content: str | bytes, name: str = "a") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_databases(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE mail (folder INTEGER)")
        connection.execute("INSERT INTO mail VALUES (1), (1)")
        connection.commit()
    before = path.read_bytes()
    assert run_sqlite3(path, {"sql": "SELECT COUNT(*) = 2 FROM mail"}) == 1
    assert run_sqlite3(path, {"sql": "SELECT COUNT(*) = 3 FROM mail"}) == 0
    assert run_sqlite3(path, {"sql": "SELECT COUNT(*) FROM mail"}) == 1
    assert run_sqlite3_compat(path, {"sql": "SELECT COUNT(*) FROM mail"}) == 2
    assert run_sqlite3(path, {"sql": "SELECT 1 FROM other"}) == 0
    assert run_sqlite3(path, {"sql": "DELETE FROM mail"}) == 0
    assert run_sqlite3(file(tmp_path, "x" * 100), {"sql": "SELECT 1 FROM mail"}) == 0
    assert path.read_bytes() == before
    with pytest.raises(TypeError, match="no row"):
        run_sqlite3_compat(path, {"sql": "SELECT 1 FROM mail WHERE 0"})
    with pytest.raises(ValueError, match="not a query"):
        run_sqlite3(path, {"sql": "SELEKT"})
