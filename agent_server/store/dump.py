"""All rows of a database as lines of JSON, and back: from SQLite or PostgreSQL into either.

Guarantees: what is read is the database at one moment, and no writer waits for it; times, enums and
numbers come back as they were. Rows of an older schema are written into a database of that schema,
which is then brought to the newest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from enum import Enum
from typing import Any

import orjson
from alembic import command
from alembic.runtime.migration import MigrationContext
from alembic.util import CommandError
from sqlalchemy import BigInteger, Connection, Engine, Integer, Table, func, insert, select, text
from sqlmodel import SQLModel

from agent_server.store.engine import read_only
from agent_server.store.migrate import alembic_config
from agent_server.store.tables import UtcDateTime, Worker

BATCH = 500
LEFT_OUT = frozenset({Worker.__tablename__})
"""Workers that are alive: they say so again every few seconds."""


class DumpError(ValueError):
    """The rows cannot be written; the message says why."""


def list_tables() -> list[Table]:
    """The tables of a dump, in an order in which they can be filled."""
    return [table for table in SQLModel.metadata.sorted_tables if table.name not in LEFT_OUT]


@contextmanager
def open_snapshot(engine: Engine) -> Iterator[Connection]:
    """A connection that sees the database of one moment."""
    if engine.dialect.name == "postgresql":
        engine = engine.execution_options(isolation_level="REPEATABLE READ")
    with read_only(engine).begin() as db:
        yield db


def revision_of(db: Connection) -> str:
    """The schema's version."""
    return MigrationContext.configure(db).get_current_revision() or ""


def read_lines(db: Connection, table: Table) -> Iterator[bytes]:
    """One line for each row."""
    rows = db.execution_options(yield_per=BATCH).execute(select(table))
    for row in rows.mappings():
        values = {name: _plain(value) for name, value in row.items()}
        yield orjson.dumps(values, option=orjson.OPT_APPEND_NEWLINE)


def prepare(engine: Engine, revision: str) -> None:
    """Makes the tables of this version of the schema in an empty database. Raises DumpError."""
    with engine.begin() as db:
        if revision_of(db):
            raise DumpError("the database is not empty: name another one")
        config = alembic_config(db)
        try:
            command.upgrade(config, revision)
        except CommandError as error:
            raise DumpError(
                f"the backup has schema {revision}, which this version of Deskhand does not know: "
                "use the version that made it, or a later one"
            ) from error


def write_lines(db: Connection, table: Table, lines: Iterable[bytes]) -> int:
    """Inserts rows that `read_lines` gave; returns how many."""
    count, batch = 0, []
    for line in lines:
        values: dict[str, Any] = orjson.loads(line)
        batch.append({name: _python_value(table, name, value) for name, value in values.items()})
        if len(batch) == BATCH:
            count += _insert(db, table, batch)
            batch = []
    return count + _insert(db, table, batch)


def finish(db: Connection) -> None:
    """Lets numbers of new rows begin after those that were written, and brings the schema up to
    date."""
    if db.dialect.name == "postgresql":
        for table in list_tables():
            for column in table.primary_key:
                if isinstance(column.type, Integer | BigInteger):
                    highest = db.execute(select(func.max(column))).scalar_one()
                    if highest is not None:
                        sequence = func.pg_get_serial_sequence(f'"{table.name}"', column.name)
                        db.execute(select(func.setval(sequence, highest)))
        db.execute(text("ANALYZE"))
    command.upgrade(alembic_config(db), "head")


def _insert(db: Connection, table: Table, rows: list[dict[str, Any]]) -> int:
    if rows:
        db.execute(insert(table), rows)
    return len(rows)


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    return value.isoformat() if isinstance(value, datetime) else value


def _python_value(table: Table, name: str, value: Any) -> Any:
    if name not in table.c:
        raise DumpError(f"the backup has a column {table.name}.{name}, which is unknown here")
    type_ = table.c[name].type
    if value is None:
        return None
    if isinstance(type_, UtcDateTime):
        return datetime.fromisoformat(value)
    enum_class = getattr(type_, "enum_class", None)
    return enum_class(value) if enum_class is not None else value
