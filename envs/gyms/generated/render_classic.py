"""Pages of a server in semantic HTML: header, main, tables, forms; the kit's script changes them in
place."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from markupsafe import Markup

from envs.gyms.generated.frame import Frame
from envs.gyms.generated.html_parts import (
    make_button,
    make_document,
    make_generated_style,
    make_hidden_inputs,
    make_input,
    make_radio,
    make_state,
    make_tick,
    make_value,
)
from envs.gyms.generated.screens import (
    Actions,
    Block,
    Button,
    Control,
    FormView,
    Link,
    ListView,
    Note,
    RecordView,
    Related,
    Row,
    Screen,
)
from envs.gyms.kit.html import el, get_initials, join, link
from envs.gyms.kit.page_frame import (
    KIT_SHEETS,
    OVERLAY_STYLE,
    PHONE_STYLE,
    SCRIPT,
    render_message,
    render_overlay,
)

_SHEETS = (
    *KIT_SHEETS,
    OVERLAY_STYLE,
    (Path(__file__).parent / "classic.css").read_text(),
    PHONE_STYLE,
)
FORM_CLASS = "inline"
"""Of a form of one button."""


@lru_cache(maxsize=64)
def _make_style(theme: int, picture: Markup) -> Markup:
    return make_generated_style(theme, picture, *_SHEETS)


def render(frame: Frame, screen: Screen) -> str:
    """A whole page."""
    crumbs = None
    if screen.crumbs:
        entries = [join((link(entry.text, entry.href), " / ")) for entry in screen.crumbs]
        crumbs = el("p", entries, class_="crumbs")
    initials = None
    if any(isinstance(block, RecordView) for block in screen.blocks) and " " in screen.title:
        initials = get_initials(screen.title)
    main = el(
        "main",
        crumbs,
        render_message(frame.message),
        el("h1", screen.title, data_initials=initials),
        [_render_block(b) for b in screen.blocks],
        class_=None if screen.crumbs else "front",
    )
    content = el(
        "body",
        _render_header(frame),
        main,
        render_overlay(frame.request),
        el("script", Markup(SCRIPT)),
        class_=f"nav-{frame.look.navigation}",
    )
    style = _make_style(frame.look.theme, frame.picture)
    return make_document(f"{screen.title} - {frame.title}", style, content)


def _render_header(frame: Frame) -> Markup:
    is_hidden = frame.look.navigation == "menu"
    opener = el("button", frame.menu, type="button", data_menu="nav", aria_expanded="false")
    current_place = frame.find_place()
    places = [
        el("a", place.text, href=place.href, class_="here" if place is current_place else None)
        for place in frame.places or (frame.home,)
    ]
    return el(
        "header",
        el("b", f"{frame.owner} {frame.title}"),
        opener if is_hidden else None,
        el("nav", places, id="nav", hidden=is_hidden),
        _render_form(frame.finder) if frame.finder else None,
        el("span", frame.user, class_="who", data_initials=get_initials(frame.user)),
    )


def _render_block(block: Block) -> Markup:
    match block:
        case FormView():
            return _render_form(block)
        case ListView():
            return _render_list(block)
        case RecordView():
            return _render_record(block)
        case Actions():
            return _render_actions(block)
        case Related():
            return _render_related(block)
        case Note():
            return el("p", block.text)


def _render_form(form: FormView) -> Markup:
    cancel = link(form.cancel.text, form.cancel.href) if form.cancel else None
    is_row = form.is_query and form.cancel is None
    body = el(
        "form",
        make_hidden_inputs(form.hidden),
        [_render_control(control) for control in form.controls],
        el("div", el("button", form.submit, class_="primary"), cancel, class_="row"),
        method=None if form.is_query else "post",
        action=form.action,
        class_="listing" if is_row else "fields",
        data_auto=form.at_once,
    )
    if form.opener is None:
        return body
    key = "fill"
    opener = el("button", form.opener, type="button", data_dialog=key)
    return join((opener, el("dialog", el("h2", form.title), body, id=key)))


def _render_control(control: Control) -> Markup:
    if control.kind == "check":
        return el("label", make_input(control), " ", control.label, class_="check")
    if control.kind == "radio":
        buttons = [
            el("label", make_radio(control, value), " ", text) for value, text in control.options
        ]
        return el("fieldset", el("legend", control.label), buttons)
    hint = el("small", control.hint) if control.hint else None
    labelled = el("label", el("span", control.label), make_input(control))
    return el("div", labelled, hint, class_="field")


def _render_entry(entry: Link | Button) -> Markup:
    return (
        link(entry.text, entry.href) if isinstance(entry, Link) else make_button(entry, FORM_CLASS)
    )


def _render_actions(actions: Actions) -> Markup:
    menu = None
    if actions.menu:
        entries = el("div", [_render_entry(entry) for entry in actions.in_menu], class_="menu")
        menu = el("details", el("summary", actions.menu), entries, class_="more")
    return el("div", [_render_entry(entry) for entry in actions.shown], menu, class_="row")


def _render_record(record: RecordView) -> Markup:
    if record.style == "table":
        rows = [el("tr", el("th", cell.label), el("td", make_value(cell))) for cell in record.cells]
        return el("table", rows, class_="facts")
    if record.style == "prose":
        return el(
            "div",
            [el("p", f"{cell.label}: ", make_value(cell)) for cell in record.cells],
            class_="prose",
        )
    pairs = [
        el("div", el("span", f"{cell.label} ", class_="name"), make_value(cell))
        for cell in record.cells
    ]
    return el("div", pairs, class_="details")


def _render_related(related: Related) -> Markup:
    entries = [
        el("li", link(entry.text, entry.href), " ", el("span", remark) if remark else None)
        for entry, remark in related.entries
    ]
    heading = el("h2", related.title) if related.title else None
    return el("section", heading, el("ul", entries))


def _render_list(listing: ListView) -> Markup:
    rows: Markup
    if not listing.rows:
        rows = el("p", listing.empty, class_="empty")
    elif listing.groups:
        rows = _render_groups(listing)
    elif listing.view == "table":
        has_buttons = any(row.buttons for row in listing.rows)
        labels = ("", listing.name_label, *listing.columns, *([""] if has_buttons else ()))
        head = [el("th", label) for label in labels]
        lines = [_render_table_row(row, has_buttons) for row in listing.rows]
        rows = el("table", el("tr", head), lines)
    else:
        entries = [_render_entry_of_list(listing.view, row) for row in listing.rows]
        rows = el("div", entries, class_=f"list-of-{listing.view}")
    pager = [link(entry.text, entry.href) for entry in (listing.previous, listing.next) if entry]
    body = join((el("p", listing.summary, class_="count"), rows))
    if listing.bulk is not None:
        bulk = listing.bulk
        bar = [_render_control(control) for control in bulk.controls]
        send = el("button", bulk.submit)
        body = el(
            "form",
            make_hidden_inputs(bulk.hidden),
            body,
            bar,
            send,
            method="post",
            action=bulk.action,
            class_="bulk",
        )
    return join((body, el("div", pager, class_="pages")))


def _render_table_row(row: Row, has_buttons: bool) -> Markup:
    buttons = [make_button(button, FORM_CLASS) for button in row.buttons]
    return el(
        "tr",
        el("td", make_tick(row)),
        el("td", link(row.name.text, row.name.href)),
        [el("td", make_state(cell)) for cell in row.cells],
        el("td", buttons) if has_buttons else None,
    )


def _render_entry_of_list(view: str, row: Row) -> Markup:
    buttons = [make_button(button, FORM_CLASS) for button in row.buttons]
    name = link(row.name.text, row.name.href)
    if view == "cards":
        lines = [
            el("div", el("span", f"{cell.label} ", class_="name"), make_state(cell))
            for cell in row.cells
        ]
        initials = get_initials(row.name.text)
        return el(
            "article",
            make_tick(row),
            name,
            lines,
            buttons,
            class_="card",
            data_initials=initials,
        )
    text = " · ".join(cell.text for cell in row.cells)
    return el("div", make_tick(row), name, " ", text, buttons, class_="item")


def _render_groups(listing: ListView) -> Markup:
    columns = []
    for group in listing.groups:
        rows = [row for row in listing.rows if row.group == group]
        if rows or listing.view == "board":
            entries = [_render_entry_of_list("lines", row) for row in rows]
            columns.append(el("section", el("h2", f"{group} ({len(rows)})"), entries))
    return el("div", columns, class_="columns" if listing.view == "board" else "groups")
