"""Apps over HTTP: crashes, signing in again, sessions, tools."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient

from envs.contract.gym_api import ADMIN_HEADER
from envs.contract.task import Task
from envs.gyms.server.app import COOKIE, create_app
from envs.gyms.server.registry import get_web_gym
from envs.gyms.server.sessions import SessionStore


class Served:
    """A gym server, and one session of it that a page may use."""

    def __init__(self, task: Task) -> None:
        self.store = SessionStore()
        self.client = TestClient(create_app("secret", self.store), cookies={COOKIE: "mine"})
        reply = self.admin("PUT", "", task.model_dump(mode="json"))
        assert reply.status_code == 200, reply.text

    def admin(self, method: str, path: str, body: Any) -> Any:
        headers = {ADMIN_HEADER: "secret"}
        return self.client.request(
            method, f"/_admin/sessions/mine{path}", json=body, headers=headers
        )


def test_an_app_that_the_agent_crashed_is_judged_all_the_same() -> None:
    gym = get_web_gym("billing")
    served = Served(gym.make_task("pay_invoice", 1))
    session = served.store.get("mine")
    assert session is not None
    for invoice in session.state["billing"]["invoices"]:
        del invoice["due"]
    assert served.client.get("/billing/invoices").status_code == 500
    reply = served.admin("POST", "/verdict", {})
    assert reply.status_code == 200
    assert reply.json()["score"] < 1
    assert "KeyError" in reply.json()["details"]["crash"]


def test_signing_in_again_leads_nowhere_else() -> None:
    served = Served(get_web_gym("billing").make_task("pay_invoice", 1))
    for to in ("https://evil.example/", "//evil.example", "/_admin/sessions", "/shop/cart"):
        page = served.client.get("/billing/signed-out", params={"to": to}).text
        assert 'action="/billing/"' in page, to


def test_a_page_without_its_session_shows_nothing() -> None:
    served = Served(get_web_gym("billing").make_task("pay_invoice", 1))
    assert served.client.get("/billing/invoices").status_code == 200
    assert served.client.get("/shop/").status_code == 403
    served.client.cookies.clear()
    assert served.client.get("/billing/invoices").status_code == 403


def test_tools_of_the_session_s_apps_only() -> None:
    served = Served(get_web_gym("billing").make_task("pay_invoice", 1))
    reply = served.admin("POST", "/tools/billing.find_invoices", {"text": "INV-1001"}).json()
    assert reply["error"] is None
    assert reply["value"][0]["number"] == "INV-1001"
    assert "there is no tool" in served.admin("POST", "/tools/shop.buy", {}).json()["error"]
