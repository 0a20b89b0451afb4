"""The HTTP API keeps its promises: answers are those its OpenAPI document describes, nothing that
a client sends makes it fail, and a task that is run again can still be followed and cancelled."""

from __future__ import annotations

import asyncio
import base64
import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import FastAPI
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.episodes.trajectory import Completion, EpisodeResult, Step
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.store import Store
from agent_server.store.tables import PolicyVersion, Run
from envs.contract.actions import ActionResult
from envs.contract.observations import Screenshot
from envs.contract.outcomes import EndReason, InvalidReason, Status
from envs.contract.session import Verdict
from envs.providers.local import free_port
from tests.agent_server.event_stream import Client, Event, events_of
from tests.agent_server.toy_env import PIXEL, toy_task

KEY = "test-key"
SHOP_TASK = {"gym": "shop", "template": "price", "seed": 3}
WHOLE_TASK = {"id": "x", "instruction": "y", "evaluator": {"func": "infeasible"}}
OWNER = "test"
"""Of a stream: its kind, id and data."""
PICTURE = Screenshot(format="jpeg", width=1, height=1, data=base64.b64encode(PIXEL).decode())
DONE = EpisodeResult(Status.SCORED, EndReason.DONE, verdict=Verdict(score=1.0), steps=2)


@pytest.fixture
def keyed(settings: Settings) -> Settings:
    return settings.model_copy(update={"api_key": KEY})


@pytest.fixture
def app(keyed: Settings) -> FastAPI:
    return create_app(keyed)


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    headers = {"authorization": f"Bearer {KEY}"}
    with TestClient(app, headers=headers, raise_server_exceptions=False) as opened:
        yield opened


@pytest.fixture
def store(client: TestClient, keyed: Settings) -> Iterator[Store]:
    with Store.open(keyed) as opened:
        yield opened


@pytest.fixture
def online(app: FastAPI) -> Iterator[httpx.Client]:
    """A client of the API behind a real server: events arrive while they happen."""
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        wait_until(lambda: server.started)
        headers = {"authorization": f"Bearer {KEY}"}
        url = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=url, headers=headers, timeout=30) as opened:
            yield opened
    finally:
        server.should_exit = True
        thread.join(20)


def wait_until(condition: Callable[[], bool], limit_s: float = 20) -> None:
    deadline = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.02)


def made(client: Client, body: dict[str, Any] | None = None) -> str:
    created = client.post("/v1/tasks", json=body or SHOP_TASK)
    assert created.status_code == 201, created.text
    return str(created.json()["id"])


def record(keyed: Settings, episode_id: str, steps: int, result: EpisodeResult) -> None:
    """Writes an attempt down as a worker does."""
    with Recorder(Artifacts(keyed.artifacts), episode_id) as recorder:
        for index in range(steps):
            recorder.record_step(
                Step(
                    index=index,
                    prompt=f"{episode_id} step {index}",
                    completion=Completion(text="click Add #1", prompt_ids=(7, 8)),
                    result=ActionResult.success(),
                    screenshot=recorder.save_screenshot(index, PICTURE),
                )
            )
        recorder.finish(result, {})


def run(store: Store, keyed: Settings, episode_id: str, result: EpisodeResult = DONE) -> None:
    """Leases, records and finishes an attempt."""
    assert store.episodes.lease(episode_id, OWNER) is not None
    record(keyed, episode_id, result.steps, result)
    assert store.episodes.finish(episode_id, OWNER, result)


def lost(reason: InvalidReason = InvalidReason.WORKER_LOST, steps: int = 0) -> EpisodeResult:
    return EpisodeResult(Status.INVALID, reason, "it broke", steps=steps)


def prompts(events: list[Event]) -> list[str]:
    return [data["prompt"] for kind, _, data in events if kind == "step"]


def is_problem(reply: Any, status: int) -> bool:
    """Problem details of this status, whole and well-formed."""
    assert reply.headers["content-type"] == "application/problem+json", reply.text
    body = reply.json()
    assert set(body) == {"type", "title", "status", "detail"}
    return reply.status_code == body["status"] == status


