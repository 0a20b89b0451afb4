"""The store's clock: this machine's on SQLite, the database's on PostgreSQL, a test's own."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import select

from agent_server.store.clock import StoreClock
from agent_server.store.engine import make_engine
from agent_server.store.tables import utcnow


def test_each_database_has_its_clock(database_url: str) -> None:
    engine = make_engine(database_url)
    moment = StoreClock(engine).now(60)
    if engine.dialect.name == "postgresql":
        with engine.connect() as db:
            moment = db.execute(select(moment)).scalar_one()
    engine.dispose()
    assert isinstance(moment, datetime)
    assert abs(moment - utcnow() - timedelta(seconds=60)) < timedelta(seconds=30)


def test_a_clock_may_be_given(tmp_path: Path) -> None:
    start = utcnow()
    engine = make_engine(f"sqlite:///{tmp_path / 'test.db'}")
    assert StoreClock(engine, lambda: start).now(5) == start + timedelta(seconds=5)
