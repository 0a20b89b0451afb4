"""The kit of the web gyms: worlds, looks, answers, site tools, disturbances, crashes."""

from __future__ import annotations

import copy
import random
from datetime import date
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from envs.gyms.gym import Refused
from envs.gyms.kit.answers import same_answer
from envs.gyms.kit.company import company
from envs.gyms.kit.disturb import SPARE, SYNONYMS, names_of, upset
from envs.gyms.kit.gym import AppGym
from envs.gyms.kit.here import INCIDENTAL
from envs.gyms.kit.look import LOCALES, Locale, Look
from envs.gyms.kit.template import Redraw, Template, Unsatisfiable, drawn
from envs.gyms.registry import get_web_gym, web_gyms
from envs.gyms.server import ADMIN_HEADER, COOKIE, create_app
from envs.gyms.sessions import SessionStore
from envs.tasks import Task
from envs.verify.state import diff

KIT = [gym for gym in web_gyms().values() if isinstance(gym, AppGym)]
locales = st.sampled_from(LOCALES)


@given(locales, st.dates(date(1990, 1, 1), date(2090, 1, 1)))
def test_dates_are_read_as_they_are_written(locale: Locale, day: date) -> None:
    look = Look(0, 0, locale)
    assert look.read_date(look.date(day.isoformat())) == day.isoformat()
    assert look.read_date(day.isoformat()) == day.isoformat()


@given(locales, st.integers(-(10**9), 10**9))
def test_money_is_read_as_it_is_written(locale: Locale, cents: int) -> None:
    look = Look(0, 0, locale)
    assert look.read_money(look.money(cents)) == cents


def test_what_is_no_date_or_amount_is_none() -> None:
    look = Look(0, 0, "us")
    assert [look.read_date(text) for text in ("", "soon", "2026-02-30", "Foo 3, 2026")] == [
        None
    ] * 4
    assert [look.read_money(text) for text in ("", "12.5", "1,23.00", "ten")] == [None] * 4
    assert look.read_money("$1,234.50") == look.read_money("1234.50") == 123450
    assert Look(0, 0, "eu").read_money("1.234,50 €") == 123450
    assert look.read_date("03/05/2026") == "2026-03-05"
    assert Look(0, 0, "gb").read_date("03/05/2026") == "2026-05-03"


@pytest.mark.parametrize(
    ("said", "expected", "kind", "same"),
    [
        ("$12.00", "1200", "money", True),
        ("12", "1200", "money", True),
        ("12.01", "1200", "money", False),
        ("Mar 5, 2026", "2026-03-05", "date", True),
        ("2026-03-06", "2026-03-05", "date", False),
        ("7.0", "7", "number", True),
        ("seven", "7", "number", False),
        (" inv-1001. ", "INV-1001", "text", True),
        ("INV-1001 and INV-1002", "INV-1001", "text", False),
        (None, "INV-1001", "text", False),
        ("", "INV-1001", "text", False),
    ],
)
def test_answers_are_compared_by_value(
    said: str | None, expected: str, kind: Any, same: bool
) -> None:
    assert same_answer(said, expected, kind, Look(0, 0, "us")) is same


def test_a_seed_makes_one_world_and_another_seed_another() -> None:
    company.cache_clear()
    one = company(11)
    company.cache_clear()
    assert company(11) == one
    assert company(12).people != one.people
    assert len({person.name for person in one.people}) == len(one.people)
    assert len({firm.name for firm in one.firms}) == len(one.firms)
    firsts = [firm.name.split()[0] for firm in one.firms]
    assert len(set(firsts)) < len(firsts), "names that are near one another punish carelessness"


@pytest.mark.parametrize("gym", KIT, ids=lambda gym: gym.name)
def test_every_template_has_a_task_for_every_seed(gym: AppGym) -> None:
    for template in gym.templates:
        for seed in (0, 1, 2, 3, 10**9, 10**9 + 1):
            task = gym.make_task(template, seed)
            assert task == gym.make_task(template, seed)
            assert "{" not in task.instruction, task.instruction
            assert len(gym.spec(template).phrasings) > 1
            assert task.milestones[-1] == "finished"


