from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlmodel import SQLModel

from agent_server.store.engine import make_engine
from agent_server.store.migrate import MIGRATIONS, alembic_config, upgrade
from agent_server.store.store import Store, StoreError
from agent_server.store.tables import Episode, Run


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


NEXT = """
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "9999", "{head}", None, None


def upgrade():
    op.add_column("episode", sa.Column("next_one", sa.String(){required}))
    op.create_table("next_table", sa.Column("id", sa.Integer(), primary_key=True))
"""


def upgrade_to_next_version(database_url: str, folder: Path, required: str = "") -> None:
    """What the next version of Deskhand would do to the database."""
    engine = make_engine(database_url)
    with engine.begin() as db:
        config = alembic_config(db)
        head = ScriptDirectory.from_config(config).get_current_head()
        (folder / "next").mkdir()
        (folder / "next" / "n9999.py").write_text(NEXT.format(head=head, required=required))
        config.set_main_option("path_separator", "space")
        config.set_main_option("version_locations", f"{MIGRATIONS / 'versions'} {folder / 'next'}")
        command.upgrade(config, "9999")
    engine.dispose()


def test_this_version_works_on_the_schema_of_the_next(database_url: str, tmp_path: Path) -> None:
    upgrade(database_url)
    upgrade_to_next_version(database_url, tmp_path)
    with Store(database_url) as store:
        store.runs.create(Run(id="run", kind="train"))
        store.episodes.create([Episode(id="e", run_id="run", purpose="train", task={})])
        assert store.episodes.lease("e", "w") is not None
        assert store.episodes.renew(["e"], "w").kept == {"e"}


def test_a_schema_that_this_version_cannot_use_is_refused_in_words(
    database_url: str, tmp_path: Path
) -> None:
    upgrade(database_url)
    engine = make_engine(database_url)
    with engine.begin() as db:
        db.execute(text("ALTER TABLE episode DROP COLUMN answer"))
    engine.dispose()
    upgrade_to_next_version(database_url, tmp_path)
    with pytest.raises(StoreError, match=r"schema 9999.*it has no column episode\.answer"):
        Store(database_url)


def test_a_column_that_the_next_version_wants_written_is_named(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'x.db'}"
    upgrade(url)
    required = ', nullable=False, server_default="x"'
    upgrade_to_next_version(url, tmp_path, required)
    Store(url).close()
    engine = make_engine(url)
    with engine.begin() as db:
        db.execute(text("DROP TABLE audit_entry"))
        columns = 'id INTEGER PRIMARY KEY, at, "key", client, method, path, status, must NOT NULL'
        db.execute(text(f"CREATE TABLE audit_entry ({columns})"))
    engine.dispose()
    with pytest.raises(StoreError, match=r"its column audit_entry\.must must be written"):
        Store(url)


def test_each_schema_keeps_what_the_one_before_needs(tmp_path: Path) -> None:
    """Two versions share a database while processes are replaced one by one."""
    engine = make_engine(f"sqlite:///{tmp_path / 'x.db'}")
    with engine.begin() as db:
        scripts = ScriptDirectory.from_config(alembic_config(db))
    revisions = [script.revision for script in scripts.walk_revisions()][::-1]
    before: dict[str, set[str]] = {}
    for revision in revisions:
        with engine.begin() as db:
            command.upgrade(alembic_config(db), revision)
        inspector = inspect(engine)
        after = {name: inspector.get_columns(name) for name in inspector.get_table_names()}
        for table, columns in before.items():
            new = {column["name"]: column for column in after[table]}
            assert columns <= new.keys(), revision
            for name in new.keys() - columns:
                assert new[name]["nullable"] or new[name]["default"] is not None, (revision, name)
        before = {name: {column["name"] for column in there} for name, there in after.items()}
    engine.dispose()
