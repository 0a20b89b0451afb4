"""Asking for the answer to a form again sends the form again, and that is known before."""

from __future__ import annotations

from typing import Any

import pytest

from envs.browser.sent_form import SentForm
from envs.contract.actions import History
from tests.envs.browser.shown import show
from tests.envs.browser.site import Visitor

A = "http://a.test/form"
B = "http://a.test/answer"
FORM = """<form method=post action=/order><button>Order</button></form>
<form method=post action=/led><button>Led</button></form>
<form action=/plain><button>Search</button></form>"""


def load(form: SentForm, url: str, *methods: str, frame: str = "main") -> None:
    """A document comes after requests by these methods, the later ones for redirects."""
    loader = f"{frame} {url} {methods}"
    for method in methods:
        request = {"method": method, "url": url}
        form.note_request({"loaderId": loader, "frameId": frame, "request": request})
    form.note_document({"id": frame, "loaderId": loader, "url": url})


def test_a_document_that_answers_a_form_sends_it_again_and_the_next_does_not() -> None:
    form = SentForm("main")
    load(form, A, "GET")
    assert form.reload_url == ""
    load(form, B, "POST")
    assert form.reload_url == B
    load(form, A, "POST", frame="inner")
    assert form.reload_url == B
    load(form, A, "GET")
    assert form.reload_url == ""


def test_an_answer_that_leads_on_is_asked_for_without_the_form() -> None:
    form = SentForm("main")
    load(form, B, "POST", "GET")
    assert form.reload_url == ""
    load(form, B, "POST", "POST")  # 307 keeps the method
    assert form.reload_url == B


def test_an_address_from_a_script_ends_it_and_a_place_in_the_page_does_not() -> None:
    form = SentForm("main")
    load(form, B, "POST")
    move: dict[str, Any] = {"frameId": "main", "url": f"{B}#end"}
    form.note_move({**move, "navigationType": "fragment"})
    assert form.reload_url == B
    form.note_move({**move, "navigationType": "historyApi"})
    assert form.reload_url == ""


async def reload_of(visitor: Visitor) -> str:
    return (await visitor.session.inspect([History(op="reload")])).resends[0]


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("path", ["/order", "/order-unkept"])
async def test_a_reload_of_an_answer_is_known_to_send_the_form(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, site: str, path: str
) -> None:
    await show(visitor, monkeypatch, FORM.replace("/order", path))
    assert await reload_of(visitor) == ""
    await visitor.do(type="click", target=visitor.ref("Order"))
    assert "received 1" in visitor.tree
    assert await reload_of(visitor) == f"{site}{path}"
    await visitor.do(type="history", op="reload")
    assert "received 2" in visitor.tree, "what the rule is about"
    await visitor.do(type="click", target=visitor.ref("On"))
    assert await reload_of(visitor) == ""
    await visitor.do(type="history", op="back")
    assert "received 3" not in visitor.tree, "going back sends nothing"
    assert await reload_of(visitor) == f"{site}{path}"
    await visitor.do(type="history", op="reload")
    assert "received 3" in visitor.tree


@pytest.mark.browser
@pytest.mark.asyncio(loop_scope="session")
async def test_what_sends_no_form_again_is_not_taken_for_it(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    for button in ("Led", "Search"):
        await show(visitor, monkeypatch, FORM)
        await visitor.do(type="click", target=visitor.ref(button))
        assert "/plain" in visitor.observation.url
        assert await reload_of(visitor) == ""
    await show(visitor, monkeypatch, FORM)
    await visitor.do(type="click", target=visitor.ref("Order"))
    before = visitor.tree
    for keys in (["F5"], ["ctrl", "r"], ["alt", "ArrowLeft"]):
        await visitor.do(type="key", keys=keys)
        assert visitor.tree == before, "no key moves the tab"
    await visitor.do(type="click", target=visitor.ref("Keep"))
    assert await reload_of(visitor) == ""
    await visitor.do(type="history", op="reload")
    assert visitor.observation.url.endswith("/kept")
