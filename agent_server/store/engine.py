"""The database engine: SQLite in WAL mode for one machine, PostgreSQL for many.

Guarantees: a write transaction takes SQLite's write lock when it begins, so two writers wait for
each other instead of failing half way; readers never block a writer.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any, TypeVar

import orjson
from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.orm import configure_mappers
from sqlalchemy.orm.attributes import manager_of_class
from sqlmodel import SQLModel

BUSY_TIMEOUT_S = 15.0
_READ_ONLY = "deskhand_read_only"
SERVER_LINK = {
    "connect_timeout": 10,
    "keepalives": 1,
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""A server that goes away without a word (a failover, a firewall that forgets) is noticed in 20 s:
without that a heartbeat, or the reaper, would wait for ever. In libpq's units."""

Row = TypeVar("Row", bound=SQLModel)


def make_engine(database_url: str) -> Engine:
    """An engine for the URL. Raises ValueError, naming the variable."""
    try:
        url = make_url(database_url)
    except ArgumentError as error:
        raise ValueError(
            f"DESKHAND_DATABASE_URL={database_url!r} is not a database URL: "
            "write sqlite:////folder/file.db or postgresql+psycopg://user@host/name"
        ) from error
    if url.drivername in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
    # `make_row` goes past the constructor, which would do this when it is called first.
    configure_mappers()
    options: dict[str, Any] = {}
    if url.get_backend_name() == "sqlite":
        options["connect_args"] = {"timeout": BUSY_TIMEOUT_S}
    elif url.drivername == "postgresql+psycopg":
        own = {name: value for name, value in SERVER_LINK.items() if name not in url.query}
        options["connect_args"] = own
    engine = create_engine(
        url,
        # All are kept: one beyond the pool's size would be opened and closed with each use.
        pool_size=8,
        max_overflow=0,
        pool_timeout=30,
        pool_pre_ping=url.get_backend_name() != "sqlite",
        json_serializer=lambda value: orjson.dumps(value).decode(),
        json_deserializer=orjson.loads,
        **options,
    )
    if url.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _configure_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


_SQLITE_FULL = 13
_POSTGRES_FULL = "53100"


def is_out_of_space(error: DBAPIError) -> bool:
    """Whether a statement failed because the disk of the database is full."""
    cause: Any = error.orig
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    return code == _SQLITE_FULL or getattr(cause, "sqlstate", None) == _POSTGRES_FULL


def read_only(engine: Engine) -> Engine:
    """The same engine for transactions that only read."""
    return engine.execution_options(**{_READ_ONLY: True})


def rows_of(model: type[Row], result: Any) -> list[Row]:
    """Rows of a core query as detached table objects."""
    return [make_row(model, mapping) for mapping in result.mappings()]


def make_row(model: type[Row], mapping: Mapping[str, Any]) -> Row:
    """A detached table object of all its columns.

    Made as SQLAlchemy makes what it loads: the constructor would set each field on its own, which
    costs more than the query."""
    row: Row = manager_of_class(model).new_instance()
    row.__dict__.update(mapping)
    return row


def table_of(model: type[SQLModel]) -> Any:
    """The core table behind a model."""
    return inspect(model).local_table


def _configure_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    reading = connection.get_execution_options().get(_READ_ONLY, False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
