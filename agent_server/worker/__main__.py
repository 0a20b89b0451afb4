"""`python -m agent_server.worker`: a worker until it is stopped, configured by the environment."""

from agent_server.worker.celery_app import app
from agent_server.worker.process import run_worker

if __name__ == "__main__":
    run_worker(app)
