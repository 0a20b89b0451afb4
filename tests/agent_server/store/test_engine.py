"""URLs of databases, and transactions that only read."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from sqlalchemy import text

from agent_server.store.engine import make_engine, make_row, read_only, table_of
from agent_server.store.tables import Episode


def test_what_is_no_url_is_refused_by_the_variable() -> None:
    with pytest.raises(ValueError, match="DESKHAND_DATABASE_URL='no url'"):
        make_engine("no url")


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_postgresql_is_reached_by_psycopg(scheme: str) -> None:
    pytest.importorskip("psycopg")
    assert make_engine(f"{scheme}://u@h/d").url.drivername == "postgresql+psycopg"


def test_a_reader_does_not_wait_for_a_writer(tmp_path: Path) -> None:
    engine = make_engine(f"sqlite:///{tmp_path}/d.db")
    with engine.begin() as writer:
        writer.execute(text("CREATE TABLE t (n INTEGER)"))
    with engine.begin() as writer, read_only(engine).begin() as reader:
        writer.execute(text("INSERT INTO t VALUES (1)"))
        assert reader.execute(text("SELECT count(*) FROM t")).scalar() == 0
    engine.dispose()


def test_a_model_has_its_table() -> None:
    assert table_of(Episode).name == "episode"


@pytest.mark.services
def test_a_server_that_goes_away_without_a_word_is_noticed(postgres: str) -> None:
    """The system's own limits: more than two hours, or a quarter of one while it sends."""
    engine = make_engine(postgres)
    with engine.connect() as db:
        driver = db.connection.driver_connection
        assert driver is not None
        with socket.socket(fileno=os.dup(driver.fileno())) as link:
            assert link.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            assert link.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 10
            assert link.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 20_000
    engine.dispose()


def test_a_user_may_set_other_limits_in_the_url() -> None:
    pytest.importorskip("psycopg")
    engine = make_engine("postgresql://u@h/d?tcp_user_timeout=500")
    arguments = engine.dialect.create_connect_args(engine.url)[1]
    assert arguments["tcp_user_timeout"] == "500"


def test_a_row_is_what_the_constructor_makes_of_its_columns() -> None:
    episode = Episode(id="e1", run_id="run", purpose="api", task={"id": "t"})
    row = make_row(Episode, episode.model_dump())
    assert row == episode
    assert row.model_dump() == episode.model_dump()
    row.task = {"id": "other"}
    assert (row.task, episode.task) == ({"id": "other"}, {"id": "t"})
