"""A task is done anew from a step on, by a real worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from envs.contract.task import Limits, Task
from tests.agent_server.api.test_task_control import create, list_steps, wait_for
from tests.agent_server.worker_processes import StartWorker

KEY = "test-key"


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    keyed = settings.model_copy(update={"api_key": KEY})
    with TestClient(create_app(keyed), headers={"authorization": f"Bearer {KEY}"}) as opened:
        yield opened


def test_a_limit_of_cost_wants_an_agent_with_prices_in_a_retry_too(
    settings: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "free.toml"
    file.write_text(
        'name = "free"\ndialect = "compact"\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "m"\n'
    )
    known = settings.model_copy(update={"api_key": KEY, "agents": (file,)})
    task = Task(id="t", instruction="look", limits=Limits(max_cost=0.5))
    headers = {"authorization": f"Bearer {KEY}"}
    with TestClient(create_app(known), headers=headers) as client, Store.open(settings) as store:
        row = Episode(id="e1", run_id="api", purpose="api", task=task.model_dump(mode="json"))
        store.episodes.create([row])
        reply = client.post("/v1/tasks/e1/retry", json={"steps": 0, "policy": "free"})
    assert reply.status_code == 422
    assert "max_cost: free has no prices" in reply.json()["detail"]


@pytest.mark.services
def test_a_task_is_done_anew_from_a_step_on(
    client: TestClient, settings: Settings, start_worker: StartWorker
) -> None:
    start_worker(settings)
    first = create(client, target=3)
    wait_for(client, first, status="scored")
    body = {"steps": 2, "follow_up": "and be quick"}
    reply = client.post(f"/v1/tasks/{first}/retry", json=body)
    assert reply.status_code == 201, reply.text
    again = wait_for(client, reply.json()["id"], status="scored")
    assert (again["success"], again["steps"], again["replay_of"]) == (True, 4, first)
    steps = list_steps(client, again["id"])
    finishes = [step["completion"]["finish_reason"] for step in steps]
    assert finishes == ["replayed", "replayed", "stop", "stop"]
    assert "and be quick" in steps[2]["prompt"]
    too_many = client.post(f"/v1/tasks/{first}/retry", json={"steps": 9})
    assert too_many.status_code == 422
    assert "has 4 steps" in too_many.json()["detail"]
