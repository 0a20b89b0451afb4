"""The widgets of the apps' pages, as functions that give safe HTML.

Everything that is given as text is escaped; only Markup is taken as it is. Every control has a
name of its own, as people and accessibility trees know it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any

import orjson
from markupsafe import Markup, escape

from envs.gyms.kit.disturbances import get_label
from envs.gyms.kit.request import RequestContext

_PATTERNS = {
    "date": r"\s*([A-Za-z]+\.? \d{1,2}, \d{4}|\d{1,2} [A-Za-z]+ \d{4}"
    r"|\d{1,2}\.\d{1,2}\.\d{4}|\d{4}-\d{2}-\d{2})\s*",
    "money": r"\D{0,4}[\d.,' ]+\D{0,4}",
}
"""What fits none of these is marked as a fault while it is typed. Whether it is refused is
up to the app's rules: forms are sent without the browser's validation."""
Child = Markup | str | int | None
PAGE_FIELD = "page"
"""The hidden field of a form that is not on the page above its action: where it is."""
_VOID = {"input", "br", "hr", "link", "meta"}


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
        for child in children:
            _append(parts, child)
        parts.append(f"</{tag}>")
    return Markup("".join(parts))


def join(children: Child | Iterable[Child | Iterable[Child]]) -> Markup:
    """Children one after the other; text is escaped."""
    parts: list[str] = []
    _append(parts, children)
    return Markup("".join(parts))


def _append(parts: list[str], child: Any) -> None:
    if child is None:
        return
    # Markup first: it is a str as well, and most children are elements.
    if isinstance(child, Markup):
        parts.append(child)
    elif isinstance(child, str | int):
        parts.append(escape(child))
    else:
        for part in child:
            _append(parts, part)


def link(text: str, url: str, label: str | None = None) -> Markup:
    """`label` is its name where the text alone would not be unique."""
    return el("a", text, href=url, aria_label=label)


def get_initials(name: str) -> str:
    """ "AL" of "Ada Lovelace": what a style sheet draws in place of a portrait."""
    words = name.split()
    return "".join(word[0] for word in (words[:1] + words[-1:] if len(words) > 1 else words))


def drawn_text(text: str, class_: str) -> Markup:
    """Text that the style sheet draws: seen on the page, no part of its tree."""
    return el("span", class_=class_, data_text=text)


def badge(text: str) -> Markup:
    """A status as a small frame around a word."""
    return el("span", text, class_=f"badge {text.lower().replace(' ', '-')}")


def note(text: str) -> Markup:
    """A paragraph of small print."""
    return el("p", text, class_="note")


def section(title: str, *body: Child) -> Markup:
    """A part of a page under its own heading."""
    return el("section", el("h2", title), body)


def details(*pairs: tuple[str, Child], initials: str | None = None) -> Markup:
    """Names and values of one thing; `initials` of whom it is about, for style sheets."""
    lines = [el("div", el("span", f"{name} ", class_="name"), value) for name, value in pairs]
    return el("div", lines, class_="details", data_initials=initials)


def table_row(*cells: Child) -> Markup:
    """A row of a table, one cell for each argument."""
    return el("tr", [el("td", cell) for cell in cells])


# Forms.


@dataclass(frozen=True, slots=True)
class Field:
    """`kind`: text, long, date, money, choice, check, hidden. `options` of a choice are texts, or
    pairs of value and text."""

    name: str
    label: str
    _: KW_ONLY
    kind: str = "text"
    value: str = ""
    options: Sequence[str | tuple[str, str]] = ()
    hint: str = ""
    suggestions: Sequence[str] = ()
    """What a text field proposes as one types."""


def form(
    request: RequestContext,
    verb: str,
    fields: Sequence[Field],
    submit: str,
    cancel: str | None = None,
    page: str | None = None,
) -> Markup:
    """Posts to <page of the form>/<verb>; `page` (below the app) when the form stands on another
    page than its own, `cancel` the place that "Cancel" leads to."""
    action = _make_action(request, verb, page)
    body = [_render_field(request, field) for field in fields]
    leave = None if cancel is None else link(get_label(request, "Cancel"), request.url(cancel))
    send = el("button", get_label(request, submit), class_="primary")
    return el(
        "form",
        _token(request, action),
        body,
        el("div", send, leave, class_="row"),
        method="post",
        action=action,
        class_="fields",
        novalidate=True,
    )


def button(
    request: RequestContext,
    verb: str,
    text: str,
    label: str | None = None,
    page: str | None = None,
    **hidden: str,
) -> Markup:
    """A form that is one button; `label` tells it from others of the same text."""
    action = _make_action(request, verb, page)
    return el(
        "form",
        _token(request, action),
        _hidden_inputs(hidden),
        el("button", get_label(request, text), aria_label=label and get_label(request, label)),
        method="post",
        action=action,
        class_="inline",
    )


def drag_form(request: RequestContext, action: str, **hidden: str) -> Markup:
    """The form of a card (`data-card`) that sends where it was dropped, as "to"; what is refused
    leads back to the page that it is on."""
    return el(
        "form",
        _token(request, action),
        _hidden_inputs({"to": "", PAGE_FIELD: request.address, **hidden}),
        method="post",
        action=action,
        data_move=True,
        hidden=True,
    )


def confirm_button(
    request: RequestContext, verb: str, text: str, question: str, **hidden: str
) -> Markup:
    """A button that opens a dialog, in which "Yes, ..." does it and "No, go back" does not."""
    key = f"ask-{verb}"
    yes = f"Yes, {text[0].lower()}{text[1:]}"
    dialog = el(
        "dialog",
        el("p", question),
        button(request, verb, yes, **hidden),
        el("button", "No, go back", type="button", data_close=key),
        id=key,
    )
    opener = el("button", get_label(request, text), type="button", data_dialog=key)
    return join((opener, dialog))


def menu(text: str, *items: Child) -> Markup:
    """Items that show when the menu is opened."""
    return el("details", el("summary", text), el("div", items, class_="menu"), class_="more")


def _make_action(request: RequestContext, verb: str, page: str | None) -> str:
    return (request.path if page is None else request.url(page)).rstrip("/") + f"/{verb}"


def _token(request: RequestContext, action: str) -> Markup:
    return el("input", type="hidden", name="token", value=request.visit.token(action))


def _hidden_inputs(values: dict[str, str]) -> list[Markup]:
    return [el("input", type="hidden", name=name, value=value) for name, value in values.items()]


def _render_field(request: RequestContext, field: Field) -> Markup:
    value = request.draft.get(field.name, field.value)
    if field.kind == "hidden":
        return el("input", type="hidden", name=field.name, value=value)
    if field.kind == "check":
        checked = (request.draft.get(field.name) if request.draft else field.value) == "yes"
        box = el("input", type="checkbox", name=field.name, value="yes", checked=checked)
        return el("label", box, " ", field.label, class_="check")
    labelled = el("label", el("span", field.label), _render_control(request, field, value))
    picker = _date_picker(request, field) if field.kind == "date" else None
    hint = el("small", field.hint) if field.hint else None
    return el("div", labelled, picker, hint, class_="field")


def _render_control(request: RequestContext, field: Field, value: str) -> Markup:
    if field.kind == "choice":
        return select(field.name, field.options, value)
    if field.kind == "long":
        return el("textarea", value, name=field.name, rows=4)
    example = request.locale.date_example if field.kind == "date" else None
    return el(
        "input",
        name=field.name,
        value=value,
        placeholder=example,
        autocomplete="off",
        data_suggest=orjson.dumps(field.suggestions).decode() if field.suggestions else None,
        pattern=_PATTERNS.get(field.kind),
    )


def select(name: str, options: Sequence[str | tuple[str, str]], chosen: str) -> Markup:
    """A drop-down of texts, or of pairs of value and text; `chosen` is a value."""
    pairs = [(option, option) if isinstance(option, str) else option for option in options]
    return el(
        "select",
        [el("option", text, value=value, selected=value == chosen) for value, text in pairs],
        name=name,
    )


def _date_picker(request: RequestContext, field: Field) -> Markup:
    """A button that opens a month of days; the script in kit.js fills it."""
    return el(
        "button",
        "Calendar",
        type="button",
        class_="pick",
        aria_label=f"Calendar for {field.label}",
        data_pick=field.name,
        data_today=request.world.today,
        data_locale=request.locale.region,
    )


def open_form(
    request: RequestContext,
    verb: str,
    *body: Child,
    key: str | None = None,
    page: str | None = None,
    class_: str = "fields",
) -> Markup:
    """A form of any body, such as one with several `submit` buttons. Controls elsewhere on the page
    belong to it by form=key."""
    action = _make_action(request, verb, page)
    return el(
        "form",
        _token(request, action),
        body,
        method="post",
        action=action,
        id=key,
        class_=class_,
        novalidate=True,
    )


def render_fields(request: RequestContext, fields: Sequence[Field]) -> Markup:
    """The fields of an `open_form`."""
    return join(_render_field(request, field) for field in fields)


def submit_button(
    request: RequestContext, value: str, text: str, class_: str | None = None
) -> Markup:
    """A button that sends its form with do=value."""
    return el("button", get_label(request, text), name="do", value=value, class_=class_)


def checkbox(key: str, name: str, label: str) -> Markup:
    """A check box for a thing in a list, of the form `key`; sends name=yes."""
    return el("input", type="checkbox", name=name, value="yes", form=key, aria_label=label)


def query_form(request: RequestContext, fields: Sequence[Field], submit: str) -> Markup:
    """A form that changes nothing: its fields become the query of the page that it is on."""
    shown = [replace(field, value=request.query.get(field.name, field.value)) for field in fields]
    send = el("button", get_label(request, submit), class_="primary")
    return el(
        "form",
        [_render_field(request, field) for field in shown],
        el("div", send, class_="row"),
        action=request.path,
        class_="fields",
        novalidate=True,
    )
