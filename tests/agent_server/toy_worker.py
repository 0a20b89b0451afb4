"""A real Celery worker on the toy environment; configured by DESKHAND_* like the real one."""

from toy_env import ToyBackends

from agent_server.settings import Settings
from agent_server.worker_app import run_worker, worker_app

if __name__ == "__main__":
    run_worker(worker_app(Settings.from_env(), ToyBackends()))
