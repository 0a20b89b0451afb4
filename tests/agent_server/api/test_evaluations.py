"""/v1/evaluations over a real database, broker and worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.evaluation.job.plan import task_set_sha256
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.workers import Offer
from envs.contract.task import Task
from tests.agent_server.event_stream import events_at
from tests.agent_server.toy_env import toy_task
from tests.agent_server.worker_processes import StartWorker

KEY = "test-key"
IMAGE = "deskhand/desktop@sha256:0123"


@pytest.fixture
def keyed(settings: Settings) -> Settings:
    return settings.model_copy(update={"api_key": KEY, "host_image": IMAGE})


@pytest.fixture
def client(keyed: Settings) -> Iterator[TestClient]:
    headers = {"authorization": f"Bearer {KEY}"}
    with TestClient(create_app(keyed), headers=headers) as opened:
        yield opened


def toys(*targets: int, **params: Any) -> list[dict[str, Any]]:
    return [toy_task(target, **params).model_dump(mode="json") for target in targets]


def test_an_evaluation_runs_to_its_end_is_followed_and_has_figures(
    client: TestClient, keyed: Settings, start_worker: StartWorker
) -> None:
    start_worker(keyed)
    hard = toys(9, max_steps=3)
    body = {"tasks": [*toys(1, 2), *hard], "trials": 2, "policy": "oracle"}
    refused = client.post("/v1/evaluations", json=body)
    assert refused.status_code == 422, "toys have no oracle"
    body["policy"] = "live"
    created = client.post("/v1/evaluations", json=body)
    assert created.status_code == 201, created.text
    assert (created.json()["status"], created.json()["total"]) == ("running", 6)
    assert created.json()["task_set"] == task_set_sha256(
        [Task.model_validate(entry) for entry in body["tasks"]]
    )
    path = f"/v1/evaluations/{created.json()['id']}"
    events = events_at(client, f"{path}/events")
    ended = [data["ended"] for kind, _, data in events if kind == "progress"]
    assert ended == sorted(set(ended))
    kind, _, final = events[-1]
    assert (kind, final["status"]) == ("end", "finished")
    assert (final["ended"], final["solved"], final["lost"]) == (6, 4, 0)
    assert final["seconds_left"] is None
    assert client.get(path).json() == final
    assert [entry["id"] for entry in client.get("/v1/evaluations").json()] == [final["id"]]

    reported = client.get(f"{path}/figures").json()
    stamp = reported["evaluation"]["stamp"]
    assert (stamp["image"], stamp["no_image"], stamp["applications"]) == (IMAGE, "", {})
    (figures,) = reported["policies"]
    total = figures["total"]
    assert (total["n"], total["solved"], total["outcomes"]) == (6, 4, {"done": 4, "step_limit": 2})
    assert total["score_mean"] == pytest.approx((4 + 2 * 3 / 9) / 6)
    assert total["pass_hat_k"] == pytest.approx({"1": 2 / 3, "2": 2 / 3})
    again = client.post(f"{path}/cancel")
    assert (again.status_code, again.json()["detail"]) == (
        409,
        f"evaluation {final['id']} has ended",
    )


def test_the_stamp_has_the_screen_of_the_desktops_that_serve(keyed: Settings) -> None:
    foreign = {"id": "t", "instruction": "x", "env": "desktop", "evaluator": {"func": "infeasible"}}
    larger = keyed.model_copy(update={"desktop_screen": "1920x1080"})
    for settings, screen in ((keyed, [1280, 720]), (larger, [1920, 1080])):
        headers = {"authorization": f"Bearer {KEY}"}
        with TestClient(create_app(settings), headers=headers) as client:
            created = client.post("/v1/evaluations", json={"tasks": [foreign], "policy": "noop"})
            assert created.status_code == 201, created.text
            figures = client.get(f"/v1/evaluations/{created.json()['id']}/figures").json()
            assert figures["evaluation"]["stamp"]["screen"] == screen


@pytest.fixture
def client_of_mine(settings: Settings, tmp_path: Path) -> Iterator[TestClient]:
    """A client of an API that knows the agent `mine`."""
    file = tmp_path / "mine.toml"
    file.write_text('dialect = "compact"\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "m"\n')
    known = settings.model_copy(update={"api_key": KEY, "agents": (file,)})
    with TestClient(create_app(known), headers={"authorization": f"Bearer {KEY}"}) as opened:
        yield opened


def test_a_configured_agent_is_evaluated_by_its_name(
    client_of_mine: TestClient, settings: Settings
) -> None:
    unknown = client_of_mine.post("/v1/evaluations", json={"tasks": toys(1), "policy": "other"})
    assert unknown.status_code == 422
    assert "there is no 'other'; there are: " in unknown.json()["detail"]
    assert unknown.json()["detail"].endswith("mine")
    body = {"tasks": toys(1), "policy": "mine", "controls": True}
    created = client_of_mine.post("/v1/evaluations", json=body)
    assert created.status_code == 201, created.text
    path = f"/v1/evaluations/{created.json()['id']}"
    stamp = client_of_mine.get(f"{path}/figures").json()["evaluation"]["stamp"]["policy"]
    assert (stamp["name"], stamp["agent"]["dialect"], stamp["agent"]["model"]) == (
        "mine", "compact", "m",
    )  # fmt: skip
    with Store.open(settings) as store:
        rows = store.episodes.page(run_id=created.json()["id"]).episodes
    assert sorted(row.policy for row in rows) == ["infeasible", "mine", "noop"]


def test_an_agent_that_no_worker_knows_is_refused(
    client_of_mine: TestClient, settings: Settings
) -> None:
    with Store.open(settings) as store:
        store.workers.report("worker", Offer(("browser",), ("live", "oracle"), 4), None)
    refused = client_of_mine.post("/v1/evaluations", json={"tasks": toys(1), "policy": "mine"})
    assert refused.status_code == 422
    assert "no worker knows the agent 'mine'" in refused.json()["detail"]


def test_a_cancelled_evaluation_ends_and_says_so(client: TestClient) -> None:
    created = client.post("/v1/evaluations", json={"tasks": toys(1, 2), "controls": True})
    path = f"/v1/evaluations/{created.json()['id']}"
    cancelled = client.post(f"{path}/cancel").json()
    assert (cancelled["status"], cancelled["total"], cancelled["cancelled"]) == ("cancelled", 6, 6)
    assert [kind for kind, _, _ in events_at(client, f"{path}/events")] == ["progress", "end"]
    assert client.get(f"{path}/figures").json()["complete"] is False


def test_held_out_tasks_of_a_gym_are_drawn(client: TestClient) -> None:
    body = {"gym": "shop", "templates": ["cheapest"], "episodes": 3, "policy": "oracle"}
    created = client.post("/v1/evaluations", json=body)
    assert (created.status_code, created.json()["total"]) == (201, 3)


SHOP_TASK = {"id": "x", "instruction": "y", "gym": "shop", "template": "price", "seed": 1}
FLYING = {"id": "x", "instruction": "y", "evaluator": {"func": "f"}, "config": [{"type": "fly"}]}


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ({}, "give one of: gym, tasks"),
        ({"gym": "shop", "tasks": toys(1)}, "give one of: gym, tasks"),
        ({"gym": "shap"}, "there is no gym 'shap'"),
        ({"gym": "shop", "templates": ["prize"]}, "no template 'prize'"),
        ({"tasks": toys(1, 1)}, "several have the id 'toy-1'"),
        ({"tasks": [{"id": "x", "instruction": "y"}]}, "nothing judges it"),
        ({"tasks": toys(1), "policy": "best"}, "policy"),
        ({"tasks": toys(1), "trial": 3}, "trial"),
        ({"gym": "shop", "episodes": 5000, "trials": 5}, "body: 5000 tasks x 5 trials are 25000"),
        ({"gym": "shap"}, "gym: there is no gym 'shap' (did you mean shop?)"),
        ({"gym": "shop", "templates": ["prize"]}, "templates: shop has no template 'prize' (did"),
        ({"gym": "shop", "polcy": "oracle"}, "there is no field 'polcy' (did you mean policy?)"),
        ({"gym": "shop", "policy": "orcale"}, "policy: there is no 'orcale' (did you mean oracle?"),
        ({"gym": "shop", "policy": "script"}, "policy: there is no 'script'; there are: "),
        ({"gym": "shop", "policy": "stumbling"}, "policy: there is no 'stumbling'"),
        ({"gym": "shop", "policy": "blind"}, "policy: there is no 'blind'"),
        ({"tasks": [SHOP_TASK | {"gym": "shap"}]}, "tasks[0]: there is no gym 'shap'"),
        (
            {"tasks": [SHOP_TASK]},
            "tasks[0]: the params of task 'x' are not those of 'shop/price@1'",
        ),
        ({"tasks": [*toys(1), FLYING]}, "tasks[1].config[0].type: no setup step 'fly'"),
        ({"tasks": [{"id": "x", "instruction": "y"}]}, "tasks: none of the 1 tasks can run here"),
    ],
)
def test_what_cannot_be_evaluated_is_refused_by_name(
    client: TestClient, body: dict[str, Any], complaint: str
) -> None:
    refused = client.post("/v1/evaluations", json=body)
    assert refused.status_code == 422
    assert refused.headers["content-type"] == "application/problem+json"
    assert complaint in refused.json()["detail"]
    assert client.get("/v1/evaluations").json() == []


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b'{"gym": "shop"', "body: no JSON, at character 14: "),
        (b'"shop"', "body: send one JSON object, with Content-Type: application/json"),
    ],
)
def test_a_body_that_is_no_object_is_told_what_to_send(
    client: TestClient, content: bytes, complaint: str
) -> None:
    headers = {"content-type": "application/json"}
    refused = client.post("/v1/evaluations", content=content, headers=headers)
    assert refused.status_code == 422
    assert refused.json()["detail"].startswith(complaint)


@pytest.mark.parametrize("path", ["", "/figures", "/events"])
def test_an_unknown_evaluation_is_404(client: TestClient, path: str) -> None:
    assert client.get(f"/v1/evaluations/none{path}").status_code == 404
    assert client.get(f"/v1/evaluations/api{path}").status_code == 404, "a run of another kind"
    assert client.post("/v1/evaluations/none/cancel").status_code == 404
