"""The HTTP API over a real database and broker: what it gives, and what it refuses and how."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.tables import PolicyVersion, Run
from tests.agent_server.event_stream import events_of
from tests.agent_server.toy_env import toy_task
from tests.agent_server.worker_processes import StartWorker

KEY = "test-key"
AUTHORIZED = {"authorization": f"Bearer {KEY}"}
SHOP_TASK = {"gym": "shop", "template": "price", "seed": 3}


@pytest.fixture
def keyed(settings: Settings) -> Settings:
    return settings.model_copy(update={"api_key": KEY})


@pytest.fixture
def client(keyed: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(keyed), headers=AUTHORIZED) as opened:
        yield opened


def toy(**params: Any) -> dict[str, Any]:
    return {"task": toy_task(**params).model_dump(mode="json")}


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer wrong"}, {"x-api-key": ""}])
@pytest.mark.parametrize("path", ["/v1/tasks", "/v1/runs", "/v1/metrics", "/v1/policy/versions"])
def test_every_route_wants_the_key(keyed: Settings, path: str, headers: dict[str, str]) -> None:
    with TestClient(create_app(keyed)) as anyone:
        refused = anyone.get(path, headers=headers)
        assert refused.status_code == 401
        assert refused.headers["content-type"] == "application/problem+json"
        assert anyone.get(path, headers={"x-api-key": KEY}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": ""},
        {"authorization": "Bearer"},
        {"authorization": f"Basic {KEY}"},
        {"authorization": f"Bearer {KEY}x"},
        {"x-api-key": KEY[:-1]},
        {"x-api-key": "schlüssel"},
        {"x-api-key": "wrong", "authorization": f"Bearer {KEY}"},
    ],
)
def test_a_wrong_key_opens_no_route(keyed: Settings, headers: dict[str, str]) -> None:
    raw = {name: value.encode("latin-1") for name, value in headers.items()}
    with TestClient(create_app(keyed)) as anyone:
        document = anyone.get("/openapi.json", headers={"x-api-key": KEY}).json()
        for path, methods in document["paths"].items():
            for method in methods:
                reply = anyone.request(method, path, headers=raw)
                if path in ("/v1/health", "/v1/ready"):
                    assert reply.status_code == 200
                else:
                    assert reply.json()["status"] == reply.status_code == 401, path


def test_without_a_key_in_the_settings_nobody_is_let_in(settings: Settings) -> None:
    with TestClient(create_app(settings)) as anyone:
        for headers in ({}, {"x-api-key": ""}, {"authorization": "Bearer "}):
            assert anyone.get("/v1/tasks", headers=headers).status_code == 401


def test_health_needs_no_key(keyed: Settings) -> None:
    with TestClient(create_app(keyed)) as anyone:
        assert anyone.get("/v1/health").json() == {"status": "ok"}


def test_a_task_runs_to_its_end_and_can_be_followed(
    client: TestClient, keyed: Settings, start_worker: StartWorker
) -> None:
    start_worker(keyed)
    created = client.post("/v1/tasks", json=toy(target=3) | {"screenshots": True})
    assert created.status_code == 201
    task_id = created.json()["id"]
    events = events_of(client, task_id)
    assert [number for kind, number, _ in events if kind == "step"] == ["1", "2", "3", "4"]
    kind, _, final = events[-1]
    assert (kind, final["status"], final["success"], final["steps"]) == ("end", "scored", True, 4)
    again = events_of(client, task_id, after=3)
    assert [number for kind, number, _ in again if kind == "step"] == ["4"]
    assert client.get(f"/v1/tasks/{task_id}").json() == final
    steps = client.get(f"/v1/tasks/{task_id}/trajectory").json()["steps"]
    names = client.get(f"/v1/tasks/{task_id}/screenshots").json()
    assert names == [step["screenshot"] for step in steps]
    picture = client.get(f"/v1/tasks/{task_id}/screenshots/{names[0]}")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/jpeg")
    refused = client.post(f"/v1/tasks/{task_id}/cancel")
    assert (refused.status_code, refused.json()["title"]) == (409, "Conflict")


def test_a_task_that_waits_can_be_cancelled(client: TestClient) -> None:
    task_id = client.post("/v1/tasks", json=SHOP_TASK).json()["id"]
    assert client.post(f"/v1/tasks/{task_id}/cancel").json()["status"] == "cancelled"
    assert client.get(f"/v1/tasks/{task_id}/trajectory").status_code == 404


@pytest.mark.parametrize(
    "body",
    [SHOP_TASK, toy(), {"instruction": "look around", "start_url": "http://127.0.0.1:1/"}],
)
def test_a_task_is_a_template_a_whole_task_or_an_instruction(
    client: TestClient, body: dict[str, Any]
) -> None:
    created = client.post("/v1/tasks", json=body)
    assert (created.status_code, created.json()["status"]) == (201, "queued")
    assert created.json()["instruction"]


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ({}, "give one of: gym"),
        (SHOP_TASK | {"instruction": "x"}, "give one of: gym"),
        ({"gym": "shop", "template": "price"}, "gym needs template and seed"),
        ({"instruction": "x"}, "instruction needs start_url"),
        ({"instruction": "x", "start_url": "file:///etc/passwd"}, "start_url"),
        (SHOP_TASK | {"gym": "shap"}, "shap"),
        (SHOP_TASK | {"template": "prize"}, "prize"),
        (SHOP_TASK | {"seed": -1}, "seed"),
        (SHOP_TASK | {"seeed": 1}, "seeed"),
        (SHOP_TASK | {"max_steps": 0}, "max_steps"),
        (SHOP_TASK | {"sampling": {"temperature": -1}}, "sampling.temperature"),
        (
            {"instruction": "x", "start_url": "http://127.0.0.1:1/", "policy": "oracle"},
            "no api oracle",
        ),
        ([], "body"),
    ],
)
def test_what_a_client_got_wrong_is_named(client: TestClient, body: Any, complaint: str) -> None:
    refused = client.post("/v1/tasks", json=body)
    assert refused.status_code == 422
    assert refused.headers["content-type"] == "application/problem+json"
    assert complaint in refused.json()["detail"]


def test_a_body_that_is_no_json_is_refused(client: TestClient) -> None:
    headers = {"content-type": "application/json"}
    assert client.post("/v1/tasks", content=b"{", headers=headers).status_code == 422


def test_an_idempotency_key_runs_a_task_once(client: TestClient) -> None:
    key = {"idempotency-key": "order-7"}
    body = {"instruction": "look", "start_url": "http://127.0.0.1:1/"}
    first, second = (client.post("/v1/tasks", json=body, headers=key) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["id"] == second.json()["id"]
    other = client.post("/v1/tasks", json=SHOP_TASK, headers=key)
    assert other.status_code == 409
    assert len(client.get("/v1/tasks").json()["tasks"]) == 1


def test_pages_of_tasks_hold_each_once_newest_first(client: TestClient) -> None:
    made = [client.post("/v1/tasks", json=SHOP_TASK | {"seed": n}).json()["id"] for n in range(5)]
    client.post(f"/v1/tasks/{made[0]}/cancel")
    seen, cursor = [], None
    while True:
        parameters = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        page = client.get("/v1/tasks", params=parameters).json()
        seen += [task["id"] for task in page["tasks"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == made[::-1]
    cancelled = client.get("/v1/tasks", params={"status": "cancelled"}).json()["tasks"]
    assert [task["id"] for task in cancelled] == [made[0]]


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=999", "status=gone", "cursor=???", "cursor=%00"]
)
def test_a_bad_query_is_refused(client: TestClient, query: str) -> None:
    assert client.get(f"/v1/tasks?{query}").status_code == 422


@pytest.mark.parametrize(
    "path",
    [
        "/v1/tasks/none",
        "/v1/tasks/none/events",
        "/v1/tasks/none/trajectory",
        "/v1/runs/none",
        "/v1/policy/current",
        "/v1/nothing",
    ],
)
def test_what_is_not_there_is_a_404_problem(client: TestClient, path: str) -> None:
    missing = client.get(path)
    assert (missing.status_code, missing.json()["status"]) == (404, 404)


@pytest.mark.parametrize("name", ["steps.jsonl", "..%2Fsteps.jsonl", "%2Fetc%2Fpasswd", "000.jpg"])
def test_nothing_but_pictures_of_the_task_can_be_read(client: TestClient, name: str) -> None:
    task_id = client.post("/v1/tasks", json=SHOP_TASK).json()["id"]
    assert client.get(f"/v1/tasks/{task_id}/screenshots/{name}").status_code == 404


def test_policy_and_runs_tell_of_the_newest_training(client: TestClient, keyed: Settings) -> None:
    with Store.open(keyed) as store:
        store.runs.create(Run(id="run-1", kind="train", preset="smoke", seed=3))
        for version, status in ((0, "live"), (1, "rejected"), (2, "live"), (3, "published")):
            row = store.runs.add_version(
                PolicyVersion(run_id="run-1", version=version, phase="imitate", path="", sha256="")
            )
            store.runs.set_version(row, status, verify={}, pause_ms=1.0)  # type: ignore[arg-type]
    assert client.get("/v1/policy/current").json()["version"] == 2
    versions = client.get("/v1/policy/versions").json()
    assert [row["status"] for row in versions] == ["live", "rejected", "live", "published"]
    run = client.get("/v1/runs/run-1").json()
    assert (run["preset"], run["episodes"]["dispatched"]) == ("smoke", 0)
    assert "run-1" in [row["id"] for row in client.get("/v1/runs").json()]


def test_metrics_are_readable_by_prometheus(client: TestClient) -> None:
    client.post("/v1/tasks", json=SHOP_TASK)
    families = {
        family.name: family
        for family in text_string_to_metric_families(client.get("/v1/metrics").text)
    }
    (sample,) = families["deskhand_episodes"].samples
    assert (sample.labels["status"], sample.value) == ("queued", 1)
    assert families["deskhand_queue_depth"].samples[0].value == 1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*SHOP_TASK, "task", "sampling", "x"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@hypothesis_settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(body=json_values, query=st.text(max_size=20), part=st.text(max_size=20))
def test_no_request_makes_it_fail(client: TestClient, body: Any, query: str, part: str) -> None:
    content = json.dumps(body).encode()
    headers = {"content-type": "application/json"}
    replies = [
        client.post("/v1/tasks", content=content, headers=headers),
        client.get("/v1/tasks", params={"cursor": query}),
        client.get("/v1/tasks", params={"run_id": query, "limit": query}),
    ]
    assert all(reply.status_code < 500 for reply in replies)
    if part.strip("./") and part.isprintable():
        assert client.get(f"/v1/tasks/{part}/screenshots/{part}").status_code < 500


def test_the_documentation_loads_nothing_from_the_internet(
    keyed: Settings,
) -> None:
    basic = {"authorization": f"Basic {b64encode(f':{KEY}'.encode()).decode()}"}
    with TestClient(create_app(keyed), headers=basic) as browser:
        page = browser.get("/docs")
        assert page.status_code == 200
        links = re.findall('(?:src|href)="([^"]+)"', page.text)
        assert len(links) >= 3
        for link in links:
            assert browser.get(link).status_code == 200, link
    with TestClient(create_app(keyed)) as anyone:
        assert [anyone.get(link).status_code for link in links] == [401] * len(links)


def test_the_openapi_document_describes_every_route_and_its_problems(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    assert set(document["paths"]) >= {
        "/v1/tasks",
        "/v1/tasks/{task_id}",
        "/v1/tasks/{task_id}/events",
        "/v1/policy/current",
        "/v1/runs",
        "/v1/health",
        "/v1/metrics",
    }
    create = document["paths"]["/v1/tasks"]["post"]
    assert {"201", "401", "409", "422"} <= set(create["responses"])
    for path in document["paths"].values():
        assert all(operation.get("description") for operation in path.values() if operation)
