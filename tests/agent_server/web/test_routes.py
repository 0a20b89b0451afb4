"""The console: who may see it, what it shows, and that no other page can use it."""

from __future__ import annotations

import base64
from html import unescape
from typing import Any

import pytest
from starlette.testclient import TestClient

from agent_server.api.app import create_app
from agent_server.api.sign_in import COOKIE
from agent_server.episodes.trajectory import Completion, EpisodeResult, Step
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.store import Store
from envs.contract.actions import ActionResult, Navigate
from envs.contract.observations import Screenshot
from envs.contract.outcomes import EndReason, Status
from tests.agent_server.api_process import KEY
from tests.agent_server.toy_env import PIXEL

OWNER = "test"
HOSTILE = "<script>alert(1)</script> & buy"
TASK = {"instruction": HOSTILE, "start_url": "http://127.0.0.1:9/", "policy": "live"}
PICTURE = Screenshot(format="jpeg", width=1, height=1, data=base64.b64encode(PIXEL).decode())


def start_task(browser: TestClient) -> str:
    reply = browser.post("/v1/tasks", json=TASK, headers={"x-api-key": KEY})
    assert reply.status_code == 201, reply.text
    return str(reply.json()["id"])


def finish(keyed: Settings, task_id: str, **step: Any) -> None:
    """Runs the task for one step that goes to another page."""
    values: dict[str, Any] = {
        "prompt": "",
        "completion": Completion(text="x"),
        "thought": HOSTILE,
        "action": Navigate(url="http://shop.test/"),
        "result": ActionResult.success(),
        "timings_ms": {"policy": 1200.0, "env": 300.0},
    }
    result = EpisodeResult(Status.UNJUDGED, EndReason.DONE, answer=HOSTILE, steps=1)
    with Store.open(keyed) as store:
        row = store.episodes.lease(task_id, OWNER)
        assert row is not None
        with Recorder(Artifacts(keyed.artifacts), task_id) as recorder:
            picture = recorder.save_screenshot(0, PICTURE)
            recorder.record_step(Step(index=0, screenshot=picture, **(values | step)))
            recorder.finish(result, {})
        assert store.episodes.finish(task_id, OWNER, result)


@pytest.mark.parametrize(
    "path",
    ["/console/", "/console/tasks", "/console/wall", "/console/evaluations", "/console/system"],
)
def test_whoever_is_not_signed_in_is_asked_for_the_key(keyed: Settings, path: str) -> None:
    with TestClient(create_app(keyed)) as stranger:
        reply = stranger.get(path, follow_redirects=False)
        assert reply.status_code == 303
        assert reply.headers["location"].startswith("/console/sign-in?then=")
        assert "API key" in stranger.get(path).text
        stranger.cookies.set(COOKIE, "99999999999.0")
        assert stranger.get(path, follow_redirects=False).status_code == 303


def test_the_key_signs_in_and_another_one_does_not(keyed: Settings) -> None:
    with TestClient(create_app(keyed)) as stranger:
        assert stranger.get("/").url.path == "/console/sign-in"
        refused = stranger.post("/console/sign-in", data={"key": "wrong"})
        assert refused.status_code == 403
        assert "This is not the key" in refused.text
        assert COOKIE not in stranger.cookies
        reply = stranger.post("/console/sign-in", data={"key": KEY}, follow_redirects=False)
        cookie = reply.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert stranger.get("/console/tasks").status_code == 200
        stranger.post("/console/sign-out")
        assert stranger.get("/console/tasks").url.path == "/console/sign-in"


@pytest.mark.parametrize("then", ["https://evil.test/", "//evil.test/", "/console/../docs//", ""])
def test_signing_in_leads_to_the_console_and_nowhere_else(keyed: Settings, then: str) -> None:
    with TestClient(create_app(keyed)) as stranger:
        data = {"key": KEY, "then": then}
        reply = stranger.post("/console/sign-in", data=data, follow_redirects=False)
        assert reply.headers["location"].startswith("/console/")


def test_the_cookie_opens_the_console_and_no_route_of_the_api(browser: TestClient) -> None:
    assert browser.get("/console/tasks").status_code == 200
    assert browser.get("/docs").status_code == 200
    assert browser.get("/v1/tasks").status_code == 401
    assert browser.post("/v1/tasks", json=TASK).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.test"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
@pytest.mark.parametrize("path", ["/console/new", "/console/tasks/x/cancel", "/console/sign-in"])
def test_a_form_of_another_page_is_refused(
    browser: TestClient, path: str, headers: dict[str, str]
) -> None:
    reply = browser.post(path, data={"instruction": "x", "key": KEY}, headers=headers)
    assert reply.status_code == 403


