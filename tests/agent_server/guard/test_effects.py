"""Every action that changes something has an effect, with the name of what it touches."""

from __future__ import annotations

from typing import Any

import pytest

from agent_server.guard.effects import find_unforeseen, list_effects
from envs.contract.actions import simple_action_adapter
from envs.contract.page_facts import ElementFacts, FormFacts, PageFacts

FORM = FormFacts(action="http://a.test/pay", method="post", labels=("IBAN",), buttons=("Pay",))
BUTTON = ElementFacts(tag="button", name="Pay", is_submit=True, form=FORM)
INPUT = ElementFacts(tag="input", type="submit", name="Pay", is_submit=True, form=FORM)
OPEN = ElementFacts(tag="div", name="Delete all", is_button=True)
FIELD = ElementFacts(tag="input", name="IBAN", form=FORM)
LINK = ElementFacts(tag="a", name="Help", href="http://a.test/help")


def effects_of(action: dict[str, Any], element: ElementFacts | None = None, **page: Any) -> Any:
    facts = PageFacts(url="http://a.test/", elements=(element,), **page)
    parsed = simple_action_adapter.validate_python(action)
    return [(e.kind, e.label, e.text, e.url) for e in list_effects([parsed], facts)]


def test_a_form_that_is_sent_a_second_time_is_an_effect_of_its_own() -> None:
    actions = [simple_action_adapter.validate_python({"type": "history", "op": "reload"})] * 2
    facts = PageFacts(url="http://a.test/", elements=(None, None), resends=("", "http://a.test/p"))
    loads, effect = list_effects(actions, facts)
    assert (loads.kind, loads.is_repeat) == ("other", False)
    assert (effect.kind, effect.url, effect.is_repeat) == ("press", "http://a.test/p", True)
    assert effect.form is not None
    assert effect.form.method == "post"


@pytest.mark.parametrize(
    ("action", "element", "effects"),
    [
        ({"type": "click"}, BUTTON, [("press", "Pay", "", "http://a.test/pay")]),
        ({"type": "click"}, LINK, [("press", "Help", "", "http://a.test/help")]),
        ({"type": "key", "keys": ["Return"]}, FIELD, [("press", "Pay", "", "http://a.test/pay")]),
        ({"type": "key", "keys": ["ctrl", "enter"]}, None, [("press", "", "", "")]),
        ({"type": "key", "keys": ["space"]}, FIELD, [("other", "IBAN", "space", "")]),
        ({"type": "key", "keys": ["space"]}, INPUT, [("press", "Pay", "", "http://a.test/pay")]),
        ({"type": "key", "keys": ["alt", "p"]}, OPEN, [("press", "Delete all", "", "")]),
        ({"type": "key", "keys": ["alt", "p"]}, None, [("other", "", "alt+p", "")]),
        ({"type": "key", "keys": ["Delete"]}, None, [("other", "", "Delete", "")]),
        ({"type": "key", "keys": ["ctrl", "v"]}, FIELD, [("other", "IBAN", "ctrl+v", "")]),
        ({"type": "key", "keys": ["ctrl", "c"]}, FIELD, []),
        ({"type": "key", "keys": ["shift", "Tab"]}, FIELD, []),
        ({"type": "key", "keys": ["ctrl"]}, FIELD, []),
        (
            {"type": "set_value", "target": {"ref": 1}, "value": True},
            OPEN,
            [("press", "Delete all", "", "")],
        ),
        (
            {"type": "drag", "path": [{"ref": 1}, {"ref": 1}]},
            BUTTON,
            [("press", "Pay", "", "http://a.test/pay")],
        ),
        ({"type": "history", "op": "reload"}, None, [("other", "", "", "")]),
        ({"type": "key", "keys": ["space"]}, BUTTON, [("press", "Pay", "", "http://a.test/pay")]),
        ({"type": "key", "keys": ["a"]}, FIELD, [("other", "IBAN", "a", "")]),
        ({"type": "type", "text": "x"}, FIELD, [("type", "IBAN", "x", "http://a.test/")]),
        (
            {"type": "type", "text": "x", "submit": True},
            FIELD,
            [("type", "IBAN", "x", "http://a.test/"), ("press", "Pay", "", "http://a.test/pay")],
        ),
        ({"type": "navigate", "url": "/b?q=1"}, None, [("open", "", "", "http://a.test/b?q=1")]),
        (
            {"type": "tab", "op": "new", "url": "http://b.test/"},
            None,
            [("open", "", "", "http://b.test/")],
        ),
        (
            {"type": "tool", "name": "browser.goto", "arguments": {"url": "/c"}},
            None,
            [("open", "", "", "http://a.test/c")],
        ),
        (
            {"type": "tool", "name": "mail.send", "arguments": {"to": "x"}},
            None,
            [("call", "mail.send", '{"to": "x"}', "")],
        ),
        ({"type": "launch", "app": "xterm"}, None, [("launch", "xterm", "", "")]),
        ({"type": "wait", "ms": 1}, None, []),
        ({"type": "scroll", "dy": 1}, None, []),
        ({"type": "history", "op": "back"}, None, []),
    ],
)
def test_an_action_has_its_effects(
    action: dict[str, Any], element: ElementFacts | None, effects: list[tuple[str, ...]]
) -> None:
    assert effects_of(action, element) == effects


def test_a_dialog_is_pressed_only_where_it_is_accepted() -> None:
    accept, dismiss = ({"type": "dialog", "accept": answer} for answer in (True, False))
    says = "confirm: Delete all?"
    assert effects_of(accept, dialog=says) == [("press", says, "", "")]
    assert effects_of(dismiss, dialog=says) == []


@pytest.mark.parametrize(
    ("action", "element", "is_unforeseen"),
    [
        ({"type": "key", "keys": ["tab", "enter"]}, FIELD, True),
        ({"type": "key", "keys": ["Down", "Return"]}, None, True),
        ({"type": "key", "keys": ["enter"], "repeat": 2}, BUTTON, True),
        ({"type": "key", "keys": ["enter"], "repeat": 2}, ElementFacts(tag="textarea"), False),
        ({"type": "key", "keys": ["tab"], "repeat": 9}, FIELD, False),
        ({"type": "key", "keys": ["ctrl", "shift", "enter"]}, FIELD, False),
        ({"type": "click", "count": 2}, BUTTON, False),
    ],
)
def test_what_presses_unseen_is_known(
    action: dict[str, Any], element: ElementFacts | None, is_unforeseen: bool
) -> None:
    parsed = simple_action_adapter.validate_python(action)
    assert bool(find_unforeseen(parsed, element)) == is_unforeseen
