"""What can never run is refused with one sentence when it is submitted; what slips in runs once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.workers import Offer
from tests.agent_server.api_process import KEY, PATIENCE_S, Api, running_api
from tests.agent_server.worker_processes import REAL_WORKER, StartWorker

PRICE = {"gym": "shop", "template": "price", "seed": 3}
WHOLE = {"id": "x", "instruction": "y"}
NOTHING = Offer(envs=(), policies=(), slots=4)
CLICK = {"type": "click", "target": {"named": "Save"}}
SCRIPT = {"oracle": {"api": [CLICK | {"thought": "save"}, {"type": "done"}]}}


@pytest.fixture
def keyed(settings: Settings) -> Settings:
    urls = ("http://127.0.0.1:1",)
    return settings.model_copy(update={"api_key": KEY, "host_urls": urls})


@pytest.fixture
def api(keyed: Settings) -> Iterator[Api]:
    with running_api(keyed) as running:
        yield running


@pytest.fixture(scope="module")
def empty_api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """For requests that are refused: nothing of them is left."""
    with running_api(Settings(run_dir=tmp_path_factory.mktemp("run"), api_key=KEY)) as running:
        yield running


def ended(client: httpx.Client, task_id: str) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        state: dict[str, Any] = client.get(f"/v1/tasks/{task_id}").json()
        if state["finished_at"] is not None:
            return state
        time.sleep(0.05)
    raise AssertionError(f"it did not end: {state}")


def test_without_a_model_or_a_desktop_a_task_is_refused_or_runs_once(
    api: Api, keyed: Settings, start_worker: StartWorker
) -> None:
    with api.client() as client:
        bodies = (PRICE, {"task": WHOLE | {"env": "desktop"} | SCRIPT, "policy": "oracle"})
        before = [client.post("/v1/tasks", json=body).json()["id"] for body in bodies]
        start_worker(keyed, REAL_WORKER)
        for task_id, variable in zip(before, ("POLICY_URLS", "DESKTOP_URLS"), strict=True):
            state = ended(client, task_id)
            assert (state["status"], state["reason"]) == ("invalid", "unrunnable"), state
            assert state["attempt"] == 1
            assert variable in state["detail"]
        # A worker runs episodes only after it said what it offers.
        for body, sentence in (
            (PRICE, "no model is served"),
            ({"instruction": "look", "env": "desktop"}, "no worker has a desktop"),
        ):
            refused = client.post("/v1/tasks", json=body)
            assert (refused.status_code, refused.reason_phrase) == (422, "Unprocessable Entity")
            assert sentence in refused.json()["detail"]
        evaluation = {"gym": "shop", "episodes": 2}
        assert client.post("/v1/evaluations", json=evaluation).status_code == 422
        controls = evaluation | {"policy": "noop"}
        assert client.post("/v1/evaluations", json=controls).status_code == 201


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"task": WHOLE | {"gym": "shop", "template": "prize"}}, "no template 'prize'"),
        ({"task": WHOLE | {"gym": "shop"}}, "no template"),
        ({"task": WHOLE | {"gym": "shop", "template": "price"}}, "params of task 'x'"),
        ({"task": WHOLE | {"oracle": {"api": [{"type": "fly"}]}}}, "step 1 of the oracle"),
        ({"task": WHOLE | {"oracle": {"api": 5}}}, "must be a list of actions"),
        ({"task": WHOLE | {"oracle": 5}}, "no api oracle"),
        ({"task": WHOLE | {"oracle": {"api": [CLICK, CLICK | {"thought": 1}]}}}, "step 2"),
        ({"task": WHOLE}, "no api oracle"),
        ({"task": WHOLE | {"limits": {"max_seconds": 1e300}}}, "limits.max_seconds"),
        ({"task": WHOLE | {"limits": {"max_seconds": 86_401}}}, "limits.max_seconds"),
        (PRICE | {"gym": ""}, "gym"),
        (PRICE | {"template": ""}, "template"),
    ],
)
def test_what_no_gym_would_make_is_refused(
    empty_api: Api, body: dict[str, Any], sentence: str
) -> None:
    with empty_api.client() as client:
        refused = client.post("/v1/tasks", json=body | {"policy": "oracle"})
        assert refused.status_code == 422, refused.text
        assert sentence in refused.json()["detail"]
        assert client.get("/v1/tasks").json()["tasks"] == []


def test_a_good_script_is_taken(api: Api) -> None:
    with api.client() as client:
        body = {"task": WHOLE | SCRIPT, "policy": "oracle"}
        created = client.post("/v1/tasks", json=body)
        assert created.status_code == 201, created.text


def test_a_worker_that_died_long_ago_counts_no_more(api: Api, keyed: Settings) -> None:
    with Store.open(keyed) as store, api.client() as client:
        store.workers.report("dead", NOTHING, None)
        assert client.post("/v1/tasks", json=PRICE).status_code == 422
        store.workers.leave("dead")
        assert client.post("/v1/tasks", json=PRICE).status_code == 201


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/v1/tasks?run_id=", {}),
        ("/v1/tasks?cursor=", {}),
        ("/v1/tasks", {"idempotency-key": ""}),
    ],
)
def test_an_empty_string_is_no_value(empty_api: Api, path: str, headers: dict[str, str]) -> None:
    with empty_api.client() as client:
        refused = client.post(path, json=PRICE, headers=headers) if headers else client.get(path)
        assert refused.status_code == 422


@pytest.mark.parametrize("start", ["http://169.254.169.254/", "http://127.0.0.1:{port}/console/"])
def test_no_task_and_no_session_starts_on_metadata_or_on_the_api_s_own_pages(
    empty_api: Api, start: str
) -> None:
    start = start.format(port=empty_api.port)
    bodies = {
        "/v1/tasks": [
            {"instruction": "look", "start_url": start, "policy": "oracle"},
            {"task": WHOLE | SCRIPT | {"start_url": start}, "policy": "oracle"},
        ],
        "/v1/sessions": [{"start_url": start}],
    }
    with empty_api.client() as client:
        for path, requests in bodies.items():
            for body in requests:
                refused = client.post(path, json=body)
                assert refused.status_code == 422, refused.text
                assert "start_url" in refused.json()["detail"]