def test_a_task_is_followed_to_its_end(browser: TestClient, keyed: Settings) -> None:
    task_id = start_task(browser)
    waiting = browser.get(f"/console/tasks/{task_id}")
    assert "It waits: no worker is alive" in waiting.text
    assert "hx-trigger" in waiting.text
    finish(keyed, task_id)
    piece = browser.get(f"/console/tasks/{task_id}", headers={"hx-request": "true"})
    assert "every 1s" not in piece.text
    assert "agent 1.2 s, environment 0.3 s" in piece.text
    assert "<html" not in piece.text
    picture = browser.get(f"/console/tasks/{task_id}/pictures/000.jpeg")
    assert picture.content == PIXEL


def test_an_open_page_asks_for_new_steps_only(browser: TestClient, keyed: Settings) -> None:
    task_id = start_task(browser)
    with Store.open(keyed) as store:
        assert store.episodes.lease(task_id, OWNER) is not None
    values = {"prompt": "", "completion": Completion(text="x"), "result": ActionResult.success()}
    piece = {"hx-request": "true"}
    with Recorder(Artifacts(keyed.artifacts), task_id) as recorder:
        recorder.record_step(Step(index=0, thought="first thought", action=None, **values))
        page = browser.get(f"/console/tasks/{task_id}").text
        assert "first thought" in page
        address = unescape(page.partition('hx-get="')[2].partition('"')[0])
        assert "thought" not in browser.get(address, headers=piece).text
        recorder.record_step(Step(index=1, thought="second thought", action=None, **values))
        news = browser.get(address, headers=piece).text
    assert "second thought" in news
    assert "first thought" not in news
    assert "<b>2</b> steps" in news
    assert 'hx-swap-oob="beforeend:#steps"' in news
    other = browser.get(address.replace(f"episode={task_id}", "episode=lost"), headers=piece)
    assert other.headers["hx-refresh"] == "true"
    astray = browser.get(f"/console/tasks/{task_id}?offset=3", headers=piece)
    assert astray.status_code == 422


def test_text_of_agents_and_pages_is_escaped(browser: TestClient, keyed: Settings) -> None:
    task_id = start_task(browser)
    finish(keyed, task_id, refused_hosts=(HOSTILE,), url=f"http://x/{HOSTILE}")
    for path in (f"/console/tasks/{task_id}", "/console/tasks", "/console/wall"):
        page = browser.get(path)
        assert "alert(1)</script>" not in page.text
        assert "script-src 'self'" in page.headers["content-security-policy"]
    assert browser.get(f"/console/tasks/{task_id}").text.count("&lt;script&gt;alert(1)") >= 4


def test_a_task_is_started_from_the_form(browser: TestClient) -> None:
    form = {
        "instruction": "Find a shirt",
        "start_url": "https://shop.example/",
        "allow": "shop.example, img.example",
        "policy": "live",
        "max_steps": "7",
    }
    created = browser.post("/console/new", data=form, follow_redirects=False)
    assert created.status_code == 303
    page = browser.get(created.headers["location"])
    assert "shop.example, img.example" in page.text
    refused = browser.post("/console/new", data=form | {"allow": "", "max_steps": "x"})
    assert refused.status_code == 422
    assert "max_steps: Input should be a valid integer" in refused.text
    assert "Find a shirt" in refused.text, "what was typed is kept"
    refused = browser.post("/console/new", data=form | {"allow": ""})
    assert "name its domain in allow" in refused.text


def test_a_task_is_cancelled(browser: TestClient) -> None:
    task_id = start_task(browser)
    for _ in range(2):
        page = browser.post(f"/console/tasks/{task_id}/cancel")
        assert page.status_code == 200
        assert "cancelled" in page.text


def test_every_section_is_shown_and_unknown_things_are_not_found(browser: TestClient) -> None:
    start_task(browser)
    for section, words in {
        "tasks?status=queued": "queued",
        "tasks?status=running": "No task is running",
        "runs": "api",
        "system": "No worker is alive",
        "wall": "0 running",
        "new": "Domains that the browser may reach",
    }.items():
        page = browser.get(f"/console/{section}")
        assert page.status_code == 200
        assert words in page.text
        for file in ("console.css", "console.js", "htmx.min.js"):
            assert f"/console/static/{file}" in page.text
    assert browser.get("/console/static/console.css").status_code == 200
    missing = browser.get("/console/tasks/none")
    assert missing.status_code == 404
    assert "there is no task &#39;none&#39;" in missing.text
    assert "To the tasks" in missing.text
    assert browser.get("/console/tasks?cursor=x").status_code == 422
