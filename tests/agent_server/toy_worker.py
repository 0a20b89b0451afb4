"""A real Celery worker on the toy environment; configured by DESKHAND_* like the real one."""

from agent_server.settings import Settings
from agent_server.worker.process import run_worker, worker_app
from tests.agent_server.toy_env import ToyBackends

if __name__ == "__main__":
    run_worker(worker_app(Settings.from_env(), ToyBackends()))