@pytest.mark.parametrize("mode", ["positive", "negative"])
def test_every_answer_is_one_that_the_openapi_document_describes(
    mode: str, app: FastAPI, client: TestClient, store: Store, keyed: Settings
) -> None:
    schemathesis = pytest.importorskip("schemathesis")
    from schemathesis.specs.openapi import checks

    finished, waiting = made(client), made(client)
    run(store, keyed, finished)
    evaluation = client.post("/v1/evaluations", json={"tasks": [WHOLE_TASK], "policy": "noop"})
    client.post(f"/v1/evaluations/{evaluation.json()['id']}/cancel")
    ids = {
        "task_id": [finished, waiting],
        "run_id": ["api"],
        "name": ["000.jpeg"],
        "evaluation_id": [evaluation.json()["id"]],
        "session_id": ["none"],
        "approval_id": ["none"],
        "delivery_id": ["none"],
    }
    schema = schemathesis.openapi.from_asgi("/openapi.json", app, headers={"x-api-key": KEY})
    operations = [parsed.ok() for parsed in schema.get_all_operations()]
    assert len(operations) == 60
    generation = schemathesis.GenerationMode(mode)
    for operation in operations:
        if mode == "negative" and not (operation.query or operation.body):
            continue

        @hypothesis_settings(max_examples=20, deadline=None, database=None)
        @given(case=operation.as_strategy(generation), known=st.integers(0, 2))
        def answers_as_described(case: Any, known: int) -> None:
            for name in case.path_parameters or ():
                choices = ids[name][:1] if case.path.endswith("/events") else ids[name]
                if known:
                    case.path_parameters[name] = choices[known % len(choices)]
            reply = case.call(headers={"x-api-key": KEY})
            case.validate_response(
                reply,
                checks=[
                    schemathesis.checks.not_a_server_error,
                    checks.status_code_conformance,
                    checks.content_type_conformance,
                    checks.response_schema_conformance,
                ],
            )

        answers_as_described()


DEEP: dict[str, Any] = {}
for _ in range(400):
    DEEP = {"a": DEEP}
WHOLE = {"id": "x", "instruction": "y"}


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ({"task": WHOLE | {"seed": 10**20}}, "64-bit"),
        (SHOP_TASK | {"sampling": {"seed": 10**20}}, "sampling"),
        ({"task": WHOLE | {"instruction": "\ud800"}}, "surrogates"),
        ({"task": WHOLE | {"params": {"a": "\ud800"}}}, "surrogates"),
        ({"task": WHOLE | {"params": DEEP}}, "depth"),
        ({"task": WHOLE | {"limits": {"max_seconds": float("inf")}}}, "limits.max_seconds"),
        ({"task": WHOLE | {"limits": {"max_steps": 0}}}, "task.limits.max_steps"),
        ({"task": {"id": "x"}}, "task.instruction"),
        ({"task": WHOLE | {"gym": "none"}}, "there is no gym 'none'"),
        ({"\ud800": 1}, "unicode"),
        (SHOP_TASK | {"policy": "nobody"}, "policy"),
        (SHOP_TASK | {"screenshots": "perhaps"}, "screenshots"),
        (SHOP_TASK | {"sampling": {"top_p": 0}}, "sampling.top_p"),
        (SHOP_TASK | {"sampling": {"max_tokens": 10**6}}, "sampling.max_tokens"),
        (SHOP_TASK | {"sampling": {"tempreature": 1}}, "sampling.tempreature"),
        (SHOP_TASK | {"max_steps": 1001}, "max_steps"),
        ({"instruction": "", "start_url": "http://x/"}, "instruction"),
        ({"instruction": "x" * 4001, "start_url": "http://x/"}, "instruction"),
    ],
)
def test_a_task_that_no_worker_could_read_is_refused_by_name(
    client: TestClient, body: dict[str, Any], complaint: str
) -> None:
    headers = {"content-type": "application/json"}
    refused = client.post("/v1/tasks", content=json.dumps(body).encode(), headers=headers)
    assert is_problem(refused, 422)
    assert complaint in refused.json()["detail"]
    assert client.get("/v1/tasks").json()["tasks"] == []


