"""Runs and versions as the API shows them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.tables import PolicyVersion, Run
from envs.providers.local import free_port


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    settings = Settings(run_dir=tmp_path, api_key="key")
    with Store.open(settings) as store:
        for run in ("old", "new"):
            store.runs.create(Run(id=run, kind="train"))
        for version, status in ((1, "live"), (2, "rejected")):
            store.runs.add_version(
                PolicyVersion(
                    run_id="new", version=version, path=f"v{version}", sha256="0", status=status
                )
            )
    with TestClient(create_app(settings), headers={"x-api-key": "key"}) as opened:
        yield opened


def test_versions_are_those_of_the_newest_run_that_published(client: TestClient) -> None:
    versions = client.get("/v1/policy/versions").json()
    assert [(row["version"], row["status"]) for row in versions] == [(1, "live"), (2, "rejected")]
    assert client.get("/v1/policy/current").json()["version"] == 1


def test_runs_have_their_episodes_by_outcome(client: TestClient) -> None:
    assert {row["id"] for row in client.get("/v1/runs").json()} == {"old", "new", "api"}
    assert client.get("/v1/runs/new").json()["episodes"]["dispatched"] == 0
    assert client.get("/v1/runs/other").status_code == 404


def test_metrics_name_the_live_version(client: TestClient) -> None:
    assert "deskhand_policy_version 1.0" in client.get("/v1/metrics").text


def test_metrics_are_served_without_the_broker(tmp_path: Path) -> None:
    pytest.importorskip("redis")
    nobody = f"redis://127.0.0.1:{free_port()}/0"
    settings = Settings(run_dir=tmp_path, api_key="key", broker_url=nobody)
    with TestClient(create_app(settings), headers={"x-api-key": "key"}) as client:
        reply = client.get("/v1/metrics")
    assert reply.status_code == 200
    assert "deskhand_policy_version" in reply.text
    assert "deskhand_queue_depth" not in reply.text
