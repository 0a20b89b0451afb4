"""A process of the version before works on the schema with quotas, and its episodes go on."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from sqlalchemy import inspect, text

from agent_server.store.engine import make_engine
from agent_server.store.migrate import alembic_config, upgrade
from agent_server.store.store import Store
from agent_server.store.tables import Run

OLD_KEY = """
INSERT INTO api_key (name, digest, scope, created_at) VALUES ('old', 'd', 'run', '2026-11-24')
"""


def test_what_the_version_before_wrote_has_no_limits_and_is_run(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'x.db'}"
    engine = make_engine(url)
    with engine.begin() as db:
        command.upgrade(alembic_config(db), "0007")
        columns = [
            f'"{column["name"]}"'
            for column in inspect(db).get_columns("episode")
            if not column["nullable"] and column["default"] is None
        ]
    upgrade(url)
    with Store(url) as store:
        store.runs.create(Run(id="run", kind="serve"))
        with engine.begin() as db:
            db.execute(text(OLD_KEY))
            values = {"id": "e", "run_id": "run", "root_id": "e", "purpose": "api", "attempt": 1}
            filled = [values.get(name.strip('"'), "{}") for name in columns]
            filled = [
                _fill(name.strip('"'), value) for name, value in zip(columns, filled, strict=True)
            ]
            marks = ", ".join("?" * len(columns))
            statement = f"INSERT INTO episode ({', '.join(columns)}) VALUES ({marks})"
            db.exec_driver_sql(statement, tuple(filled))
        assert store.quotas.standings(["old"])["old"].describe() == ""
        row = store.episodes.lease("e", "w")
        assert row is not None
        assert row.key_name is None
    engine.dispose()


def _fill(name: str, value: object) -> object:
    """What the version before wrote into a column that must not be empty."""
    known = {"status": "queued", "policy": "live", "phase": "", "created_at": "2026-11-24 00:00:00"}
    numbers = ("slot", "steps", "screenshots", "cancel_requested")
    return 0 if name in numbers else known.get(name, value)
