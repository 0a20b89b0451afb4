"""Brings a database to the newest schema. Safe when several processes call it at once."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, text

from agent_server.store.engine import make_engine

MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 0x6465736B
"""Key of the PostgreSQL advisory lock; SQLite's write lock needs none."""


def upgrade(database_url: str) -> None:
    """Bring the database at the URL to the newest schema."""
    engine = make_engine(database_url)
    try:
        upgrade_engine(engine)
    finally:
        engine.dispose()


def upgrade_engine(engine: Engine) -> None:
    """One transaction, begun under a lock: whoever comes second finds nothing to do."""
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        command.upgrade(alembic_config(connection), "head")


def alembic_config(connection: Connection) -> Config:
    """Alembic's configuration on an open connection."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config
