"""Policy versions in the console: promoted and rolled back where this server may, refused else."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.tables import PolicyVersion
from tests.agent_server.api_process import KEY
from tests.agent_server.web.training_run import start_training

PIECE = {"hx-request": "true"}


@pytest.fixture
def serving(keyed: Settings) -> Settings:
    """Of a stack with a policy server, which nothing here talks to."""
    return keyed.model_copy(update={"policy_urls": ("http://127.0.0.1:9",)})


@pytest.fixture
def operator(serving: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(serving), base_url="http://console") as opened:
        opened.post("/console/sign-in", data={"key": KEY})
        yield opened


def add_versions(settings: Settings, *entries: tuple[str, str]) -> None:
    """Rows of the API's run: path and status."""
    with Store.open(settings) as store:
        for path, status in entries:
            row = PolicyVersion(
                run_id="api", version=int(path[-1]), path=path, sha256="a" * 64, status=status
            )
            store.runs.add_version(row)


def buttons(text: str) -> dict[str, str]:
    """Rows that can be promoted, by the label of their button."""
    pattern = r'name="row" value="(\d+)"><button [^>]*aria-label="([^"]+)"'
    return {label: row for row, label in re.findall(pattern, text)}


def test_a_version_is_promoted_once_and_then_rolled_back(
    operator: TestClient, serving: Settings
) -> None:
    add_versions(serving, ("/p/v1", "published"), ("/p/v3", "rejected"), ("/p/v2", "live"))
    page = operator.get("/console/policy").text
    assert list(buttons(page)) == ["Promote version 3", "Promote version 1"]
    assert "Roll back" not in page, "nothing served before"
    assert operator.post("/console/policy/roll-back").status_code == 409
    row = buttons(page)["Promote version 1"]
    page = operator.post("/console/policy/promote", data={"row": row}).text
    assert "swapping version 1 in" in page
    assert 'hx-trigger="every 1s"' in page
    assert buttons(page) == {}, "one at a time"
    again = operator.post("/console/policy/promote", data={"row": row})
    assert (again.status_code, "wait for its result" in again.text) == (409, True)
    with Store.open(serving) as store:
        request = store.runs.requested_version("api")
        assert request is not None
        assert (request.path, request.parent) == ("/p/v1", 2)
        store.runs.set_version(request.id or 0, "live", pause_ms=40.0)
    piece = operator.get("/console/policy", headers=PIECE).text
    assert "Roll back to version 2" in piece
    assert "hx-trigger" not in piece
    operator.post("/console/policy/roll-back")
    with Store.open(serving) as store:
        request = store.runs.requested_version("api")
        assert request is not None
        assert (request.path, request.parent) == ("/p/v2", 1)


def test_versions_of_another_folder_are_not_offered(
    operator: TestClient, serving: Settings
) -> None:
    add_versions(serving, ("/old/v5", "live"), ("/p/v2", "live"))
    page = operator.get("/console/policy").text
    assert "Promote version 5" not in page
    assert "Roll back" not in page, "the other folder may hold another model"
    assert operator.post("/console/policy/promote", data={"row": "1"}).status_code == 404


def test_without_a_policy_server_the_reason_is_said(browser: TestClient) -> None:
    page = browser.get("/console/policy").text
    assert "No policy server is served here" in page
    refused = browser.post("/console/policy/promote", data={"row": "1"})
    assert refused.status_code == 409
    assert "deskhand serve --model" in refused.text


def test_a_training_run_keeps_its_own_version(operator: TestClient, serving: Settings) -> None:
    start_training(serving)
    page = operator.get("/console/policy").text
    assert "The run smoke-1 decides" in page
    assert "0.0040 nats" in page
    assert operator.post("/console/policy/roll-back").status_code == 409
