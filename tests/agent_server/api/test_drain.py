"""The real API, told to end: unready before it is gone, and its sessions go on meanwhile."""

from __future__ import annotations

import asyncio
import signal
import time
from pathlib import Path

from agent_server.settings import Settings
from tests.agent_server.api_process import KEY, Api, running_api
from tests.agent_server.worker.toy_hosts import TOKEN, toy_host

DRAIN_S = 8.0


def status_of(api: Api, path: str) -> int:
    with api.client() as client:
        return client.get(path).status_code


def wait_for_status(api: Api, path: str, status: int) -> None:
    deadline = time.monotonic() + 5
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
        api.process.wait(timeout=30)
        # Nothing was open: it ends once whoever balances loads had the time to notice.
        assert 4 < time.monotonic() - told_at < DRAIN_S


def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    with running_api(Settings(run_dir=tmp_path, api_key=KEY, drain_s=600.0)) as api:
        api.process.send_signal(signal.SIGTERM)
        wait_for_status(api, "/v1/ready", 503)
        api.process.send_signal(signal.SIGTERM)
        api.process.wait(timeout=10)


async def test_a_session_goes_on_and_no_other_is_opened(tmp_path: Path) -> None:
    async with toy_host("browser") as (url, _):
        settings = Settings(
            run_dir=tmp_path, api_key=KEY, drain_s=60.0, host_urls=(url,), host_token=TOKEN
        )
        await asyncio.to_thread(end_with_a_session, settings)


def end_with_a_session(settings: Settings) -> None:
    with running_api(settings) as api, api.client() as client:
        opened = client.post("/v1/sessions", json={})
        assert opened.status_code == 201, opened.text
        path = f"/v1/sessions/{opened.json()['session']['id']}"
        api.process.send_signal(signal.SIGTERM)
        told_at = time.monotonic()
        wait_for_status(api, "/v1/ready", 503)
        refused = client.post("/v1/sessions", json={})
        assert (refused.status_code, "being stopped" in refused.text) == (503, True)
        while time.monotonic() < told_at + 6:
            assert client.post(f"{path}/observe", json={}).status_code == 200
            time.sleep(0.5)
        assert client.delete(path).status_code == 204
        api.process.wait(timeout=20)
        assert time.monotonic() - told_at < 20