@pytest.mark.parametrize("raw", [b"[" * 100_000, b'{"seed": ' + b"9" * 5000 + b"}", b"\xff", b""])
def test_bytes_that_are_no_json_are_refused(client: TestClient, raw: bytes) -> None:
    headers = {"content-type": "application/json"}
    refused = client.post("/v1/tasks", content=raw, headers=headers)
    assert refused.status_code in (400, 422)
    assert is_problem(refused, refused.status_code)


@pytest.mark.parametrize(
    "text",
    [
        "0001-01-01T00:00:00+14:00|e1",
        "9999-12-31T23:59:59-14:00|e1",
        "2026-01-01T00:00:00|e1",
        "2026-01-01T00:00:00+00:00|",
        "yesterday|e1",
    ],
)
def test_a_cursor_that_was_not_handed_out_is_refused(client: TestClient, text: str) -> None:
    cursor = base64.urlsafe_b64encode(text.encode()).decode()
    refused = client.get("/v1/tasks", params={"cursor": cursor})
    assert is_problem(refused, 422)
    assert "cursor" in refused.json()["detail"]


async def test_one_idempotency_key_at_the_same_moment_runs_one_task(app: FastAPI) -> None:
    headers = {"x-api-key": KEY, "idempotency-key": "order-7"}
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://api", headers=headers) as client,
    ):
        replies = await asyncio.gather(
            *(client.post("/v1/tasks", json=SHOP_TASK) for _ in range(16))
        )
        listed = (await client.get("/v1/tasks")).json()["tasks"]
    codes = [reply.status_code for reply in replies]
    assert sorted(codes) == [200] * 15 + [201]
    assert {reply.json()["id"] for reply in replies} == {listed[0]["id"]}
    assert len(listed) == 1


@pytest.mark.parametrize(
    "other",
    [{"seed": 4}, {"policy": "oracle"}, {"screenshots": True}, {"sampling": {"temperature": 0}}],
)
def test_an_idempotency_key_is_for_one_request_only(
    client: TestClient, other: dict[str, Any]
) -> None:
    key = {"idempotency-key": "order-7"}
    assert client.post("/v1/tasks", json=SHOP_TASK, headers=key).status_code == 201
    assert client.post("/v1/tasks", json=SHOP_TASK, headers=key).status_code == 200
    assert is_problem(client.post("/v1/tasks", json=SHOP_TASK | other, headers=key), 409)


def test_a_follower_sees_all_steps_of_an_attempt_that_replaces_a_lost_one(
    online: httpx.Client, keyed: Settings
) -> None:
    task_id = made(online)
    followed: list[Event] = []
    follower = threading.Thread(
        target=events_of, args=(online, task_id), kwargs={"events": followed}
    )
    with Store.open(keyed) as store:
        assert store.episodes.lease(task_id, OWNER) is not None
        record(keyed, task_id, 3, lost(steps=3))
        record(keyed, f"{task_id}.2", 2, DONE)
        follower.start()
        wait_until(lambda: len(prompts(followed)) == 3)
        assert store.episodes.finish(task_id, OWNER, lost(steps=3))
        wait_until(lambda: store.episodes.lease(f"{task_id}.2", OWNER) is not None)
        assert store.episodes.finish(f"{task_id}.2", OWNER, DONE)
    follower.join(20)
    assert not follower.is_alive()
    first = [f"{task_id} step {index}" for index in range(3)]
    second = [f"{task_id}.2 step {index}" for index in range(2)]
    assert prompts(followed) == first + second
    kind, _, final = followed[-1]
    assert (kind, final["id"], final["attempt"], final["status"]) == ("end", task_id, 2, "scored")


def test_events_of_a_finished_task_start_after_the_last_one_seen(
    client: TestClient, store: Store, keyed: Settings
) -> None:
    task_id = made(client)
    run(store, keyed, task_id)
    assert [kind for kind, _, _ in events_of(client, task_id)] == ["step", "step", "status", "end"]
    assert [number for kind, number, _ in events_of(client, task_id, 1) if kind == "step"] == ["2"]
    again = events_of(client, task_id, after=2)
    assert [kind for kind, _, _ in again] == ["status", "end"]
    step = events_of(client, task_id)[0][2]
    assert "prompt_ids" not in step["completion"]
    for bad in ("-1", "x"):
        headers = {"last-event-id": bad}
        assert is_problem(client.get(f"/v1/tasks/{task_id}/events", headers=headers), 422)


