from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text
from sqlmodel import SQLModel

from agent_server.store.engine import make_engine
from agent_server.store.migrate import alembic_config, upgrade
from agent_server.store.store import Store, StoreError


def test_migrations_make_exactly_the_tables_of_the_code(database_url: str) -> None:
    upgrade(database_url)
    engine = make_engine(database_url)
    with engine.begin() as db:
        context = MigrationContext.configure(db, opts={"compare_type": True})
        assert compare_metadata(context, SQLModel.metadata) == []
    engine.dispose()


def test_upgrading_twice_changes_nothing(database_url: str) -> None:
    upgrade(database_url)
    upgrade(database_url)


def test_processes_that_upgrade_at_once_do_not_collide(database_url: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(upgrade, [database_url] * 8))
    engine = make_engine(database_url)
    with engine.begin() as db:
        assert db.execute(text("SELECT count(*) FROM alembic_version")).scalar_one() == 1
    engine.dispose()


def test_downgrade_removes_every_table(database_url: str) -> None:
    upgrade(database_url)
    engine = make_engine(database_url)
    with engine.begin() as db:
        command.downgrade(alembic_config(db), "base")
    assert inspect(engine).get_table_names() == ["alembic_version"]
    engine.dispose()


def test_database_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    with pytest.raises(
        StoreError, match=r"cannot open the database sqlite:.*DESKHAND_DATABASE_URL"
    ):
        Store(f"sqlite:///{blocker}/x.db")


def test_damaged_database_is_named(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"not a database at all, but long enough to be one" * 100)
    with pytest.raises(StoreError, match=r"damaged\.db.*not a database"):
        Store(f"sqlite:///{damaged}")


def test_password_of_a_database_is_not_shown() -> None:
    with pytest.raises(StoreError) as caught:
        Store("postgresql://user:hunter2@127.0.0.1:1/none")
    assert "hunter2" not in str(caught.value)


def test_nonsense_database_url_is_refused_with_an_example() -> None:
    with pytest.raises(ValueError, match="DESKHAND_DATABASE_URL='nonsense' is not a database URL"):
        Store("nonsense")
