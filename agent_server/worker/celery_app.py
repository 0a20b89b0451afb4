"""The Celery application of a worker process, configured by the environment alone.

celery -A agent_server.worker.celery_app worker
"""

from __future__ import annotations

import sys

from celery import Celery

from agent_server.settings import Settings, SettingsError
from agent_server.worker.backends import HttpBackends
from agent_server.worker.runtime import worker_app


def _from_env() -> Celery:
    try:
        settings = Settings.from_env()
    except SettingsError as error:
        sys.exit(f"the worker cannot start: {error}")
    return worker_app(settings, HttpBackends(settings))


app = _from_env()
