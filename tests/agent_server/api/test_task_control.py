"""A task is steered while a real worker runs it: paused, told more, resumed, limited."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from tests.agent_server.toy_env import toy_task
from tests.agent_server.worker_processes import StartWorker

KEY = "test-key"
LIMIT_S = 30.0


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    keyed = settings.model_copy(update={"api_key": KEY, "concurrency": 1})
    with TestClient(create_app(keyed), headers={"authorization": f"Bearer {KEY}"}) as opened:
        yield opened


def create(client: TestClient, target: int = 2, **more: Any) -> str:
    task = toy_task(target, max_steps=500, delay_s=0.05).model_dump(mode="json")
    reply = client.post("/v1/tasks", json={"task": task, **more})
    assert reply.status_code == 201, reply.text
    return str(reply.json()["id"])


def wait_for(client: TestClient, task_id: str, **fields: Any) -> dict[str, Any]:
    """The task, once it has these values."""
    deadline = time.monotonic() + LIMIT_S
    while True:
        task: dict[str, Any] = client.get(f"/v1/tasks/{task_id}").json()
        if fields.items() <= task.items():
            return task
        assert time.monotonic() < deadline, task
        time.sleep(0.05)


def list_steps(client: TestClient, task_id: str) -> list[dict[str, Any]]:
    reply = client.get(f"/v1/tasks/{task_id}/trajectory")
    return list(reply.json()["steps"]) if reply.status_code == 200 else []


@pytest.mark.services
def test_a_running_task_is_paused_told_more_and_resumed(
    client: TestClient, settings: Settings, start_worker: StartWorker
) -> None:
    start_worker(settings)
    task_id = create(client, target=40)
    wait_for(client, task_id, status="running")
    while len(list_steps(client, task_id)) < 2:
        time.sleep(0.02)
    assert client.post(f"/v1/tasks/{task_id}/pause").json()["is_paused"]
    time.sleep(0.4)  # the step under way ends
    count = len(list_steps(client, task_id))
    reply = client.post(f"/v1/tasks/{task_id}/follow-ups", json={"text": "only to forty"})
    assert reply.status_code == 200
    time.sleep(0.4)
    assert len(list_steps(client, task_id)) == count < 40
    assert not client.post(f"/v1/tasks/{task_id}/resume").json()["is_paused"]
    task = wait_for(client, task_id, status="scored")
    assert (task["success"], task["steps"], task["is_paused"]) == (True, 41, False)
    heard = [step["follow_ups"] for step in list_steps(client, task_id)]
    assert heard[count] == ["only to forty"]
    assert sum(map(len, heard)) == 1
    for verb in ("pause", "resume"):
        assert client.post(f"/v1/tasks/{task_id}/{verb}").status_code == 409
    late = client.post(f"/v1/tasks/{task_id}/follow-ups", json={"text": "too late"})
    assert late.status_code == 409
    assert "has ended" in late.json()["detail"]


@pytest.mark.services
def test_a_queued_task_waits_paused_and_the_urgent_one_goes_first(
    client: TestClient, settings: Settings, start_worker: StartWorker
) -> None:
    held = create(client)
    assert client.post(f"/v1/tasks/{held}/pause").json()["is_paused"]
    plain = [create(client) for _ in range(3)]
    urgent = create(client, priority=9)
    start_worker(settings.model_copy(update={"concurrency": 1}))
    ended = [wait_for(client, task_id, status="scored") for task_id in (*plain, urgent)]
    starts = {task["id"]: task["started_at"] for task in ended}
    assert min(starts, key=lambda task_id: starts[task_id]) == urgent
    assert client.get(f"/v1/tasks/{held}").json()["status"] == "queued"
    client.post(f"/v1/tasks/{held}/resume")
    wait_for(client, held, status="scored")


def test_a_limit_that_nothing_could_measure_is_refused(client: TestClient) -> None:
    body = {"gym": "shop", "template": "price", "seed": 1, "policy": "oracle", "max_cost": 1}
    reply = client.post("/v1/tasks", json=body)
    assert reply.status_code == 422
    assert reply.json()["detail"].startswith("max_cost: oracle has no prices")


def test_tasks_are_found_by_words_agent_and_time(client: TestClient) -> None:
    counting = create(client)
    gym = {"gym": "shop", "template": "price", "seed": 3, "policy": "oracle"}
    shopping = client.post("/v1/tasks", json=gym).json()["id"]
    moment = client.get(f"/v1/tasks/{shopping}").json()["created_at"]

    def list_ids(**query: str) -> list[str]:
        reply = client.get("/v1/tasks", params=query)
        assert reply.status_code == 200, reply.text
        return [task["id"] for task in reply.json()["tasks"]]

    assert list_ids(text="COUNT to") == [counting]
    assert list_ids(policy="oracle") == [shopping]
    assert list_ids(since=moment) == [shopping]
    assert list_ids(before=moment) == [counting]
    assert list_ids(text="nothing like it") == []


def test_episodes_of_a_run_are_not_steered(client: TestClient, settings: Settings) -> None:
    with Store.open(settings) as store:
        row = Episode(id="e1", run_id="run", purpose="train", task={"id": "t", "instruction": "x"})
        store.episodes.create([row])
    for verb in ("pause", "resume"):
        reply = client.post(f"/v1/tasks/e1/{verb}")
        assert reply.status_code == 409
        assert "episode of the run run" in reply.json()["detail"]
