"""The database as one object: open it, use its parts, close it."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from agent_server.settings import Settings
from agent_server.store.approvals import ApprovalStore
from agent_server.store.clock import Clock, StoreClock
from agent_server.store.control import ControlStore
from agent_server.store.deliveries import DeliveryStore
from agent_server.store.engine import make_engine
from agent_server.store.episodes import EpisodeStore
from agent_server.store.keys import KeyStore
from agent_server.store.migrate import SchemaTooNew, upgrade_engine
from agent_server.store.quotas import QuotaStore
from agent_server.store.runs import RunStore
from agent_server.store.workers import WorkerStore


class StoreError(RuntimeError):
    """The database cannot be opened; the message says which and what to do."""


class Store:
    """The database: its parts on one engine."""

    def __init__(
        self, database_url: str, lease_s: float = 20.0, clock: Clock | None = None
    ) -> None:
        """Opens the database and brings its schema up to date."""
        self.engine = make_engine(database_url)
        store_clock = StoreClock(self.engine, clock)
        self.episodes = EpisodeStore(store_clock, lease_s)
        self.control = ControlStore(store_clock)
        self.deliveries = DeliveryStore(store_clock)
        self.approvals = ApprovalStore(store_clock)
        self.workers = WorkerStore(store_clock)
        self.keys = KeyStore(store_clock)
        self.quotas = QuotaStore(store_clock)
        self.runs = RunStore(self.engine)
        file = self.engine.url.database
        try:
            if self.engine.dialect.name == "sqlite" and file:
                Path(file).parent.mkdir(parents=True, exist_ok=True)
            upgrade_engine(self.engine)
        except SchemaTooNew as error:
            self.engine.dispose()
            raise StoreError(str(error)) from error
        except (SQLAlchemyError, OSError) as error:
            self.engine.dispose()
            shown_url = self.engine.url.render_as_string(hide_password=True)
            cause = getattr(error, "orig", None) or error
            raise StoreError(
                f"cannot open the database {shown_url}: {str(cause).strip()}; "
                "check DESKHAND_DATABASE_URL and that its folder or server is there and writable"
            ) from error

    @classmethod
    def open(cls, settings: Settings) -> Store:
        """Open the database of the settings. Raises StoreError."""
        return cls(settings.database, settings.lease_s)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
