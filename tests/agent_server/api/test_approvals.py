"""What waits is listed, answered once, and only by whom the key allows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.tables import Approval, utcnow
from tests.agent_server.api_process import KEY

INTERNET = {"instruction": "Buy", "start_url": "https://a.example/", "allow": ["a.example"]}


@pytest.fixture
def api(settings: Settings) -> Iterator[TestClient]:
    keyed = settings.model_copy(update={"api_key": KEY})
    headers = {"x-api-key": KEY}
    with TestClient(create_app(keyed), base_url="http://api", headers=headers) as opened:
        yield opened


def begin_task(api: TestClient, **more: object) -> str:
    body = {"instruction": "Pay", "start_url": "http://127.0.0.1:9/", "approve": "risky", **more}
    return str(api.post("/v1/tasks", json=body).json()["id"])


def ask(settings: Settings, task_id: str) -> str:
    """As a worker does that runs the task."""
    with Store.open(settings) as store:
        assert store.episodes.lease(task_id, "test") is not None
        row = Approval(
            id="",
            root_id=task_id,
            episode_id=task_id,
            step=0,
            fingerprint="m",
            reasons=[{"rule": "pay", "why": "it would press 'Pay'"}],
            actions=[{"type": "click"}],
            summary="click Pay",
            wait_s=60,
            created_at=utcnow(),
            expires_at=utcnow(),
            picture=b"\xff\xd8picture",
        )
        return store.approvals.ask(row).id


def test_a_question_is_listed_shown_and_answered_once(api: TestClient, settings: Settings) -> None:
    task_id = begin_task(api)
    approval_id = ask(settings, task_id)
    path = f"/v1/tasks/{task_id}/approvals/{approval_id}"
    (waiting,) = api.get("/v1/approvals").json()
    assert (waiting["id"], waiting["task_id"]) == (approval_id, task_id)
    assert waiting["reasons"] == [{"rule": "pay", "why": "it would press 'Pay'"}]
    assert api.get(f"/v1/tasks/{task_id}").json()["approval"] == approval_id
    assert api.get(f"{path}/picture").content == b"\xff\xd8picture"
    answered = api.post(path, json={"answer": "refuse", "words": "too dear"}).json()
    assert (answered["status"], answered["words"]) == ("refused", "too dear")
    late = api.post(path, json={"answer": "approve"})
    assert (late.status_code, late.json()["detail"]) == (409, "it is refused: too late to approve")
    assert api.get("/v1/approvals").json() == []
    assert [row["status"] for row in api.get(f"/v1/tasks/{task_id}/approvals").json()] == [
        "refused"
    ]


def test_actions_are_taken_after_a_take_over_only(api: TestClient, settings: Settings) -> None:
    task_id = begin_task(api)
    path = f"/v1/tasks/{task_id}/approvals/{ask(settings, task_id)}"
    body = {"actions": [{"type": "key", "keys": ["enter"]}]}
    assert api.post(f"{path}/actions", json=body).status_code == 409
    assert api.post(path, json={"answer": "take"}).json()["status"] == "taken"
    reply = api.post(f"{path}/actions", json=body)
    assert (reply.status_code, reply.json()["inputs"]) == (202, 1)
    assert api.post(f"{path}/actions", json={"actions": [{"type": "fly"}]}).status_code == 422
    assert api.post(path, json={"answer": "return"}).json()["status"] == "returned"


def test_a_question_of_another_task_is_not_found(api: TestClient, settings: Settings) -> None:
    approval_id = ask(settings, begin_task(api))
    other = begin_task(api)
    path = f"/v1/tasks/{other}/approvals/{approval_id}"
    assert api.post(path, json={"answer": "approve"}).status_code == 404
    assert api.get(f"{path}/picture").status_code == 404
    assert api.get("/v1/tasks/none/approvals").status_code == 404


def test_the_answer_has_the_name_of_its_key(api: TestClient, settings: Settings) -> None:
    with Store.open(settings) as store:
        ann, bob = store.keys.create("ann", "run"), store.keys.create("bob", "read")
    task_id = begin_task(api)
    path = f"/v1/tasks/{task_id}/approvals/{ask(settings, task_id)}"
    approve = {"answer": "approve"}
    assert api.post(path, json=approve, headers={"x-api-key": bob}).status_code == 403
    answered = api.post(path, json=approve, headers={"x-api-key": ann}).json()
    assert answered["decided_by"] == "ann"


@pytest.mark.parametrize(
    ("more", "mode"),
    [
        (INTERNET, "risky"),
        ({**INTERNET, "approve": "never"}, None),
        ({**INTERNET, "approve": "all"}, "all"),
        ({"instruction": "Look", "start_url": "http://127.0.0.1:9/", "approve": None}, None),
    ],
)
def test_tasks_on_the_internet_ask_by_default(
    api: TestClient, settings: Settings, more: dict[str, object], mode: str | None
) -> None:
    task_id = begin_task(api, **({"approve": None} | more))
    with Store.open(settings) as store:
        row = store.episodes.latest(task_id)
    assert row is not None
    approve = row.task["approve"]
    assert (approve and approve["mode"]) == mode


def test_a_gym_waits_for_nobody(api: TestClient) -> None:
    body = {"gym": "shop", "template": "price", "seed": 1, "policy": "oracle", "approve": "risky"}
    reply = api.post("/v1/tasks", json=body)
    assert reply.status_code == 422
    assert "approve goes with an instruction" in reply.text