def test_a_trajectory_comes_in_pages(client: TestClient, store: Store, keyed: Settings) -> None:
    task_id = made(client)
    path = f"/v1/tasks/{task_id}/trajectory"
    assert is_problem(client.get(path), 404)
    assert store.episodes.lease(task_id, OWNER) is not None
    record(keyed, task_id, 5, DONE)
    pages, after = [], 0
    while True:
        page = client.get(path, params={"after": after, "limit": 2}).json()
        pages.append([step["index"] for step in page["steps"]])
        assert page["summary"]["status"] == "scored"
        if page["next_after"] is None:
            break
        after = page["next_after"]
    assert pages == [[0, 1], [2, 3], [4]]
    assert client.get(path, params={"after": 5}).json()["steps"] == []
    whole = client.get(path).json()
    assert (len(whole["steps"]), whole["next_after"]) == (5, None)
    for bad in ({"after": -1}, {"limit": 0}, {"limit": 1001}):
        assert is_problem(client.get(path, params=bad), 422)


def test_a_task_that_waits_to_be_run_again_can_be_cancelled_and_its_events_end(
    client: TestClient, store: Store, keyed: Settings
) -> None:
    task_id = made(client)
    run(store, keyed, task_id, lost(InvalidReason.POLICY_ERROR))
    assert client.post(f"/v1/tasks/{task_id}/cancel").status_code == 200
    assert events_of(client, task_id)[-1][0] == "end"
    assert len(store.episodes.chain(task_id)) == 1
    assert is_problem(client.post(f"/v1/tasks/{task_id}/cancel"), 409)


def test_a_task_that_will_be_run_again_is_queued_not_invalid(
    client: TestClient, store: Store, keyed: Settings
) -> None:
    task_id, other = made(client), made(client)
    run(store, keyed, task_id, lost(InvalidReason.POLICY_ERROR))
    run(store, keyed, other, lost(InvalidReason.UNRUNNABLE))
    state = client.get(f"/v1/tasks/{task_id}").json()
    assert (state["status"], state["finished_at"], state["attempt"]) == ("queued", None, 1)
    assert (state["reason"], state["detail"]) == ("policy_error", "it broke")

    def ids(status: str) -> list[str]:
        tasks = client.get("/v1/tasks", params={"status": status}).json()["tasks"]
        assert {task["status"] for task in tasks} <= {status}
        return [task["id"] for task in tasks]

    assert (ids("queued"), ids("invalid")) == ([task_id], [other])
    store.runs.set_status("api", "finished")
    assert client.get(f"/v1/tasks/{task_id}").json()["status"] == "invalid"
    assert (ids("queued"), ids("invalid")) == ([], [other, task_id])


def test_a_task_with_several_attempts_is_listed_once(client: TestClient, store: Store) -> None:
    task_id = made(client)
    assert store.episodes.lease(task_id, OWNER) is not None
    assert store.episodes.finish(task_id, OWNER, lost())
    wait_until(lambda: store.episodes.get(f"{task_id}.2") is not None)
    (task,) = client.get("/v1/tasks").json()["tasks"]
    assert (task["id"], task["attempt"], task["status"]) == (task_id, 2, "queued")
    assert client.get(f"/v1/tasks/{task_id}").json() == task


def test_events_end_for_a_lost_episode_of_a_run_that_is_over(
    client: TestClient, store: Store, keyed: Settings
) -> None:
    task_id = made(client)
    run(store, keyed, task_id, lost(InvalidReason.POLICY_ERROR))
    store.runs.set_status("api", "finished")
    assert events_of(client, task_id)[-1][2]["reason"] == "policy_error"


@pytest.mark.parametrize("status", ["scored", "cancelled"])
def test_a_task_that_has_ended_cannot_be_cancelled(
    client: TestClient, store: Store, keyed: Settings, status: str
) -> None:
    task_id = made(client)
    if status == "scored":
        run(store, keyed, task_id)
    else:
        assert client.post(f"/v1/tasks/{task_id}/cancel").status_code == 200
    refused = client.post(f"/v1/tasks/{task_id}/cancel")
    assert is_problem(refused, 409)
    assert status in refused.json()["detail"]
    assert client.get(f"/v1/tasks/{task_id}").json()["status"] == status


