"""A database that cannot be opened is one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.settings import Settings
from agent_server.store.store import Store, StoreError


def test_a_folder_is_made_and_the_schema_brought_up_to_date(tmp_path: Path) -> None:
    with Store.open(Settings(run_dir=tmp_path / "new" / "run")) as store:
        assert store.runs.recent() == []
    assert (tmp_path / "new" / "run" / "deskhand.db").is_file()


def test_a_file_that_is_no_database_is_named_without_a_password(tmp_path: Path) -> None:
    (tmp_path / "d.db").write_text("this is no database " * 100)
    with pytest.raises(StoreError, match=r"d\.db.*DESKHAND_DATABASE_URL"):
        Store(f"sqlite:///{tmp_path}/d.db")
