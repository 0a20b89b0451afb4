"""A Celery application whose worker runs episodes.

A task is one episode: its thread leases the row, hands the attempt to the process's event loop and
waits. SIGTERM takes nothing more, ends the running episodes as lost (they are dispatched again) and
closes their sessions.
"""

from __future__ import annotations

import logging
import sys
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_init, worker_shutdown, worker_shutting_down
from pydantic import ValidationError

from agent_server.broker import EPISODE_TASK, EpisodeMessage, celery_app
from agent_server.runtime import Backends, Runtime
from agent_server.settings import Settings
from agent_server.store.store import Store, StoreError

log = logging.getLogger(__name__)


def worker_app(settings: Settings, backends: Backends) -> Celery:
    """A Celery application whose worker runs episodes on these backends."""
    app = celery_app(settings)
    worker = _Worker(settings, backends)
    app.task(name=EPISODE_TASK)(worker.episode)
    worker_init.connect(worker.start, weak=False)
    worker_shutting_down.connect(worker.begin_stop, weak=False)
    worker_shutdown.connect(worker.close, weak=False)
    setup_logging.connect(worker.logging, weak=False)
    return app


class _Worker:
    def __init__(self, settings: Settings, backends: Backends) -> None:
        self._settings = settings
        self._backends = backends
        self._store: Store | None = None
        self._runtime: Runtime | None = None

    def logging(self, **_: Any) -> None:
        logging.basicConfig(
            level=self._settings.log_level,
            format="%(asctime)s %(levelname)s %(name)s: %(message)s",
            force=True,
        )
        for chatty in ("celery.app.trace", "celery.worker.strategy"):
            logging.getLogger(chatty).setLevel(logging.WARNING)

    def start(self, **_: Any) -> None:
        try:
            self._store = Store.open(self._settings)
        except StoreError as error:
            sys.exit(f"the worker cannot start: {error}")
        self._runtime = Runtime(self._settings, self._store, self._backends)
        self._runtime.start()
        log.info("worker %s is ready", self._runtime.owner)

    def begin_stop(self, **_: Any) -> None:
        if self._runtime is not None:
            self._runtime.begin_stop()

    def close(self, **_: Any) -> None:
        if self._runtime is not None:
            self._runtime.close()
        if self._store is not None:
            self._store.close()

    def episode(self, message: dict[str, Any]) -> None:
        try:
            episode_id = EpisodeMessage.model_validate(message).episode_id
        except ValidationError as error:
            log.error("dropped a message that is not an episode's: %s", error)
            return
        assert self._runtime is not None
        self._runtime.run(episode_id)


def run_worker(app: Celery) -> None:
    """Blocks until the worker is told to stop."""
    app.worker_main(
        ["--quiet", "worker", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    )
