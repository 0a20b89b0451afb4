"""The time that leases go by: the database's on PostgreSQL, this machine's on SQLite."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, DateTime, Engine, func, select

from agent_server.store.engine import read_only
from agent_server.store.tables import utcnow

Clock = Callable[[], datetime]


class StoreClock:
    """An engine and its clock."""

    def __init__(self, engine: Engine, clock: Clock | None = None) -> None:
        self.engine = engine
        self.reader = read_only(engine)
        if clock is None and engine.dialect.name == "sqlite":
            clock = utcnow
        self._clock = clock

    def read(self) -> datetime:
        """What the clock says."""
        if self._clock is not None:
            return self._clock()
        with self.reader.begin() as db:
            return self.read_on(db)

    def read_on(self, db: Connection) -> datetime:
        """What the clock says, on a connection that is open: a second one beside it could be one
        too many for the pool."""
        moment = self.now()
        if isinstance(moment, datetime):
            return moment
        time_there: datetime = db.execute(select(moment)).scalar_one()
        return time_there

    def now(self, plus_s: float = 0.0) -> Any:
        """The time to compare and write with; an expression where the database's clock rules."""
        offset = timedelta(seconds=plus_s)
        if self._clock is not None:
            return self._clock() + offset
        return func.clock_timestamp(type_=DateTime(timezone=True)) + offset
