"""Gyms played from the console: each on a host name that is its key, apart from the console."""

from __future__ import annotations

import re
from html import unescape

from starlette.testclient import TestClient

from agent_server.api.sign_in import COOKIE
from agent_server.web.play_links import find_gym, is_loopback, make_link
from envs.gyms.server.registry import web_gyms
from tests.agent_server.api_process import KEY

NEAR = {"host": "127.0.0.1:8000"}


def links_of(browser: TestClient) -> dict[str, str]:
    text = browser.get("/console/gyms?seed=3", headers=NEAR).text
    pairs = re.findall(r'href="([^"]+)" target="_blank"[^>]*aria-label="Play (\S+) in', text)
    return {name: unescape(link) for link, name in pairs}


def test_the_app_opens_with_the_task_and_its_verdict(browser: TestClient) -> None:
    link = links_of(browser)["shop/cheapest"]
    assert re.match(r"http://shop-[0-9a-f]{32}\.localhost:8000/_play/", link)
    browser.cookies.clear()
    page = browser.get(link)
    assert "cheapest, seed 3" in page.text
    assert COOKIE not in page.headers.get("set-cookie", "")
    base = link.partition("?")[0]
    verdict = browser.post(f"{base}/verdict", json={"answer": None, "infeasible": False})
    assert verdict.json()["score"] == 0.0
    start = re.search(r'<iframe src="([^"]+)"', page.text)
    assert start is not None
    host = base.partition("/_play")[0]
    assert browser.get(f"{host}{start[1]}").status_code == 200
    assert browser.get(f"{host}/console/tasks").status_code != 200, "no page of the console there"


def test_every_gym_can_be_played(browser: TestClient) -> None:
    links = links_of(browser)
    for gym in web_gyms():
        first = next(link for name, link in links.items() if name.startswith(f"{gym}/"))
        assert "<iframe" in browser.get(first).text, gym


def test_a_wrong_name_leads_to_the_gate(browser: TestClient) -> None:
    browser.cookies.clear()
    wrong = "http://shop-0123456789abcdef0123456789abcdef.localhost:8000/_play/x"
    assert browser.get(wrong).status_code == 401
    assert find_gym("", "shop-.localhost") is None, "no key, no gym"
    other = make_link("another key", "127.0.0.1:80", "shop", "cheapest", 0)
    assert find_gym(KEY, other.split("/")[2].partition(":")[0]) is None


def test_from_another_machine_nothing_is_opened(browser: TestClient) -> None:
    page = browser.get("/console/gyms", headers={"host": "console.example:8000"}).text
    assert "_play" not in page
    assert "deskhand gym play shop" in page
    assert all(map(is_loopback, ("[::1]:80", "[::1]", "localhost", "127.0.0.1:80")))
    assert not is_loopback("127.0.0.1.evil:80")


def test_a_template_is_given_to_whoever_serves(browser: TestClient) -> None:
    form = {"gym": "shop", "template": "price", "seed": "3"}
    page = browser.post("/console/gyms/give", data=form, headers=NEAR)
    assert page.url.path.startswith("/console/tasks/")
    assert "no worker is alive" in page.text
    refused = browser.post("/console/gyms/give", data=form | {"template": "none"}, headers=NEAR)
    assert refused.status_code == 422
    assert "none" in refused.text
