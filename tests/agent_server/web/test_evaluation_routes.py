"""Evaluations in the console: started by the form, followed, looked into, compared."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from agent_server.settings import Settings
from tests.agent_server.api_process import KEY
from tests.agent_server.toy_env import toy_task
from tests.agent_server.web.evaluation_trials import end_trials

PATH = "/console/evaluations"
PIECE = {"hx-request": "true"}


def start(browser: TestClient, *targets: int, **values: Any) -> str:
    tasks = [toy_task(target).model_dump(mode="json") for target in targets]
    body = {"tasks": tasks, "policy": "live"} | values
    reply = browser.post("/v1/evaluations", json=body, headers={"x-api-key": KEY})
    assert reply.status_code == 201, reply.text
    return str(reply.json()["id"])


def test_an_evaluation_is_started_from_the_form(browser: TestClient) -> None:
    assert "No evaluation yet" in browser.get(PATH).text
    page = browser.get(f"{PATH}/new")
    assert '<option value="shop"></option>' in page.text
    form = {"gym": "shop", "policy": "oracle", "episodes": "3", "trials": "2", "controls": "on"}
    reply = browser.post(f"{PATH}/new", data=form, follow_redirects=False)
    assert reply.status_code == 303, reply.text
    page = browser.get(reply.headers["location"])
    assert "oracle on shop" in page.text
    assert "<b>0</b> of <b>12</b> trials have ended" in page.text, "3 x 2, and 3 of each control"
    assert "oracle on shop" in browser.get(PATH).text


@pytest.mark.parametrize("as_list", [False, True])
def test_task_files_are_evaluated_as_they_are(browser: TestClient, as_list: bool) -> None:
    file = {"id": "bold", "instruction": "Make it bold.", "evaluator": {"func": "infeasible"}}
    text = json.dumps([file] if as_list else file)
    form = {"gym": "shop", "tasks": text, "policy": "noop", "trials": "2"}
    reply = browser.post(f"{PATH}/new", data=form, follow_redirects=False)
    assert reply.status_code == 303, reply.text
    evaluation = browser.get(
        reply.headers["location"].replace("/console", "/v1"), headers={"x-api-key": KEY}
    ).json()
    assert (evaluation["tasks"], evaluation["total"]) == (1, 2)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"gym": "nowhere"}, "nowhere"),
        ({"trials": "0"}, "trials: Input should be greater than or equal to 1"),
        ({"episodes": "x"}, "episodes: Input should be a valid integer"),
        ({"policy": "nobody"}, "there is no &#39;nobody&#39;"),
        ({"templates": "none"}, "none"),
        ({"tasks": "{'id': 1}"}, "task files: no JSON"),
        ({"tasks": "[7]"}, "tasks"),
    ],
)
def test_a_form_that_cannot_be_run_says_why_and_keeps_what_was_typed(
    browser: TestClient, change: dict[str, str], words: str
) -> None:
    form = {"gym": "shop", "policy": "oracle", "episodes": "3", "seed": "77"} | change
    page = browser.post(f"{PATH}/new", data=form)
    assert page.status_code == 422
    problem = page.text.partition('role="alert">')[2].partition("</p>")[0]
    assert words in problem
    assert 'value="77"' in page.text


def test_partial_results_appear_and_are_drawn_again_only_when_a_trial_has_ended(
    browser: TestClient, keyed: Settings
) -> None:
    evaluation_id = start(browser, 1, 2, trials=2)
    end_trials(keyed, evaluation_id, [True, True, False])
    page = browser.get(f"{PATH}/{evaluation_id}")
    assert "<b>3</b> of <b>4</b> trials have ended" in page.text
    assert "about <b>" in page.text
    # Wilson of 2 of 3: 20.8% to 93.9%.
    assert "<b>66.7%</b>" in page.text
    assert "20.8 to 93.9%" in page.text
    same = browser.get(f"{PATH}/{evaluation_id}?ended=3", headers=PIECE)
    assert (same.status_code, same.content) == (204, b"")
    end_trials(keyed, evaluation_id, [True])
    piece = browser.get(f"{PATH}/{evaluation_id}?ended=3", headers=PIECE)
    assert "<b>4</b> of <b>4</b> trials have ended" in piece.text
    assert "hx-trigger" not in piece.text, "it has ended"
    assert "<html" not in piece.text


def test_failures_are_grouped_by_cause_and_lead_to_their_episodes(
    browser: TestClient, keyed: Settings
) -> None:
    evaluation_id = start(browser, 1, 2, 3, controls=True)
    episodes = end_trials(keyed, evaluation_id, [False] * 9)
    failures = browser.get(f"{PATH}/{evaluation_id}/failures", headers=PIECE)
    assert "<b>3</b> ran out of steps; most actions failed: not_found" in failures.text
    assert failures.text.count("/console/tasks/") == 3, "none of the controls"
    assert sum(f"/console/tasks/{name}" in failures.text for name in episodes) == 3
    assert browser.get(f"/console/tasks/{episodes[0]}").status_code == 200


def test_the_tasks_of_a_row_are_listed_with_their_trials(
    browser: TestClient, keyed: Settings
) -> None:
    evaluation_id = start(browser, 1, 2, trials=2)
    first, second, third = end_trials(keyed, evaluation_id, [True, False, True])
    page = browser.get(f"{PATH}/{evaluation_id}/tasks?policy=live&domain=all")
    for episode_id in (first, second, third):
        assert f"/console/tasks/{episode_id}" in page.text
    assert [page.text.count(f">{text}<") for text in ("solved", "not solved", "open")] == [2, 1, 1]
    chosen = browser.get(f"{PATH}/{evaluation_id}/tasks?task=toy-2")
    assert third in chosen.text
    assert first not in chosen.text
    assert "No task here" in browser.get(f"{PATH}/{evaluation_id}/tasks?policy=other").text


def test_an_evaluation_is_cancelled(browser: TestClient) -> None:
    evaluation_id = start(browser, 1)
    for _ in range(2):
        page = browser.post(f"{PATH}/{evaluation_id}/cancel")
        assert page.status_code == 200
        assert '<span class="badge neutral">cancelled</span>' in page.text


@pytest.fixture
def compared(browser: TestClient, keyed: Settings) -> tuple[str, str]:
    """The first solved tasks 1 and 2, the second 2 and 3; the second has a fourth task."""
    first, second = start(browser, 1, 2, 3), start(browser, 1, 2, 3, 4)
    end_trials(keyed, first, [True, True, False])
    end_trials(keyed, second, [False, True, True, True])
    return first, second


def test_two_evaluations_are_compared_pair_by_pair(
    browser: TestClient, compared: tuple[str, str]
) -> None:
    first, second = compared
    page = browser.get(f"{PATH}/compare?first={first}&second={second}")
    assert "difference <b>+0.0</b> points" in page.text
    assert "p = <b>1.0000</b>" in page.text
    assert "<b>3</b> tasks" in page.text
    assert "1 tasks only in the second: toy-4" in page.text
    assert f'toy-1: <a href="{PATH}/{first}/tasks?policy=live&amp;task=toy-1">' in page.text
    assert f'toy-3: <a href="{PATH}/{first}/tasks?policy=live&amp;task=toy-3">' in page.text


def test_what_cannot_be_compared_is_said(browser: TestClient) -> None:
    first, second = start(browser, 1), start(browser, 2)
    open_one = browser.get(f"{PATH}/compare?first={first}&second={first}")
    assert "the first is not complete: 1 of 1 trials have not run" in open_one.text
    page = browser.get(f"{PATH}/compare?first={first}&second={second}")
    assert "the evaluations have no task in common" in page.text
    assert browser.get(f"{PATH}/compare?first={first}&second=none").status_code == 404
    assert "Difference" not in browser.get(f"{PATH}/compare").text
