"""The widgets of the apps' pages, as functions that give safe HTML.

Everything that is given as text is escaped; only Markup is taken as it is. Every control has a
name of its own, as people and accessibility trees know it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup, escape

from envs.gyms.kit.disturb import renamed
from envs.gyms.kit.here import Here

Child = Markup | str | int | None
PAGE = "page"
"""The hidden field of a form that is not on the page above its action: where it is."""
_VOID = {"input", "br", "hr", "meta"}


def el(tag: str, *children: Child | Iterable[Child], **attributes: Any) -> Markup:
    """An element. `class_` is class, `data_x` is data-x; None or False leaves an attribute out."""
    parts = [f"<{tag}"]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        name = key.rstrip("_").replace("_", "-")
        parts.append(f" {name}" if value is True else f' {name}="{escape(value)}"')
    parts.append(">")
    if tag not in _VOID:
        parts.append(str(join(children)))
        parts.append(f"</{tag}>")
    return Markup("".join(parts))


def join(children: Child | Iterable[Child | Iterable[Child]]) -> Markup:
    """Children one after the other; text is escaped."""
    if children is None:
        return Markup("")
    if isinstance(children, str | int):
        return escape(children)
    return Markup("").join(join(child) for child in children)


def link(text: str, url: str, label: str | None = None) -> Markup:
    return el("a", text, href=url, aria_label=label)


def badge(text: str) -> Markup:
    return el("span", text, class_=f"badge {text.lower().replace(' ', '-')}")


def note(text: str) -> Markup:
    return el("p", text, class_="note")


def section(title: str, *body: Child) -> Markup:
    return el("section", el("h2", title), body)


def details(*pairs: tuple[str, Child]) -> Markup:
    """Names and values of one thing."""
    lines = [el("div", el("span", f"{name} ", class_="name"), value) for name, value in pairs]
    return el("div", lines, class_="details")


# Forms.


@dataclass(frozen=True, slots=True)
class Field:
    """`kind`: text, long, date, money, choice, check, hidden. `options` of a choice are texts, or
    pairs of value and text."""

    name: str
    label: str
    kind: str = "text"
    value: str = ""
    options: Sequence[str | tuple[str, str]] = ()
    hint: str = ""


def form(
    here: Here,
    verb: str,
    fields: Sequence[Field],
    submit: str,
    cancel: str | None = None,
    page: str | None = None,
) -> Markup:
    """Posts to <page of the form>/<verb>; `page` (below the app) when the form stands on another
    page than its own, `cancel` the place that "Cancel" leads to."""
    action = f"{here.path if page is None else here.url(page)}".rstrip("/") + f"/{verb}"
    body = [_labelled(here, field) for field in fields]
    leave = None if cancel is None else link(renamed(here, "Cancel"), here.url(cancel))
    return el(
        "form", _token(here, action), body,
        el("div", el("button", renamed(here, submit), class_="primary"), leave, class_="row"),
        method="post", action=action, class_="fields",
    )  # fmt: skip


def button(
    here: Here,
    verb: str,
    text: str,
    label: str | None = None,
    page: str | None = None,
    **hidden: str,
) -> Markup:
    """A form that is one button; `label` tells it from others of the same text."""
    action = f"{here.path if page is None else here.url(page)}".rstrip("/") + f"/{verb}"
    extra = [el("input", type="hidden", name=name, value=value) for name, value in hidden.items()]
    return el(
        "form", _token(here, action), extra,
        el("button", renamed(here, text), aria_label=label and renamed(here, label)),
        method="post", action=action, class_="inline",
    )  # fmt: skip


def dragged(here: Here, action: str, **hidden: str) -> Markup:
    """The form of a card (`data-card`) that sends where it was dropped, as "to"; what is refused
    leads back to the page that it is on."""
    values = {"to": "", PAGE: here.address, **hidden}
    inputs = [el("input", type="hidden", name=name, value=value) for name, value in values.items()]
    return el(
        "form", _token(here, action), inputs, method="post", action=action, data_move=True,
        hidden=True,
    )  # fmt: skip


def confirm(here: Here, verb: str, text: str, question: str, **hidden: str) -> Markup:
    """A button that opens a dialog, in which "Yes, ..." does it and "No, go back" does not."""
    key = f"ask-{verb}"
    yes = f"Yes, {text[0].lower()}{text[1:]}"
    dialog = el(
        "dialog", el("p", question), button(here, verb, yes, **hidden),
        el("button", "No, go back", type="button", data_close=key), id=key,
    )  # fmt: skip
    opener = el("button", renamed(here, text), type="button", data_dialog=key)
    return join((opener, dialog))


def menu(text: str, *items: Child) -> Markup:
    """Items that show when the menu is opened."""
    return el("details", el("summary", text), el("div", items, class_="menu"), class_="more")


def _token(here: Here, action: str) -> Markup:
    return el("input", type="hidden", name="token", value=here.visit.token(action))


def _labelled(here: Here, field: Field) -> Markup:
    value = here.draft.get(field.name, field.value)
    if field.kind == "hidden":
        return el("input", type="hidden", name=field.name, value=value)
    if field.kind == "check":
        checked = (here.draft.get(field.name) if here.draft else field.value) == "yes"
        box = el("input", type="checkbox", name=field.name, value="yes", checked=checked)
        return el("label", box, " ", field.label, class_="check")
    control: list[Child]
    if field.kind == "choice":
        control = [select(field.name, field.options, value)]
    elif field.kind == "long":
        control = [el("textarea", value, name=field.name, rows=4)]
    elif field.kind == "date":
        control = [
            el("input", name=field.name, value=value, placeholder=here.look.date_hint,
               autocomplete="off"),
        ]  # fmt: skip
    else:
        control = [el("input", name=field.name, value=value, autocomplete="off")]
    hint = el("small", field.hint) if field.hint else None
    labelled = el("label", el("span", field.label), control)
    picker = _date_picker(here, field) if field.kind == "date" else None
    return el("div", labelled, picker, hint, class_="field")


def select(name: str, options: Sequence[str | tuple[str, str]], chosen: str) -> Markup:
    pairs = [(option, option) if isinstance(option, str) else option for option in options]
    return el(
        "select",
        [el("option", text, value=value, selected=value == chosen) for value, text in pairs],
        name=name,
    )


def _date_picker(here: Here, field: Field) -> Markup:
    """A button that opens a month of days; the script in kit.js fills it."""
    return el(
        "button", "Calendar", type="button", class_="pick",
        aria_label=f"Calendar for {field.label}",
        data_pick=field.name, data_today=here.world.today, data_locale=here.look.locale,
    )  # fmt: skip


def open_form(
    here: Here,
    verb: str,
    *body: Child,
    key: str | None = None,
    page: str | None = None,
    class_: str = "fields",
) -> Markup:
    """A form of any body, such as one with several `submit` buttons. Controls elsewhere on the page
    belong to it by form=key."""
    action = f"{here.path if page is None else here.url(page)}".rstrip("/") + f"/{verb}"
    return el(
        "form", _token(here, action), body, method="post", action=action, id=key, class_=class_
    )


def labelled(here: Here, fields: Sequence[Field]) -> Markup:
    """The fields of an `open_form`."""
    return join(_labelled(here, field) for field in fields)


def submit(here: Here, value: str, text: str, class_: str | None = None) -> Markup:
    """A button that sends its form with do=value."""
    return el("button", renamed(here, text), name="do", value=value, class_=class_)


def tick(key: str, name: str, label: str) -> Markup:
    """A check box for a thing in a list, of the form `key`; sends name=yes."""
    return el("input", type="checkbox", name=name, value="yes", form=key, aria_label=label)


def ask(here: Here, fields: Sequence[Field], submit: str) -> Markup:
    """A form that changes nothing: what is asked stands in the address of the page it is on."""
    shown = [replace(one, value=here.query.get(one.name, one.value)) for one in fields]
    return el(
        "form", [_labelled(here, one) for one in shown],
        el("div", el("button", renamed(here, submit), class_="primary"), class_="row"),
        action=here.path, class_="fields",
    )  # fmt: skip