@pytest.mark.parametrize("gym", KIT, ids=lambda gym: gym.name)
def test_records_have_ids_of_their_own(gym: AppGym) -> None:
    def check(value: Any, path: str) -> None:
        if isinstance(value, list) and value and isinstance(value[0], dict) and "id" in value[0]:
            ids = [record["id"] for record in value]
            assert len(set(ids)) == len(ids), path
        for key, part in value.items() if isinstance(value, dict) else ():
            check(part, f"{path}/{key}")

    state = gym.initial_state(gym.make_task(gym.templates[0], 3))
    check(state, "")
    assert state == gym.initial_state(gym.make_task(gym.templates[0], 3))


def test_a_seed_without_a_task_is_refused_with_the_constraint() -> None:
    def never(*_: Any) -> Any:
        raise Redraw("no invoice is red")

    spec = get_web_gym("billing").spec("pay_invoice")  # type: ignore[attr-defined]
    fields = {name: getattr(spec, name) for name in Template.__slots__}
    with pytest.raises(Unsatisfiable, match=r"pay_invoice .* seed 5: no invoice is red"):
        drawn(Template(**fields | {"draw": never}), company(5), {})


def test_a_site_tool_that_is_refused_changes_nothing() -> None:
    gym = get_web_gym("billing")
    assert isinstance(gym, AppGym)
    tools = {tool.name: tool for tool in gym.apps[0].tools}
    task = gym.make_task("pay_twice", 1)
    state = gym.initial_state(task)["billing"]
    before = copy.deepcopy(state)
    number = task.params["number"]
    pay = tools["billing.record_payment"]
    with pytest.raises(Refused, match="takes no payment"):
        pay.call(company(1), state, {"number": number, "cents": 100, "method": "Card"})
    with pytest.raises(Refused, match="cents"):
        pay.call(company(1), state, {"number": number, "cents": "all", "method": "Card"})
    with pytest.raises(Refused, match="no invoice"):
        pay.call(company(1), state, {"number": "INV-1", "cents": 1, "method": "Card"})
    assert state == before
    assert set(pay.schema()["parameters"]["properties"]) == {"number", "cents", "method"}


def test_disturbances_are_off_by_default_repeatable_and_leave_room() -> None:
    task = get_web_gym("billing").make_task("pay_invoice", 3)
    assert all(upset(task, "GET", number, -9) is None for number in range(1, 200))
    rough = task.model_copy(update={"disturb": 0.8})

    def happened(task: Task) -> list[int]:
        last, found = -9, []
        for number in range(1, 200):
            if upset(task, "GET", number, last) is not None:
                last = number
                found.append(number)
        return found

    numbers = happened(rough)
    assert numbers == happened(rough)
    assert len(numbers) > 20
    assert min(b - a for a, b in pairwise(numbers)) > SPARE
    assert len(happened(task.model_copy(update={"disturb": 0.2}))) < len(numbers)


def test_other_names_of_controls_are_unique() -> None:
    for first, others in SYNONYMS.items():
        assert len({first, *others}) == 1 + len(others)
    assert names_of("Save payment")[:2] == ("Save payment", "Apply payment")
    assert names_of("Void invoice") == ("Void invoice",)


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


def test_an_app_that_crashes_has_no_verdict() -> None:
    gym = get_web_gym("billing")
    served = Served(gym.make_task("pay_invoice", 1))
    session = served.store.get("mine")
    assert session is not None
    for invoice in session.state["billing"]["invoices"]:
        del invoice["due"]
    assert served.client.get("/billing/invoices").status_code == 500
    reply = served.admin("POST", "/verdict", {})
    assert (reply.status_code, "KeyError" in reply.text) == (410, True)


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
    found = served.admin("POST", "/tools/billing.find_invoices", {"text": "INV-1001"}).json()
    assert found["error"] is None
    assert found["value"][0]["number"] == "INV-1001"
    assert "there is no tool" in served.admin("POST", "/tools/shop.buy", {}).json()["error"]


@pytest.mark.parametrize("gym", KIT, ids=lambda gym: gym.name)
def test_doing_nothing_or_something_else_is_no_success(gym: AppGym) -> None:
    for template in gym.templates:
        task = gym.make_task(template, 2)
        before, after = gym.initial_state(task), gym.initial_state(task)
        for infeasible in (False, True):
            assert not gym.verdict(task, before, after, None, infeasible).success
            assert not gym.verdict(task, before, after, "42", infeasible).success
        gym.stray(after, random.Random(template))
        assert diff(before, after, INCIDENTAL)
        assert gym.verdict(task, before, after, None, False).score <= 0.1
