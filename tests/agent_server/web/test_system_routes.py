"""The system page: queue, workers, hosts and dead letters, which run again when asked."""

from __future__ import annotations

import asyncio

import pytest
from starlette.testclient import TestClient

from agent_server.episodes.trajectory import EpisodeResult
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from agent_server.store.workers import Offer
from agent_server.web.host_health import HostHealth, ask_hosts
from envs.contract.outcomes import EpisodeFault, InvalidReason

GONE = "http://127.0.0.1:9"


@pytest.fixture
def lost(keyed: Settings, browser: TestClient) -> str:
    """A chain of the API's run that no retry is left for."""
    with Store.open(keyed) as store:
        task = {"id": "t", "instruction": "Buy <b>milk</b>"}
        store.episodes.create([Episode(id="e1", run_id="api", purpose="api", task=task)])
        store.episodes.lease("e1", "w")
        fault = EpisodeFault(InvalidReason.UNRUNNABLE, "DESKHAND_DESKTOP_URLS names no host")
        store.episodes.finish("e1", "w", EpisodeResult.invalid(fault))
    return "e1"


def test_a_dead_letter_runs_again_once(browser: TestClient, keyed: Settings, lost: str) -> None:
    page = browser.get("/console/system").text
    assert "Buy &lt;b&gt;milk&lt;/b&gt;" in page
    assert "DESKHAND_DESKTOP_URLS names no host" in page
    for _ in range(2):  # a second person with the same page open
        reply = browser.post("/console/system/requeue", data={"episode": lost})
        assert reply.status_code == 200
    assert "None: every task that was lost ran again" in reply.text
    with Store.open(keyed) as store:
        assert [row.id for row in store.episodes.chain(lost)] == ["e1", "e1.2"]


def test_a_letter_of_a_run_that_has_ended_stays(
    browser: TestClient, keyed: Settings, lost: str
) -> None:
    with Store.open(keyed) as store:
        store.runs.set_status("api", "finished")
    reply = browser.post("/console/system/requeue", data={"episode": lost})
    assert reply.status_code == 409
    assert "its run has ended" in reply.text
    assert browser.post("/console/system/requeue", data={"episode": "e9"}).status_code == 404


def test_workers_show_what_they_run_and_why_they_do_not(
    browser: TestClient, keyed: Settings
) -> None:
    assert "No worker is alive" in browser.get("/console/system").text
    with Store.open(keyed) as store:
        store.workers.report("w-1", Offer(("browser",), ("live",), 4), "the broker is away")
        store.episodes.create([Episode(id="e2", run_id="api", purpose="api", task={})])
        store.episodes.lease("e2", "w-1")
    page = browser.get("/console/system").text
    assert "takes no task" in page
    assert "the broker is away" in page
    assert '<td data-label="Running" class="number">1 of 4</td>' in page


def test_a_host_that_does_not_answer_is_a_line_like_the_others(keyed: Settings) -> None:
    settings = keyed.model_copy(update={"host_urls": (GONE,), "desktop_urls": (GONE,)})
    browsers, desktops = asyncio.run(ask_hosts(settings))
    assert (browsers.url, browsers.env, desktops.env) == (GONE, "browser", "desktop")
    assert browsers.problem.startswith("does not answer")
    assert isinstance(browsers, HostHealth)
