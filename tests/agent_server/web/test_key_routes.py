"""Keys in the console: shown once, changed by the operator only, and logged."""

from __future__ import annotations

import re

import pytest
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.settings import Settings
from agent_server.store.store import Store
from tests.agent_server.api_process import KEY

FORM = {"name": "ci", "scope": "run", "days": "30", "per_minute": "60"}


def shown_key(text: str) -> str:
    key = re.search(r"dhk_[\w-]+", text)
    assert key is not None
    return key[0]


def status_with(browser: TestClient, key: str, method: str = "GET", path: str = "/v1/runs") -> int:
    browser.app.state.deskhand.keys._read_at = float("-inf")  # type: ignore[attr-defined]
    headers = {"authorization": f"Bearer {key}"}
    return browser.request(method, path, headers=headers).status_code


def test_a_key_is_shown_once_and_opens_the_api_until_it_is_revoked(browser: TestClient) -> None:
    made = browser.post("/console/keys", data=FORM)
    assert made.headers["cache-control"] == "no-store"
    key = shown_key(made.text)
    assert key not in browser.get("/console/keys").text
    assert status_with(browser, key) == 200
    rotated = shown_key(browser.post("/console/keys/ci/rotate").text)
    assert (status_with(browser, key), status_with(browser, rotated)) == (401, 200)
    assert "revoked" in browser.post("/console/keys/ci/revoke").text
    assert status_with(browser, rotated) == 401
    again = browser.post("/console/keys/ci/rotate")
    assert (again.status_code, "no key ci that holds" in again.text) == (422, True)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"name": "No Capitals"}, "is no name"),
        ({"scope": "everything"}, "is no scope"),
        ({"days": "-1"}, "days: a number above 0"),
        ({"days": "nan"}, "days: a number above 0"),
        ({"per_minute": "many"}, "requests a minute: a number"),
    ],
)
def test_a_wrong_form_is_shown_again_with_the_reason(
    browser: TestClient, changes: dict[str, str], reason: str
) -> None:
    reply = browser.post("/console/keys", data=FORM | changes)
    assert reply.status_code == 422
    assert reason in reply.text
    assert 'value="60"' in reply.text or changes.get("per_minute")
    assert "Only the operator" in browser.get("/console/keys").text, "none was made"


def test_the_log_of_one_key_is_shown(browser: TestClient, keyed: Settings) -> None:
    key = shown_key(browser.post("/console/keys", data=FORM).text)
    assert status_with(browser, key, "POST", "/v1/tasks/none/cancel") == 404
    browser.app.state.deskhand.keys.write()  # type: ignore[attr-defined]
    page = browser.get("/console/keys", params={"key": "ci"}).text
    assert "POST /v1/tasks/none/cancel" in page
    assert "POST /console/keys" not in page
    assert "POST /console/keys" in browser.get("/console/keys").text


@pytest.mark.parametrize("scope", ["read", "run"])
def test_a_named_key_opens_no_page_of_the_console(keyed: Settings, scope: str) -> None:
    with TestClient(create_app(keyed)) as program:
        with Store.open(keyed) as store:
            key = store.keys.create("ci", scope)  # type: ignore[arg-type]
        for method, path in (("GET", "/console/keys"), ("POST", "/console/keys/ci/rotate")):
            assert status_with(program, key, method, path) == 403
        assert status_with(program, KEY, "GET", "/console/keys") == 200, "the operator's does"
