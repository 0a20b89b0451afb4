"""/v1/scripts: made of a task, listed, replayed as a task, mended, deleted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.api.state import API_RUN
from agent_server.episodes.trajectory import EpisodeResult, Step
from agent_server.scripts.make import make_script
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from agent_server.store.workers import Offer
from envs.contract.outcomes import EndReason, Status
from tests.agent_server.scripts.recorded import TASK, record

KEY = "test-key"
PRICE = {"gym": "shop", "template": "price", "seed": 1}
WHOLE = make_script("phone", TASK, record()).model_dump(mode="json")


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    keyed = settings.model_copy(update={"api_key": KEY})
    with TestClient(create_app(keyed), headers={"authorization": f"Bearer {KEY}"}) as opened:
        yield opened


def finish(settings: Settings, steps: Sequence[Step], reason: EndReason = EndReason.DONE) -> str:
    """A task of the API that an agent carried out so."""
    with Store.open(settings) as store:
        row = Episode(id="e_1", run_id=API_RUN, purpose="api", task=TASK.model_dump(mode="json"))
        store.episodes.create([row])
        store.episodes.lease("e_1", "worker")
        store.episodes.finish("e_1", "worker", EpisodeResult(Status.UNJUDGED, reason))
    with Recorder(Artifacts(settings.artifacts), "e_1") as recorder:
        for step in steps:
            recorder.record_step(step)
    return "e_1"


def test_a_script_is_made_of_a_task_and_replayed_as_a_task(
    client: TestClient, settings: Settings
) -> None:
    task_id = finish(settings, record())
    made = client.post("/v1/scripts", json={"name": "phone", "task_id": task_id})
    assert made.status_code == 201, made.text
    assert made.json()["parameters"] == {"search": "Hugo Blanc", "phone": "555-0199"}
    assert made.json()["script"]["made_from"] == ["e_1"]
    assert [entry["name"] for entry in client.get("/v1/scripts").json()] == ["phone"]

    with Store.open(settings) as store:
        store.workers.report("worker", Offer(("browser",), ("script", "oracle"), 4), None)
    call = {"name": "phone", "values": {"phone": "555-7"}, "otherwise": "oracle"}
    task = client.post("/v1/tasks", json={"script": call})
    assert task.status_code == 201, task.text
    assert task.json()["policy"] == "script"
    assert task.json()["instruction"] == "Set the phone of Hugo Blanc to 555-7."


@pytest.mark.parametrize(
    ("more", "otherwise", "mode"),
    [
        ({}, "oracle", "risky"),
        ({}, None, None),
        ({"approve": "never"}, "oracle", None),
        ({"approve": "all"}, None, "all"),
    ],
)
def test_who_takes_over_from_a_script_on_the_internet_waits_for_persons(
    client: TestClient,
    settings: Settings,
    more: dict[str, str],
    otherwise: str | None,
    mode: str | None,
) -> None:
    place = {"start_url": "https://shop.example/people", "allow": ["shop.example"]}
    script = WHOLE | {"task": WHOLE["task"] | place}
    client.post("/v1/scripts", json={"name": "phone", "script": script})
    call = {"name": "phone", "otherwise": otherwise}
    made = client.post("/v1/tasks", json={"script": call, **more})
    assert made.status_code == 201, made.text
    with Store.open(settings) as store:
        row = store.episodes.latest(made.json()["id"])
        assert row is not None
        approve = store.episodes.load_whole_task(row)["approve"]
    assert (approve and approve["mode"]) == mode


def test_a_whole_task_on_the_internet_waits_for_persons_unless_it_says_otherwise(
    client: TestClient, settings: Settings
) -> None:
    task = {"id": "t", "instruction": "look", "start_url": "https://shop.example/"}
    task |= {"allow": ["shop.example"]}
    modes = []
    for own in ({}, {"approve": {"mode": "never"}}):
        made = client.post("/v1/tasks", json={"task": task | own, "policy": "noop"})
        assert made.status_code == 201, made.text
        with Store.open(settings) as store:
            row = store.episodes.latest(made.json()["id"])
            assert row is not None
            modes.append(store.episodes.load_whole_task(row)["approve"]["mode"])
    assert modes == ["risky", "never"]


def test_a_script_with_secrets_wants_those_that_the_server_knows(client: TestClient) -> None:
    script = WHOLE | {"task": WHOLE["task"] | {"secrets": ["shop_password"]}}
    client.post("/v1/scripts", json={"name": "phone", "script": script})
    reply = client.post("/v1/tasks", json={"script": {"name": "phone"}})
    assert reply.status_code == 422
    assert "shop_password" in reply.json()["detail"]


def test_a_whole_script_is_taken_and_each_one_is_a_version(client: TestClient) -> None:
    for version in (1, 2):
        reply = client.post("/v1/scripts", json={"name": "other", "script": WHOLE})
        assert reply.json()["version"] == version
    assert client.get("/v1/scripts/other", params={"version": 1}).json()["version"] == 1
    assert client.get("/v1/scripts/other").json()["script"]["name"] == "other"
    assert client.delete("/v1/scripts/other").status_code == 204
    assert client.get("/v1/scripts/other").status_code == 404


@pytest.mark.parametrize(
    ("body", "status", "why"),
    [
        ({"name": "x", "task_id": "e_none"}, 404, "no task"),
        ({"name": "x"}, 422, "give one of"),
        ({"name": "../x", "script": WHOLE}, 422, "pattern"),
        ({"name": "x", "script": WHOLE, "parameters": {"a": "b"}}, 422, "go with task_id"),
    ],
)
def test_what_makes_no_script(
    client: TestClient, body: dict[str, Any], status: int, why: str
) -> None:
    reply = client.post("/v1/scripts", json=body)
    assert (reply.status_code, why in reply.text) == (status, True), reply.text


def test_a_task_that_did_not_succeed_makes_none(client: TestClient, settings: Settings) -> None:
    task_id = finish(settings, record(), EndReason.LOOP)
    reply = client.post("/v1/scripts", json={"name": "x", "task_id": task_id})
    assert (reply.status_code, "did not succeed: loop" in reply.text) == (422, True)


@pytest.mark.parametrize(
    ("request_", "status", "why"),
    [
        ({"script": {"name": "none"}}, 404, "there is no script"),
        ({"script": {"name": "phone", "values": {"nobody": "x"}}}, 422, "no parameter nobody"),
        ({"script": {"name": "phone", "otherwise": "nobody"}}, 422, "there is no 'nobody'"),
        ({"script": {"name": "phone", "otherwise": "script"}}, 422, "cannot take over"),
        ({"script": {"name": "phone"}, "instruction": "x"}, 422, "its own task"),
        ({"script": {"name": "phone"}, "policy": "oracle"}, 422, "otherwise"),
        ({"script": {"name": "phone"}, **PRICE}, 422, "is of"),
        ({**PRICE, "policy": "script"}, 422, "no script"),
    ],
)  # fmt: skip
def test_tasks_that_no_script_could_carry_out_are_refused(
    client: TestClient, request_: dict[str, Any], status: int, why: str
) -> None:
    client.post("/v1/scripts", json={"name": "phone", "script": WHOLE})
    reply = client.post("/v1/tasks", json=request_)
    assert (reply.status_code, why in reply.text) == (status, True), reply.text