def test_a_running_task_is_told_to_stop(client: TestClient, store: Store) -> None:
    task_id = made(client)
    assert store.episodes.lease(task_id, OWNER) is not None
    assert client.post(f"/v1/tasks/{task_id}/cancel").json()["status"] == "running"
    assert store.episodes.renew([task_id], OWNER).cancelled == {task_id}


def test_only_pictures_of_the_task_itself_are_given_out(
    client: TestClient, store: Store, keyed: Settings
) -> None:
    mine, other = made(client), made(client)
    for task_id in (mine, other):
        run(store, keyed, task_id)
    folder = f"/v1/tasks/{mine}/screenshots"
    assert client.get(folder).json() == ["000.jpeg", "001.jpeg"]
    assert client.get(f"{folder}/000.jpeg").content == PIXEL
    database = keyed.run_dir / "deskhand.db"
    assert database.is_file()
    names = [
        "steps.jsonl", "summary.json", "002.jpeg", "000.jpeg%00", ".000.jpeg.part",
        f"..%2F{other}%2F000.jpeg", f"..%252F{other}%252F000.jpeg", "..%2F..%2Fdeskhand.db",
        "%2E%2E%2Fsteps.jsonl", "%2Fetc%2Fpasswd", "..%5Csteps.jsonl",
    ]  # fmt: skip
    for name in names:
        assert is_problem(client.get(f"{folder}/{name}"), 404), name
    for task_id in ("..", "%2E%2E", ".", f"{mine}%2F..%2F{other}"):
        assert client.get(f"/v1/tasks/{task_id}/screenshots/000.jpeg").status_code == 404


def test_tasks_of_a_training_run_are_listed_by_its_name_only(
    client: TestClient, store: Store, keyed: Settings
) -> None:
    finished, waiting = made(client), made(client)
    run(store, keyed, finished)

    def ids(**query: str) -> list[str]:
        tasks = client.get("/v1/tasks", params=query).json()["tasks"]
        return [task["id"] for task in tasks]

    assert ids() == [waiting, finished]
    assert ids(status="scored") == [finished]
    assert ids(status="queued", run_id="api") == [waiting]
    assert ids(run_id="another") == []


def test_metrics_count_episodes_steps_and_the_live_version(
    client: TestClient, store: Store, keyed: Settings
) -> None:
    run(store, keyed, made(client))
    made(client, {"task": toy_task().model_dump(mode="json")})
    store.runs.create(Run(id="run-1", kind="train"))
    row = store.runs.add_version(PolicyVersion(run_id="run-1", version=4, path="", sha256=""))
    store.runs.set_version(row, "live")
    reply = client.get("/v1/metrics")
    assert reply.headers["content-type"].startswith("text/plain")
    values = {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(reply.text)
        for sample in family.samples
    }
    assert values.pop(("deskhand_oldest_wait_seconds",)) > 0
    expected = {
        ("deskhand_episodes", "api", "done", "scored"): 1,
        ("deskhand_episodes", "", "api", "queued"): 1,
        ("deskhand_env_steps", "api"): 2,
        ("deskhand_policy_version",): 4,
        ("deskhand_policy_versions", "live"): 1,
        ("deskhand_queue_depth",): 2,
        ("deskhand_dead_letters",): 0,
        ("deskhand_cost", "api"): 0,
    }
    assert values | expected == values
    assert client.get("/v1/policy/current").json()["version"] == 4


@pytest.mark.parametrize("time_text", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
def test_a_time_that_utc_has_not_is_refused(client: TestClient, time_text: str) -> None:
    for name in ("since", "before"):
        assert is_problem(client.get("/v1/tasks", params={name: time_text}), 422)


@pytest.mark.parametrize("time_text", ["0.5", "1764000000", "-1", "1e3", "nan"])
def test_a_number_is_no_time(client: TestClient, time_text: str) -> None:
    for name in ("since", "before"):
        refused = client.get("/v1/tasks", params={name: time_text})
        assert refused.status_code == 422, refused.text
