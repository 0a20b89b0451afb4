"""Tasks name who carries them out; where an agent is reached stays with the server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.episodes.trajectory import EpisodeResult
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.workers import Offer
from envs.contract.outcomes import EndReason, Status

KEY = "test-key"
PRICE = {"gym": "shop", "template": "price", "seed": 3}
SHOP = {"instruction": "buy", "start_url": "https://shop.example/", "allow": ["shop.example"]}


@pytest.fixture
def client(settings: Settings, tmp_path: Path) -> Iterator[TestClient]:
    """Of an API that was started with two agents."""
    files = []
    for name in ("mine", "other"):
        file = tmp_path / f"{name}.toml"
        file.write_text(
            'dialect = "compact"\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "m"\n'
            'api_key_env = "MY_KEY"\n'
        )
        files.append(file)
    known = settings.model_copy(update={"api_key": KEY, "agents": tuple(files)})
    with TestClient(create_app(known), headers={"authorization": f"Bearer {KEY}"}) as opened:
        yield opened


def offer(settings: Settings, *policies: str) -> None:
    with Store.open(settings) as store:
        store.workers.report("worker", Offer(("browser",), policies, 4), None)


def test_agents_are_listed_without_their_addresses_and_keys(
    client: TestClient, settings: Settings
) -> None:
    offer(settings, "oracle", "mine")
    reply = client.get("/v1/agents")
    agents = {agent["name"]: agent for agent in reply.json()}
    assert agents["mine"] == {
        "name": "mine",
        "kind": "endpoint",
        "dialect": "compact",
        "model": "m",
        "observes": ["tree"],
        "is_available": True,
    }
    assert (agents["other"]["is_available"], agents["live"]["is_available"]) == (False, False)
    assert agents["oracle"]["kind"] == "policy"
    assert "127.0.0.1" not in reply.text
    assert "MY_KEY" not in reply.text


def test_a_task_names_its_agent(client: TestClient, settings: Settings) -> None:
    offer(settings, "oracle", "mine", "other")
    assert client.post("/v1/tasks", json=PRICE | {"policy": "other"}).json()["policy"] == "other"
    unknown = client.post("/v1/tasks", json=PRICE | {"policy": "nobody"})
    assert unknown.status_code == 422
    assert "there is no 'nobody'; there are: " in unknown.json()["detail"]
    assert unknown.json()["detail"].endswith("mine, other")
    mistyped = client.post("/v1/tasks", json=PRICE | {"policy": "othr"}).json()["detail"]
    assert "there is no 'othr' (did you mean other?)" in mistyped


def test_a_task_that_names_nobody_goes_to_the_model_or_else_to_the_first_agent(
    client: TestClient, settings: Settings
) -> None:
    offer(settings, "oracle", "mine", "other")
    assert client.post("/v1/tasks", json=PRICE).json()["policy"] == "mine"
    offer(settings, "oracle", "mine", "other", "live")
    assert client.post("/v1/tasks", json=PRICE).json()["policy"] == "live"


def test_a_request_brings_neither_keys_nor_addresses(client: TestClient) -> None:
    for field in ("base_url", "api_key", "agent", "headers"):
        reply = client.post("/v1/tasks", json=PRICE | {field: "http://evil.test"})
        assert reply.status_code == 422, field


def test_a_task_on_the_internet_names_its_domains(client: TestClient, settings: Settings) -> None:
    offer(settings, "mine")
    created = client.post("/v1/tasks", json=SHOP)
    assert created.status_code == 201, created.text
    with Store.open(settings) as store:
        row = store.episodes.latest(created.json()["id"])
    assert row is not None
    assert row.task["allow"] == ["shop.example"]
    for wrong, sentence in (
        ({"allow": []}, "name its domain in allow"),
        ({"allow": ["other.example"]}, "start_url is on no domain of allow (other.example)"),
        ({"allow": ["127.0.0.1"]}, "String should match pattern"),
        ({"env": "desktop"}, "allow goes with an instruction in the browser"),
    ):
        refused = client.post("/v1/tasks", json=SHOP | wrong)
        assert refused.status_code == 422
        assert sentence in refused.text


def test_an_answer_as_json_is_asked_for_and_read(client: TestClient, settings: Settings) -> None:
    offer(settings, "mine")
    schema = {"type": "object", "required": ["cents"]}
    created = client.post("/v1/tasks", json=SHOP | {"answer_schema": schema})
    assert created.status_code == 201, created.text
    task_id = created.json()["id"]
    with Store.open(settings) as store:
        row = store.episodes.lease(task_id, "test")
        assert row is not None
        assert row.task["instruction"].startswith("buy\n\nGive your answer as JSON that fits")
        answer = '```json\n{"cents": 1250}\n```'
        result = EpisodeResult(Status.UNJUDGED, EndReason.DONE, answer=answer)
        assert store.episodes.finish(task_id, "test", result)
    state = client.get(f"/v1/tasks/{task_id}").json()
    assert (state["result"], state["answer"]) == ({"cents": 1250}, answer)
    for wrong, sentence in (
        ({"answer_schema": {"type": "thing"}}, "no JSON Schema: type: 'thing' is not"),
        ({"answer_schema": {"$ref": "http://evil.test/"}}, "refers to another document"),
    ):
        refused = client.post("/v1/tasks", json=SHOP | wrong)
        assert refused.status_code == 422
        assert sentence in refused.text
    refused = client.post("/v1/tasks", json=PRICE | {"answer_schema": schema})
    assert "answer_schema goes with an instruction" in refused.text
