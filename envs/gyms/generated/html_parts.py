"""Pieces of plain HTML that families put into markup of their own: the document around a page,
links, inputs and buttons."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.generated.screens import Button, Cell, Control, ListView, Row
from envs.gyms.kit.html import Child, el, join, link
from envs.gyms.kit.page_frame import make_head
from envs.gyms.kit.style import make_style


def make_generated_style(theme: int, picture: Markup, *sheets: str) -> Markup:
    """The sheets of a family, after the mark of the app's domain as a variable."""
    return make_style(theme, f":root{{--picture:{picture}}}", *sheets)


def make_state(cell: Cell) -> Child:
    """A cell's text; of a state with the class of how it is meant."""
    return el("span", cell.text, class_=f"badge {cell.tone}") if cell.tone else cell.text


def make_document(title: str, style: Markup, body: Markup) -> Markup:
    """A whole page."""
    return Markup("<!doctype html>") + el("html", make_head(title, style), body, lang="en")


def make_value(cell: Cell) -> Child:
    """A value of a record: a link where it leads to another one."""
    return link(cell.text, cell.href) if cell.href else make_state(cell)


def make_pager(listing: ListView) -> list[Markup]:
    """Links to the pages before and after."""
    entries = (listing.previous, listing.next)
    return [join((link(entry.text, entry.href), " ")) for entry in entries if entry]


def make_button(button: Button, form_class: str | None = None) -> Markup:
    """A form of one button, in a dialog where it asks first."""
    text = button.question.yes if button.question else button.text
    form = el(
        "form",
        make_hidden_inputs(button.hidden),
        el("button", text, aria_label=button.label),
        method="post",
        action=button.action,
        class_=form_class,
    )
    if button.question is None:
        return form
    no = el("button", button.question.no, type="button", data_close="ask")
    dialog = el("dialog", el("p", button.question.text), form, no, id="ask")
    return join((el("button", button.text, type="button", data_dialog="ask"), dialog))


def make_hidden_inputs(values: dict[str, str]) -> list[Markup]:
    """What a form sends besides its controls."""
    return [el("input", type="hidden", name=name, value=value) for name, value in values.items()]


def make_input(control: Control, label: str | None = None, placeholder: str = "") -> Markup:
    """The input of a text, a drop-down or a check box. `label`: its name where no element labels
    it."""
    if control.kind == "check":
        is_ticked = control.value == "yes"
        return el(
            "input",
            type="checkbox",
            name=control.name,
            value="yes",
            checked=is_ticked,
            aria_label=label,
        )
    if control.kind == "choice":
        options = [
            el("option", text, value=value, selected=value == control.value)
            for value, text in control.options
        ]
        return el("select", options, name=control.name, aria_label=label)
    return el(
        "input",
        name=control.name,
        value=control.value,
        aria_label=label,
        placeholder=placeholder or None,
        autocomplete="off",
    )


def make_radio(control: Control, value: str, label: str | None = None) -> Markup:
    """One of a control's radio buttons."""
    return el(
        "input",
        type="radio",
        name=control.name,
        value=value,
        checked=value == control.value,
        aria_label=label,
    )


def make_tick(row: Row) -> Markup | None:
    """The check box of a row that can be ticked."""
    if not row.tick:
        return None
    label = f"Select {row.name.text}"
    return el("input", type="checkbox", name=row.tick, value="yes", aria_label=label)
