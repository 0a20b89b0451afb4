"""A person answers in the console, and acts in the agent's place."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from agent_server.api.errors import ApiError
from agent_server.settings import Settings
from agent_server.store.approvals import ApprovalStatus
from agent_server.store.store import Store
from agent_server.web.approval_routes import read_actions
from envs.contract.actions import Click, Key, Scroll, Space, Target, Type
from tests.agent_server.web.filled_console import make_picture
from tests.agent_server.web.questions import ask

ORIGIN = {"origin": "http://console"}


def begin(browser: TestClient, settings: Settings, status: ApprovalStatus | None = None) -> str:
    """The page of a question of a running task."""
    made = browser.post(
        "/console/new",
        data={"instruction": "Pay", "start_url": "http://127.0.0.1:9/"},
        headers=ORIGIN,
        follow_redirects=False,
    )
    task_id = made.headers["location"].rpartition("/")[2]
    with Store.open(settings) as store:
        assert store.episodes.lease(task_id, "test") is not None
    return f"/console/tasks/{task_id}/approvals/{ask(settings, task_id, make_picture(), status)}"


def test_what_waits_is_listed_and_shown_on_its_task(browser: TestClient, keyed: Settings) -> None:
    assert "Nothing waits" in browser.get("/console/approvals").text
    page = begin(browser, keyed)
    assert page in browser.get("/console/approvals").text
    assert page in browser.get(page.partition("/approvals")[0]).text
    text = browser.get(page).text
    assert "it would press &#39;Pay now&#39;" in text
    assert "Refuse" in text
    assert browser.get(f"{page}/picture").headers["content-type"] == "image/jpeg"


@pytest.mark.parametrize("answer", ["approve", "refuse"])
def test_an_answer_leads_back_to_the_task(
    browser: TestClient, keyed: Settings, answer: str
) -> None:
    page = begin(browser, keyed)
    data = {"answer": answer, "words": "too dear"}
    reply = browser.post(page, data=data, headers=ORIGIN, follow_redirects=False)
    assert reply.headers["location"] == page.partition("/approvals")[0]
    assert "too dear" in browser.get(page).text
    # A second answer changes nothing.
    browser.post(page, data={"answer": "approve"}, headers=ORIGIN)
    expected = "approved" if answer == "approve" else "refused"
    assert expected in browser.get(page).text


def test_an_open_page_is_loaded_anew_when_the_question_stands_otherwise(
    browser: TestClient, keyed: Settings
) -> None:
    page = begin(browser, keyed)
    piece = {"hx-request": "true"}
    same = browser.get(f"{page}?status=waiting", headers=piece)
    assert "s left" in same.text
    browser.post(page, data={"answer": "take"}, headers=ORIGIN)
    other = browser.get(f"{page}?status=waiting", headers=piece)
    assert other.headers["hx-refresh"] == "true"
    assert "Hand back" in browser.get(page).text


def test_inputs_are_handed_in_after_a_take_over(browser: TestClient, keyed: Settings) -> None:
    page = begin(browser, keyed)
    act = f"{page}/act"
    assert browser.post(act, data={"key": "enter"}, headers=ORIGIN).headers["hx-refresh"] == "true"
    browser.post(page, data={"answer": "take"}, headers=ORIGIN)
    assert browser.post(act, data={"x": "0.5", "y": "0.25"}, headers=ORIGIN).status_code == 204
    assert browser.post(act, data={"text": "Oslo"}, headers=ORIGIN).status_code == 204
    assert browser.post(act, data={"x": "7", "y": "0"}, headers=ORIGIN).status_code == 422
    with Store.open(keyed) as store:
        row = store.approvals.look(page.rpartition("/")[2])
    assert [entry["type"] for entry in row.inputs] == ["click", "type"]


def test_a_form_is_read_as_actions() -> None:
    click = Click(target=Target(x=0.5, y=0.25, space=Space.NORM1))
    assert read_actions("0.5", "0.25", "", "") == [click]
    assert read_actions("", "", "Oslo", "enter") == [Type(text="Oslo"), Key(keys=("enter",))]
    assert read_actions("", "", "", "scroll up") == [Scroll(dy=-1, unit="page")]
    assert read_actions("", "", "", "f12") == []
    with pytest.raises(ApiError, match="no place of the picture"):
        read_actions("nan", "0", "", "")
