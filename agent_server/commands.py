"""Commands of this layer: serve, worker, eval, replay, doctor. Bodies import what they need."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    app.command()(worker)


def worker() -> None:
    """Run a worker on the settings in DESKHAND_* (see docs), until stopped."""
    from agent_server.worker import app as celery
    from agent_server.worker_app import run_worker

    run_worker(celery)
