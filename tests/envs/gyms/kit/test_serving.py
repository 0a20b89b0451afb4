"""Apps over HTTP: crashes, signing in again, sessions, tools."""

from __future__ import annotations

from typing import Any

import orjson
from starlette.testclient import TestClient

from envs.contract.gym_api import ADMIN_HEADER
from envs.contract.task import Task
from envs.gyms.apps.billing.data import SERVICES
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


def test_a_form_or_a_tool_that_crashes_changes_nothing() -> None:
    gym = get_web_gym("billing")
    task = gym.make_task("pay_invoice", 1)
    served = Served(task)
    session = served.store.get("mine")
    assert session is not None
    for customer in session.state["billing"]["customers"]:
        customer["terms"] = "soon"
    before = orjson.dumps(session.state)
    path = "/billing/invoices/new/create"
    form = {
        "customer": session.state["billing"]["customers"][0]["id"],
        "text": SERVICES[0],
        "qty": "1",
    }
    price = gym.make_world(1).locale.format_money(100)
    data = form | {"price": price, "token": session.form_token(path)}
    assert served.client.post(path, data=data).status_code == 500
    assert orjson.dumps(session.state) == before
    for invoice in session.state["billing"]["invoices"]:
        del invoice["status"]
    arguments = {"number": task.params["number"], "cents": 1, "method": "Cash"}
    reply = served.admin("POST", "/tools/billing.record_payment", arguments).json()
    assert reply["error"] == "the application failed"
    assert served.admin("POST", "/verdict", {}).status_code == 200


def test_a_form_that_is_sent_twice_counts_once_and_a_new_one_counts_again() -> None:
    task = get_web_gym("billing").make_task("pay_part", 1)
    served = Served(task)
    session = served.store.get("mine")
    assert session is not None
    path = f"/billing/invoices/{task.params['invoice']}/payment/record"
    fields = {"amount": task.params["amount"], "day": task.params["date"], "method": "Cash"}

    def pay(token: str) -> tuple[str, int]:
        data = fields | {"token": token}
        reply = served.client.post(path, data=data, follow_redirects=False)
        return reply.headers["location"], len(session.state["billing"]["payments"])

    token, before = session.form_token(path), len(session.state["billing"]["payments"])
    first = pay(token)
    session.state["flash"] = None
    assert pay(token) == first == (path.rpartition("/payment")[0], before + 1)
    assert session.state["flash"].startswith("✓ ")
    fields["amount"] = served.client.get(path.rpartition("/")[0]).text.split("still open: ")[1]
    fields["amount"] = fields["amount"].partition("<")[0]
    assert pay(session.form_token(path))[1] == before + 2


def test_a_form_that_was_refused_may_be_sent_again() -> None:
    task = get_web_gym("billing").make_task("pay_part", 1)
    served = Served(task)
    session = served.store.get("mine")
    assert session is not None
    path = f"/billing/invoices/{task.params['invoice']}/payment/record"
    right = {"amount": task.params["amount"], "day": task.params["date"], "method": "Cash"}
    token, before = session.form_token(path), len(session.state["billing"]["payments"])
    for amount, count in (("nothing", before), (right["amount"], before + 1)):
        data = right | {"amount": amount, "token": token}
        served.client.post(path, data=data, follow_redirects=False)
        assert len(session.state["billing"]["payments"]) == count


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


def test_a_day_at_the_end_of_time_is_the_app_s_to_refuse() -> None:
    task = get_web_gym("calendar").make_task("create_event", 1)
    served = Served(task)
    session = served.store.get("mine")
    assert session is not None
    room = session.state["calendar"]["rooms"][0]["id"]
    for path in (
        "/free",
        f"/rooms/{room}",
        "/events/new",
        "/week",
        "/week/9999-12-31",
        "/day/9999-12-31",
        "/",
    ):
        query = {"day": "9999-12-31", "month": "9999-12", "start": "09:00", "end": "10:00"}
        assert served.client.get(f"/calendar{path}", params=query).status_code in (200, 404), path
    path = "/calendar/events/new/create"
    event = {"title": "End", "day": "9999-12-31", "start": "09:00", "end": "10:00", "room": ""}
    data = event | {"repeat": "Weekly", "times": "4", "token": session.form_token(path)}
    assert served.client.post(path, data=data, follow_redirects=False).status_code == 303
    tool = {key: event[key] for key in ("title", "day", "start", "end")} | {"repeat": "Weekly"}
    reply = served.admin("POST", "/tools/calendar.create_event", tool | {"times": 4}).json()
    assert "A day must be a date" in reply["error"]
    assert session.crash is None
    assert session.state["calendar"] == session.before["calendar"]
