"""What an action would do, in the terms of the rules: what is typed, pressed, opened or called.

Guarantees: every action that changes something has at least one effect; looking, scrolling, moving
the pointer and waiting have none. A pure function of actions and facts of the page.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urljoin

from envs.contract.actions import (
    Click,
    Dialog,
    Drag,
    History,
    Key,
    KeyDown,
    Launch,
    MouseDown,
    MouseUp,
    Navigate,
    SetValue,
    SimpleAction,
    Tab,
    Tool,
    Type,
    Window,
)
from envs.contract.keys import canonical_key
from envs.contract.page_facts import ElementFacts, FormFacts, PageFacts

_MODIFIERS = frozenset({"alt", "ctrl", "meta", "shift"})
_MOVING = frozenset(
    {"tab", "escape", "home", "end", "pageup", "pagedown"}
    | {f"arrow{direction}" for direction in ("up", "down", "left", "right")}
)
_PRESSED_INPUTS = frozenset({"submit", "button", "image", "reset", "checkbox", "radio", "file"})
Kind = Literal["type", "press", "open", "call", "launch", "other"]


@dataclass(frozen=True, slots=True)
class Effect:
    """`label`: what the control, field or tool is called; `text`: what is entered or handed over;
    `url`: where it leads or is sent. `form`: the one that a press sends. `is_button`: what is
    pressed is one, whatever it is called. `is_repeat`: the form was sent before, by whichever
    control."""

    kind: Kind
    label: str = ""
    text: str = ""
    url: str = ""
    form: FormFacts | None = None
    is_link: bool = False
    is_button: bool = False
    is_repeat: bool = False


def list_effects(actions: Sequence[SimpleAction], facts: PageFacts) -> list[Effect]:
    """Of all actions, in order."""
    elements = facts.elements or (None,) * len(actions)
    resends = facts.resends or ("",) * len(actions)
    effects: list[Effect] = []
    for action, element, resend in zip(actions, elements, resends, strict=False):
        effects += [_send_again(resend)] if resend else _effects_of(action, element, facts)
    return effects


def _effects_of(
    action: SimpleAction, element: ElementFacts | None, facts: PageFacts
) -> Iterator[Effect]:
    match action:
        case Click() | MouseUp() | MouseDown():
            yield _press(element)
        case Key(keys=keys):
            yield from _of_keys(keys, element)
        case KeyDown(key=key):
            yield from _of_keys((key,), element)
        case Type(text=text, submit=submit):
            yield Effect("type", _name(element), text, facts.url)
            if submit:
                yield _press(element, by_key=True)
        case SetValue(value=bool()):
            # A box is ticked by a click.
            yield _press(element)
        case SetValue(value=value):
            entered = value if isinstance(value, str) else ""
            yield Effect("type", _name(element), entered, facts.url)
        case Navigate(url=url) | Tab(op="new", url=str(url)):
            yield Effect("open", url=_absolute(facts.url, url))
        case Tool():
            yield from _of_tool(action, facts)
        case Dialog(accept=True, text=text):
            yield Effect("press", facts.dialog, text or "")
        case Launch(app=app, args=args):
            yield Effect("launch", app, " ".join(args))
        case Drag():
            # What ends on the element that it began on is a click.
            yield _press(element)
        case Window(op="close") | History(op="reload"):
            yield Effect("other", _name(element))
        case _:
            return


def _of_keys(keys: Sequence[str], element: ElementFacts | None) -> Iterator[Effect]:
    if _is_pressing(keys, element):
        yield _press(element, by_key=True)
    elif _is_changing(keys):
        yield Effect("other", _name(element), "+".join(keys))


def _is_pressing(keys: Sequence[str], element: ElementFacts | None) -> bool:
    """Whether the keys press a control. A chord with Enter does too: it sends mails in many
    programs, and Alt with a letter is a button's access key. In a field, Space is a letter."""
    names = {canonical_key(key) for key in keys}
    is_field = (
        element is not None
        and element.tag in ("input", "textarea")
        and element.type not in _PRESSED_INPUTS
    )
    is_access_key = "alt" in names and element is not None and names - _MODIFIERS != set()
    return "enter" in names or ("space" in names and not is_field) or is_access_key


def find_unforeseen(action: SimpleAction, element: ElementFacts | None) -> str:
    """Why an action presses what nobody can know before it runs; empty where it does not."""
    if not isinstance(action, Key) or not _is_pressing(action.keys, element):
        return ""
    if len({canonical_key(key) for key in action.keys} - _MODIFIERS) > 1:
        return "press these keys one after the other: the first may move the focus"
    is_typing = element is not None and element.tag == "textarea"
    if action.repeat > 1 and not is_typing:
        return "press it once, and look what it led to before you press it again"
    return ""


def _is_changing(keys: Sequence[str]) -> bool:
    """Whether the keys may enter, remove or trigger something; moving and looking do not."""
    names = {canonical_key(key) for key in keys}
    is_copying = names & {"ctrl", "meta"} and names - _MODIFIERS <= {"a", "c"}
    return not is_copying and bool(names - _MODIFIERS - _MOVING)


def _press(element: ElementFacts | None, by_key: bool = False) -> Effect:
    if element is None:
        return Effect("press")
    form = element.form
    is_button = element.tag in ("button", "summary") or element.is_submit or element.is_button
    if by_key and form is not None and not is_button and element.tag != "a":
        # Enter in a field sends the form, as its first button would.
        label = form.buttons[0] if form.buttons else ""
        return Effect("press", label, url=form.action, form=form, is_button=True)
    if element.is_submit and form is not None:
        return Effect("press", element.name, url=form.action, form=form, is_button=True)
    is_link = bool(element.href)
    return Effect("press", element.name, url=element.href, is_link=is_link, is_button=is_button)


def _send_again(url: str) -> Effect:
    """Of a reload of the answer to a form."""
    form = FormFacts(action=url, method="post")
    return Effect("press", "the last form again", url=url, form=form, is_repeat=True)


def _of_tool(action: Tool, facts: PageFacts) -> Iterator[Effect]:
    arguments = action.arguments
    match action.name, arguments:
        case "browser.goto", {"url": str(url)}:
            yield Effect("open", url=_absolute(facts.url, url))
        case "browser.fill_form", {"fields": dict(fields)}:
            for value in fields.values():
                yield Effect("type", text=str(value), url=facts.url)
        case "browser.find_text" | "browser.read_table" | "browser.page_text", _:
            return
        case name, _:
            yield Effect("call", name, json.dumps(arguments, ensure_ascii=False, default=str))


def _name(element: ElementFacts | None) -> str:
    return "" if element is None else element.name


def _absolute(base: str, url: str) -> str:
    try:
        return urljoin(base, url)
    except ValueError:
        return url
