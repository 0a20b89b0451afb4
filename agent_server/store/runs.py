"""Runs and the policy versions they published."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from sqlalchemy import Engine, insert, select, update

from agent_server.store.engine import read_only, rows_of, table_of
from agent_server.store.tables import PolicyVersion, Run, utcnow

run = table_of(Run)
version_ = table_of(PolicyVersion)

RunStatus = Literal["running", "finished", "failed", "interrupted"]
VersionStatus = Literal["published", "requested", "live", "rejected"]


class RunExists(ValueError):
    """A run with this id is in the database already."""


class SwapWaits(ValueError):
    """A version was asked for already, and nobody has swapped it in yet."""

    def __str__(self) -> str:
        return "another version is being swapped in: wait for its result"


class RunStore:
    """The tables of runs and policy versions."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._reader = read_only(engine)

    def create(self, row: Run) -> None:
        """Insert a run. Raises RunExists."""
        with self.engine.begin() as db:
            if db.execute(select(run.c.id).where(run.c.id == row.id)).first():
                raise RunExists(f"run {row.id!r} exists already: choose another id or resume it")
            db.execute(insert(run), row.model_dump())

    def get(self, run_id: str) -> Run | None:
        """The run of this id, or None."""
        with self._reader.begin() as db:
            rows = rows_of(Run, db.execute(select(run).where(run.c.id == run_id)))
        return rows[0] if rows else None

    def running(self, run_ids: Iterable[str]) -> set[str]:
        """Those of these runs that are running."""
        statement = select(run.c.id).where(run.c.id.in_(list(run_ids)), run.c.status == "running")
        with self._reader.begin() as db:
            return set(db.execute(statement).scalars())

    def recent(self, limit: int = 100) -> list[Run]:
        """The newest runs, newest first."""
        statement = select(run).order_by(run.c.created_at.desc(), run.c.id.desc()).limit(limit)
        with self._reader.begin() as db:
            return rows_of(Run, db.execute(statement))

    def set_status(self, run_id: str, status: RunStatus) -> bool:
        """Set the status: `running` when a run is resumed; any other status ends its retries. False
        if there is no such run."""
        values: dict[str, Any] = {
            "status": status,
            "finished_at": None if status == "running" else utcnow(),
        }
        with self.engine.begin() as db:
            return bool(db.execute(update(run).where(run.c.id == run_id).values(**values)).rowcount)

    def add_version(self, row: PolicyVersion) -> int:
        """Insert a published version; returns the row's id."""
        with self.engine.begin() as db:
            statement = insert(version_).returning(version_.c.id)
            return int(db.execute(statement, row.model_dump(exclude={"id"})).scalar_one())

    def set_version(
        self,
        version_row_id: int,
        status: VersionStatus,
        *,
        verify: dict[str, Any] | None = None,
        pause_ms: float | None = None,
    ) -> None:
        """Record the result of a version's swap."""
        values: dict[str, Any] = {"status": status}
        if verify is not None:
            values["verify"] = verify
        if pause_ms is not None:
            values["pause_ms"] = pause_ms
        with self.engine.begin() as db:
            db.execute(update(version_).where(version_.c.id == version_row_id).values(**values))

    def versions(self, run_id: str) -> list[PolicyVersion]:
        """Versions of a run, oldest first."""
        with self._reader.begin() as db:
            return rows_of(
                PolicyVersion,
                db.execute(
                    select(version_).where(version_.c.run_id == run_id).order_by(version_.c.id)
                ),
            )

    def live_version(self, run_id: str) -> PolicyVersion | None:
        """The newest version of the run that was verified and serves, or None."""
        live = [row for row in self.versions(run_id) if row.status == "live"]
        return live[-1] if live else None

    def request_version(self, row: PolicyVersion, parent: int | None) -> int:
        """Asks whoever owns the run's policy server for this version: a row of its own, for the
        swap is an event of its own. Raises SwapWaits."""
        values = row.model_dump(include={"run_id", "version", "path", "sha256", "phase"})
        waiting = (version_.c.run_id == row.run_id) & (version_.c.status == "requested")
        with self.engine.begin() as db:
            if db.execute(select(version_.c.id).where(waiting)).first():
                raise SwapWaits
            request = PolicyVersion(**values, parent=parent, status="requested")
            statement = insert(version_).returning(version_.c.id)
            return int(db.execute(statement, request.model_dump(exclude={"id"})).scalar_one())

    def requested_version(self, run_id: str) -> PolicyVersion | None:
        """The version that was asked for and not swapped in yet, or None."""
        return next((row for row in self.versions(run_id) if row.status == "requested"), None)
