"""The real API, told to end: unready before it is gone, and answering meanwhile."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from agent_server.settings import Settings
from tests.agent_server.api_process import KEY, PATIENCE_S, Api, running_api

DRAIN_S = 60.0


def status_of(api: Api, path: str) -> int:
    with api.client() as client:
        return client.get(path).status_code


def wait_for_status(api: Api, path: str, status: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while status_of(api, path) != status:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_it_is_unready_first_and_answers_on(tmp_path: Path) -> None:
    with running_api(Settings(run_dir=tmp_path, api_key=KEY, drain_s=DRAIN_S)) as api:
        assert status_of(api, "/v1/ready") == 200
        api.process.send_signal(signal.SIGTERM)
        told_at = time.monotonic()
        wait_for_status(api, "/v1/ready", 503)
        assert (status_of(api, "/v1/health"), status_of(api, "/v1/tasks")) == (200, 200)
        api.process.wait(timeout=PATIENCE_S)
        # Nothing was open: it ends once whoever balances loads had the time to notice.
        assert 4 < time.monotonic() - told_at < DRAIN_S


def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    with running_api(Settings(run_dir=tmp_path, api_key=KEY, drain_s=600.0)) as api:
        api.process.send_signal(signal.SIGTERM)
        wait_for_status(api, "/v1/ready", 503)
        api.process.send_signal(signal.SIGTERM)
        api.process.wait(timeout=PATIENCE_S)
