"""The console's pages of scripts: made of a task, shown, replayed with other values, deleted."""

from __future__ import annotations

from starlette.testclient import TestClient

from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.workers import Offer
from envs.contract.outcomes import EndReason
from tests.agent_server.api.test_scripts import finish
from tests.agent_server.scripts.recorded import record


def make_script(browser: TestClient, name: str, task_id: str) -> str:
    form = {"name": name, "task_id": task_id}
    return browser.post("/console/scripts", data=form, follow_redirects=True).text


def test_a_finished_task_leads_to_a_script_which_is_replayed(
    browser: TestClient, keyed: Settings
) -> None:
    assert "Make a script" in browser.get("/console/scripts").text
    task_id = finish(keyed, record())
    page = browser.get(f"/console/tasks/{task_id}").text
    assert f'href="/console/scripts?task={task_id}"' in page
    assert f'value="{task_id}"' in browser.get(f"/console/scripts?task={task_id}").text
    made = make_script(browser, "phone", task_id)
    assert 'name="parameter" value="phone"' in made
    assert 'value="555-0199"' in made
    assert "It was not replayed yet." in made

    with Store.open(keyed) as store:
        store.workers.report("worker", Offer(("browser",), ("script", "oracle"), 4), None)
    form = {"parameter": ["search", "phone"], "value": ["Hugo Blanc", "555-7"], "otherwise": ""}
    replay = browser.post("/console/scripts/phone/replay", data=form)
    assert replay.url.path.startswith("/console/tasks/e")
    assert "Set the phone of Hugo Blanc to 555-7." in replay.text
    assert f'href="{replay.url.path}"' in browser.get("/console/scripts/phone").text
    assert "phone" in browser.get("/console/scripts").text

    browser.post("/console/scripts/phone/delete")
    assert browser.get("/console/scripts/phone").status_code == 404


def test_what_cannot_be_made_or_replayed_is_said_beside_the_form(
    browser: TestClient, keyed: Settings
) -> None:
    task_id = finish(keyed, record(), EndReason.STEP_LIMIT)
    assert "/console/scripts?task=" not in browser.get(f"/console/tasks/{task_id}").text
    assert "did not succeed" in make_script(browser, "phone", task_id)
    refused = make_script(browser, "No Name!", task_id)
    assert 'role="alert"' in refused
    assert 'value="No Name!"' in refused


def test_a_value_that_is_no_parameter_is_said_with_what_was_typed(
    browser: TestClient, keyed: Settings
) -> None:
    make_script(browser, "phone", finish(keyed, record()))
    form = {"parameter": ["fax"], "value": ["1"]}
    refused = browser.post("/console/scripts/phone/replay", data=form)
    assert refused.status_code == 422
    assert 'role="alert"' in refused.text
