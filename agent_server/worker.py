"""The worker process: `python -m agent_server.worker`, or `celery -A agent_server.worker worker`.

Configured by the environment alone (agent_server/settings.py).
"""

from __future__ import annotations

import sys

from celery import Celery

from agent_server.backends import HttpBackends
from agent_server.settings import Settings, SettingsError
from agent_server.worker_app import run_worker, worker_app


def _from_env() -> Celery:
    try:
        settings = Settings.from_env()
    except SettingsError as error:
        sys.exit(f"the worker cannot start: {error}")
    return worker_app(settings, HttpBackends(settings))


app = _from_env()

if __name__ == "__main__":
    run_worker(app)
