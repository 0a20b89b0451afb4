"""A disk that is really full: every answer says so, nothing breaks, and it passes."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.settings import Settings
from agent_server.store import engine
from agent_server.store.store import Store
from agent_server.store.workers import Offer
from tests.agent_server.api_process import KEY, Api, running_api
from tests.agent_server.small_disk import fill, on_small_disk, seen_by

LARGE = {"id": "x", "instruction": "y", "params": {"blob": "x" * 200_000}}


@pytest.fixture
def keyed(settings: Settings) -> Settings:
    return settings.model_copy(update={"api_key": KEY, "min_free_mb": 1})


@pytest.fixture
def api(keyed: Settings) -> Iterator[Api]:
    with running_api(keyed) as running:
        yield running


def is_full(reply: httpx.Response) -> bool:
    problem: dict[str, Any] = reply.json()
    assert reply.headers["content-type"] == "application/problem+json"
    return reply.status_code == problem["status"] == 507 and "disk" in problem["detail"]


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap makes the small disk")
def test_a_full_disk_is_named_everywhere_and_passes(keyed: Settings) -> None:
    keyed.run_dir.mkdir()
    prefix = on_small_disk(keyed.run_dir, 8)
    with running_api(keyed, prefix) as api, api.client() as client:
        ids = [client.post("/v1/tasks", json={"task": LARGE}).json()["id"] for _ in range(2)]
        filler = seen_by(api.process.pid, keyed.run_dir / "filler")
        fill(filler)
        replies = []
        for number in range(60):  # what the log of the database has room for is still taken
            task = LARGE | {"id": f"x{number}", "instruction": "y" * number}
            replies.append(client.post("/v1/tasks", json={"task": task}))
            if replies[-1].status_code != 201:
                break
        assert is_full(replies[-1]), replies[-1].text
        cancels = [client.post(f"/v1/tasks/{task_id}/cancel") for task_id in ids]
        assert all(reply.status_code == 200 or is_full(reply) for reply in cancels)
        health = client.get("/v1/health")
        assert (health.status_code, health.json()["status"]) == (200, "no_space")
        assert "1 MB are free" in health.json()["detail"]
        assert is_full(client.get("/v1/ready"))
        assert client.get(f"/v1/tasks/{ids[0]}").status_code == 200
        filler.unlink()
        assert client.get("/v1/health").json() == client.get("/v1/ready").json() == {"status": "ok"}
        assert client.post("/v1/tasks", json={"task": LARGE}).status_code == 201
        assert client.post(f"/v1/tasks/{ids[1]}/cancel").json()["status"] == "cancelled"


def test_a_queued_task_says_why_it_waits(api: Api, keyed: Settings) -> None:
    offer = Offer(envs=("browser",), policies=("live",), slots=4)
    with Store.open(keyed) as store, api.client() as client:
        created = client.post("/v1/tasks", json={"task": LARGE}).json()
        assert created["waiting"] == "no worker is alive"
        store.workers.report("w1", offer, "the disk of /data is full")
        path = f"/v1/tasks/{created['id']}"
        assert client.get(path).json()["waiting"] == "w1: the disk of /data is full"
        (listed,) = client.get("/v1/tasks").json()["tasks"]
        assert listed["waiting"] == "w1: the disk of /data is full"
        store.workers.report("w2", offer, None)
        assert client.get(path).json()["waiting"] is None
        client.post(f"{path}/cancel")
        store.workers.leave("w2")
        assert client.get(path).json()["waiting"] is None


def test_a_queued_task_says_that_the_broker_takes_no_messages(api: Api, keyed: Settings) -> None:
    spool = keyed.broker_dir
    assert spool is not None
    away = spool.with_name("away")
    with Store.open(keyed) as store, api.client() as client:
        store.workers.report("w1", Offer(envs=("browser",), policies=("live",), slots=4), None)
        spool.rename(away)
        spool.touch()
        created = client.post("/v1/tasks", json={"task": LARGE}).json()
        assert created["waiting"] == "the broker takes no messages: it is away, or its disk is full"
        spool.unlink()
        away.rename(spool)
        assert client.post("/v1/tasks", json={"task": LARGE}).json()["waiting"] is None


def test_health_takes_no_write_lock(api: Api, keyed: Settings) -> None:
    writer = sqlite3.connect(keyed.run_dir / "deskhand.db", isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    try:
        with httpx.Client(base_url=api.url, timeout=10) as probe:
            for path in ("/v1/health", "/v1/ready"):
                assert probe.get(path).json() == {"status": "ok"}
            assert probe.get("/v1/metrics", headers={"x-api-key": KEY}).status_code == 200
    finally:
        writer.execute("ROLLBACK")
        writer.close()


def test_a_database_that_does_not_answer_is_a_503(
    keyed: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "BUSY_TIMEOUT_S", 0.1)
    app = create_app(keyed.model_copy(update={"reap_s": 600}))
    with TestClient(app, headers={"x-api-key": KEY}, raise_server_exceptions=False) as client:
        writer = sqlite3.connect(keyed.run_dir / "deskhand.db", isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        refused = client.post("/v1/tasks", json={"task": LARGE})
        writer.close()
        assert (refused.status_code, refused.json()["title"]) == (503, "Service Unavailable")
        assert client.post("/v1/tasks", json={"task": LARGE}).status_code == 201
