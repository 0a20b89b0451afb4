"""Dead letters over HTTP: listed with what was said, and run once more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from envs.contract.outcomes import InvalidReason
from tests.agent_server.store.test_queries import finish, invalid

KEY = "test-key"
PATH = "/v1/dead-letters"


@pytest.fixture
def keyed(settings: Settings) -> Settings:
    return settings.model_copy(update={"api_key": KEY})


@pytest.fixture
def client(keyed: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(keyed), headers={"x-api-key": KEY}) as opened:
        with Store.open(keyed) as store:
            store.episodes.create(
                [Episode(id=key, run_id="api", purpose="api", task={}) for key in ("e1", "e2")]
            )
            finish(store, "e1", invalid(InvalidReason.POLICY_DENIED))
        yield opened


def test_a_dead_letter_is_listed_and_queued_again(client: TestClient) -> None:
    (task,) = client.get(PATH).json()["tasks"]
    assert (task["id"], task["status"], task["reason"]) == ("e1", "invalid", "policy_denied")
    assert task["detail"] == "for a test"
    body = {"ids": ["e1", "e2", "none"]}
    assert client.post(f"{PATH}/requeue", json=body).json() == {
        "queued": ["e1"],
        "left": ["e2", "none"],
    }
    assert client.post(f"{PATH}/requeue", json=body).json()["queued"] == []
    assert client.get(PATH).json()["tasks"] == []
    assert client.get("/v1/tasks/e1").json()["status"] == "queued"


@pytest.mark.parametrize("query", ["cursor=x", "reason=none", "limit=0", "limit=501"])
def test_a_wrong_query_is_refused(client: TestClient, query: str) -> None:
    assert client.get(f"{PATH}?{query}").status_code == 422


def test_a_key_that_may_only_read_requeues_nothing(client: TestClient, keyed: Settings) -> None:
    with Store.open(keyed) as store:
        reader = {"x-api-key": store.keys.create("reader", "read")}
    assert client.get(PATH, headers=reader).status_code == 200
    refused = client.post(f"{PATH}/requeue", json={"ids": ["e1"]}, headers=reader)
    assert refused.status_code == 403
