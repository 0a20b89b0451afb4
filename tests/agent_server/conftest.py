"""Shared fixtures; its being here puts this folder on the import path of the tests below."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_server.settings import Settings
from tests.agent_server.worker_processes import TOY_WORKER, StartWorker


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        run_dir=tmp_path / "run", lease_s=3, heartbeat_s=0.5, reap_s=0.2, resend_after_s=2
    )


@pytest.fixture
def start_worker(tmp_path: Path) -> Iterator[StartWorker]:
    """Starts toy workers; those still alive are stopped at the end."""
    workers: list[subprocess.Popen[bytes]] = []

    def start(settings: Settings, module: str = TOY_WORKER) -> subprocess.Popen[bytes]:
        with (tmp_path / f"worker-{len(workers)}.log").open("wb") as log:
            worker = subprocess.Popen(
                [sys.executable, "-m", module],
                env={**os.environ, **settings.to_env()},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        workers.append(worker)
        return worker

    yield start
    for worker in workers:
        if worker.poll() is None:
            worker.send_signal(signal.SIGTERM)
    for worker in workers:
        try:
            worker.wait(timeout=15)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()
