"""The worker process: a Celery application whose tasks are episodes, run by one `Runtime`.

Guarantees: a worker that cannot start ends with a sentence; a message that is no episode's is
dropped and said; SIGTERM reaches the runtime before Celery waits for its threads.
"""

from __future__ import annotations

import logging
import sys
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_init, worker_shutdown, worker_shutting_down
from pydantic import ValidationError

from agent_server.queue.broker import EPISODE_TASK, EpisodeMessage, celery_app
from agent_server.settings import Settings
from agent_server.store.store import Store, StoreError
from agent_server.worker.runtime import Backends, Runtime
from envs.io.episode_log import set_log_format
from envs.io.traces import continued_trace, span, start_traces

log = logging.getLogger(__name__)


def worker_app(settings: Settings, backends: Backends) -> Celery:
    """Create the Celery application on these backends."""
    app = celery_app(settings)
    worker = _Worker(settings, backends)

    # A function, for Celery hands what came with a message to no bound method.
    def run_episode(received: Any, message: dict[str, Any]) -> None:
        worker.run_episode(message, received.request.get("traceparent") or "")

    app.task(name=EPISODE_TASK, bind=True)(run_episode)
    worker_init.connect(worker.start, weak=False)
    worker_shutting_down.connect(worker.begin_stop, weak=False)
    worker_shutdown.connect(worker.close, weak=False)
    setup_logging.connect(worker.configure_logging, weak=False)
    return app


class _Worker:
    def __init__(self, settings: Settings, backends: Backends) -> None:
        self._settings = settings
        self._backends = backends
        self._store: Store | None = None
        self._runtime: Runtime | None = None

    def configure_logging(self, **_: Any) -> None:
        set_log_format(self._settings.log_level)
        for logger_name in ("celery.app.trace", "celery.worker.strategy"):
            logging.getLogger(logger_name).setLevel(logging.WARNING)

    def start(self, **_: Any) -> None:
        try:
            start_traces("worker")
            self._store = Store.open(self._settings)
            self._runtime = Runtime(self._settings, self._store, self._backends)
            self._runtime.start()
        except (StoreError, ValueError) as error:
            sys.exit(f"the worker cannot start: {error}")
        except Exception:
            # Celery would log it and go on: a worker that takes messages and runs nothing.
            log.exception("the worker cannot start")
            sys.exit(1)
        log.info("worker %s is ready", self._runtime.owner)

    def begin_stop(self, **_: Any) -> None:
        if self._runtime is not None:
            self._runtime.begin_stop()

    def close(self, **_: Any) -> None:
        if self._runtime is not None:
            self._runtime.close()
        if self._store is not None:
            self._store.close()

    def run_episode(self, message: dict[str, Any], traceparent: str) -> None:
        try:
            episode_id = EpisodeMessage.model_validate(message).episode_id
        except ValidationError as error:
            log.error("dropped a message that is not an episode's: %s", error)
            return
        assert self._runtime is not None
        with continued_trace({"traceparent": traceparent}), span("message", episode_id=episode_id):
            self._runtime.run(episode_id)


def run_worker(app: Celery) -> None:
    """Run the worker; blocks until it is told to stop."""
    app.worker_main(
        ["--quiet", "worker", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    )
