"""Brings a database to the newest schema. Safe when several processes call it at once, and of two
versions.

Guarantees: a version of Deskhand that is started on a schema that a newer one has made works on it,
or says in one sentence what it lacks: processes of two versions may share a database while they are
replaced one by one. For that a migration adds tables, indices and columns that may be left out, and
takes nothing away that the version before uses (tests/agent_server/store/test_migrate.py).
"""

from __future__ import annotations

import logging
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect, text
from sqlmodel import SQLModel

from agent_server.store.engine import make_engine

log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x6465736B
"""Key of the PostgreSQL advisory lock; SQLite's write lock needs none."""


class SchemaTooNew(RuntimeError):
    """A newer version has made the schema, and this one cannot work on it; the message says why."""


def upgrade(database_url: str) -> None:
    """Bring the database at the URL to the newest schema. Raises SchemaTooNew."""
    engine = make_engine(database_url)
    try:
        upgrade_engine(engine)
    finally:
        engine.dispose()


def upgrade_engine(engine: Engine) -> None:
    """One transaction, begun under a lock: whoever comes second finds nothing to do. Raises
    SchemaTooNew."""
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        config = alembic_config(connection)
        revision = MigrationContext.configure(connection).get_current_revision()
        if revision is None or _is_known(config, revision):
            command.upgrade(config, "head")
        else:
            _check_newer(connection, revision)


def alembic_config(connection: Connection) -> Config:
    """Alembic's configuration on an open connection."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


def _is_known(config: Config, revision: str) -> bool:
    scripts = ScriptDirectory.from_config(config)
    return any(script.revision == revision for script in scripts.walk_revisions())


def _check_newer(connection: Connection, revision: str) -> None:
    """Whether all is there that this version reads and writes, and nothing else must be written."""
    problems, inspector = [], inspect(connection)
    names = set(inspector.get_table_names())
    for table in SQLModel.metadata.sorted_tables:
        if table.name not in names:
            problems.append(f"it has no table {table.name}")
            continue
        there = {column["name"]: column for column in inspector.get_columns(table.name)}
        missing = sorted(table.columns.keys() - there.keys())
        problems += [f"it has no column {table.name}.{name}" for name in missing]
        for name in sorted(there.keys() - table.columns.keys()):
            if not there[name]["nullable"] and there[name]["default"] is None:
                problems.append(f"its column {table.name}.{name} must be written")
    if problems:
        raise SchemaTooNew(
            f"the database has schema {revision}, of a newer version of Deskhand, and this one "
            f"cannot use it: {'; '.join(problems[:5])}"
        )
    log.warning("the database has schema %s, of a newer version of Deskhand", revision)
