"""A page of regions: the records of a list stand beside the one that is open, a record's name and
values are one link, labels stand behind their fields. No other set of apps has this family."""

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
    make_pager,
    make_radio,
    make_state,
    make_tick,
    make_value,
)
from envs.gyms.generated.screens import (
    JOINT,
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
from envs.gyms.kit.html import drawn_text, el, join, link
from envs.gyms.kit.page_frame import OVERLAY_STYLE, SCRIPT, render_overlay

_STYLE = (Path(__file__).parent / "panes.css").read_text()


@lru_cache(maxsize=64)
def _make_style(theme: int, picture: Markup) -> Markup:
    return make_generated_style(theme, picture, _STYLE, OVERLAY_STYLE)


def render(frame: Frame, screen: Screen) -> str:
    """A whole page; navigation, filters and the list beside a record share its first region."""
    queries = [block for block in screen.blocks if _is_query(block)]
    blocks = [block for block in screen.blocks if not _is_query(block)]
    beside = _render_related(screen.aside, frame.request.path) if screen.aside else None
    filters = [_render_block(block) for block in queries]
    aside = el("aside", _render_navigation(frame), filters, beside)
    message = el("p", frame.message, role="status") if frame.message else None
    article = el(
        "article", message, el("h1", screen.title), [_render_block(block) for block in blocks]
    )
    footer = el("footer", f"{frame.title} / {frame.owner} / {frame.user}")
    body = el(
        "body",
        el("div", aside, article, class_="regions", data_title=f"{frame.title} - {frame.owner}"),
        footer,
        render_overlay(frame.request),
        el("script", Markup(SCRIPT)),
        class_="panes",
    )
    style = _make_style(frame.look.theme, frame.picture)
    return make_document(f"{frame.title} » {screen.title}", style, body)


def _render_navigation(frame: Frame) -> Markup:
    is_hidden = frame.look.navigation == "menu"
    opener = el("button", frame.menu, type="button", data_menu="nav", aria_expanded="false")
    current_place = frame.find_place()
    places = [
        el("li", link(place.text, place.href), class_="here" if place is current_place else None)
        for place in (frame.home, *frame.places)
    ]
    nav = el("nav", el("ol", places), id="nav", hidden=is_hidden)
    return join((opener if is_hidden else None, nav))


def _is_query(block: Block) -> bool:
    return isinstance(block, FormView) and block.is_query and block.cancel is None


def _render_block(block: Block) -> Markup:
    match block:
        case FormView():
            return _render_form(block)
        case ListView():
            return _render_list(block)
        case RecordView():
            return el(
                "dl",
                [el("div", el("dt", make_value(c)), el("dd", c.label)) for c in block.cells],
            )
        case Actions():
            return _render_actions(block)
        case Related():
            return _render_related(block)
        case Note():
            return el("p", block.text)


def _render_form(form: FormView) -> Markup:
    cancel = link(form.cancel.text, form.cancel.href) if form.cancel else None
    body = el(
        "form",
        make_hidden_inputs(form.hidden),
        [_render_control(control) for control in form.controls],
        el("div", el("button", form.submit), cancel, class_="strip"),
        method=None if form.is_query else "post",
        action=form.action,
        data_auto=form.at_once,
    )
    if form.opener is None:
        return body
    opener = el("button", form.opener, type="button", data_dialog="fill")
    return join((opener, el("dialog", el("h2", form.title), body, id="fill")))


def _render_control(control: Control) -> Markup:
    """The input, then its label."""
    if control.kind == "radio":
        buttons = [
            el("label", make_radio(control, value), f" {text}") for value, text in control.options
        ]
        return el("div", el("div", control.label), buttons, class_="choice")
    field = make_input(control, placeholder=control.hint)
    return el("div", el("label", field, el("span", f" {control.label}")), class_="line")


def _render_actions(actions: Actions) -> Markup:
    def render_entry(entry: Link | Button) -> Markup:
        return link(entry.text, entry.href) if isinstance(entry, Link) else make_button(entry)

    menu = None
    if actions.menu:
        entries = [el("div", render_entry(entry)) for entry in actions.in_menu]
        menu = el("details", el("summary", actions.menu), entries, class_="more")
    return el("div", [render_entry(entry) for entry in actions.shown], menu, class_="strip")


def _render_related(related: Related, open_path: str = "") -> Markup:
    entries = [
        el(
            "li",
            el("span", f"{remark} ") if remark else None,
            link(entry.text, entry.href),
            class_="here" if entry.href == open_path else None,
        )
        for entry, remark in related.entries
    ]
    return join((el("h2", related.title) if related.title else None, el("ol", entries)))


def _render_list(listing: ListView) -> Markup:
    rows = [_render_row(row) for row in listing.rows] or [el("p", listing.empty, class_="empty")]
    heads = [drawn_text(label, "head") for label in (listing.name_label, *listing.columns)]
    head = el("div", heads, class_="heads ticked" if listing.bulk else "heads")
    body = join((el("div", listing.summary, class_="count"), head, rows))
    if (bulk := listing.bulk) is not None:
        bar = [_render_control(control) for control in bulk.controls]
        send = el("div", bar, el("button", bulk.submit), class_="batch")
        content = join((make_hidden_inputs(bulk.hidden), body, send))
        body = el("form", content, method="post", action=bulk.action)
    return join((body, el("div", make_pager(listing), class_="pages")))


def _render_row(row: Row) -> Markup:
    """One link. The style sheet shows its values in columns, below the labels of the first line."""
    values = [el("span", el("i", f"{JOINT}{cell.label} "), make_state(cell)) for cell in row.cells]
    entry = el("a", el("b", row.name.text), values, href=row.name.href, class_="entry")
    return el("div", make_tick(row), entry, class_="listed")
