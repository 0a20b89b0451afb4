"""The Celery application of a worker process, configured by the environment alone.

celery -A agent_server.worker.celery_app worker
"""

from __future__ import annotations

import sys

from celery import Celery

from agent_server.settings import Settings
from agent_server.worker.backends import HttpBackends
from agent_server.worker.process import worker_app
from envs.contract.outcomes import EpisodeFault
from envs.io.settings import SettingsError
from envs.osworld.outside.judge_place import judge_place


def _from_env() -> Celery:
    try:
        settings = Settings.from_env()
        if settings.desktop_urls:
            judge_place()  # files of desktops are judged by the worker
    except SettingsError as error:
        sys.exit(f"the worker cannot start: {error}")
    except EpisodeFault as fault:
        sys.exit(f"the worker cannot start: {fault.detail}")
    return worker_app(settings, HttpBackends(settings))


app = _from_env()
