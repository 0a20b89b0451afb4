"""A page of regions: the records of a list stand beside the one that is open, a record's name and
values are one link, labels stand behind their fields. No other set of apps has this family."""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup

from envs.gyms.generated.frame import Frame
from envs.gyms.generated.html_parts import (
    make_button,
    make_document,
    make_hidden_inputs,
    make_input,
    make_pager,
    make_radio,
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
from envs.gyms.kit.html import el, join, link
from envs.gyms.kit.page_frame import OVERLAY_STYLE, SCRIPT, make_style, render_overlay

STYLE = """
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--ink);font:13px/1.4 var(--font)}
a{color:var(--accent)}
footer{background:var(--bar);padding:4px 12px}
nav{border-bottom:1px solid var(--line);margin:0 0 8px;padding:0 0 6px}
nav[hidden]{display:none}
.regions{display:grid;grid-template-columns:230px 1fr;gap:12px;padding:8px 12px}
aside,article{background:var(--card);border:1px solid var(--line);border-radius:var(--round);padding:8px 12px}
aside ol{padding:0;margin:0;list-style:none}
h1{font-size:17px;margin:0 0 6px}
h2{font-size:13px;margin:6px 0 2px}
dl{display:grid;grid-template-columns:1fr 1fr;margin:0}
dd{margin:0 0 6px;opacity:.8;font-size:12px}
.entry{display:block;border-bottom:1px solid var(--line);padding:4px 0;text-decoration:none}
.entry:hover,aside li:hover{background:var(--hover)}
aside li a{display:block;padding:1px 6px;text-decoration:none}
footer{color:var(--soft);font-size:12px;border-top:1px solid var(--line)}
[role=status]{background:var(--note);border-left:4px solid var(--good);padding:5px 10px;margin:0 0 6px}
.strip>a{border:1px solid var(--line);border-radius:var(--round);padding:2px 9px;text-decoration:none}
.regions{min-height:calc(100vh - 32px)}
.strip{display:flex;gap:8px;flex-wrap:wrap;align-items:center;margin:0 0 8px}
.strip form{display:inline}
.line{display:flex;gap:8px;align-items:center;margin:0 0 5px}
.line input,.line select{width:240px}
input,select,button{font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--line);padding:3px 8px;border-radius:var(--round)}
details.more{display:inline-block}
@media(max-width:640px){.regions{display:block}dl{display:block}.line input,.line select{width:60vw}}
"""  # noqa: E501 - a style sheet


@lru_cache(maxsize=8)
def _make_style(theme: int) -> Markup:
    return make_style(theme, STYLE, OVERLAY_STYLE)


def render(frame: Frame, screen: Screen) -> str:
    """A whole page; navigation, filters and the list beside a record share its first region."""
    queries = [block for block in screen.blocks if _is_query(block)]
    blocks = [block for block in screen.blocks if not _is_query(block)]
    beside = _render_related(screen.aside) if screen.aside else None
    filters = [_render_block(block) for block in queries]
    aside = el("aside", _render_navigation(frame), filters, beside)
    message = el("p", frame.message, role="status") if frame.message else None
    article = el(
        "article", message, el("h1", screen.title), [_render_block(block) for block in blocks]
    )
    footer = el("footer", f"{frame.title} / {frame.owner} / {frame.user}")
    body = el(
        "body",
        el("div", aside, article, class_="regions"),
        footer,
        render_overlay(frame.request),
        el("script", Markup(SCRIPT)),
        class_="panes",
    )
    return make_document(f"{frame.title} » {screen.title}", _make_style(frame.look.theme), body)


def _render_navigation(frame: Frame) -> Markup:
    is_hidden = frame.look.navigation == "menu"
    opener = el("button", frame.menu, type="button", data_menu="nav", aria_expanded="false")
    places = [el("li", link(place.text, place.href)) for place in (frame.home, *frame.places)]
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
                [join((el("dt", make_value(c)), el("dd", c.label))) for c in block.cells],
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
        return el("div", el("div", control.label), buttons)
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


def _render_related(related: Related) -> Markup:
    entries = [
        el("li", f"{remark} " if remark else None, link(entry.text, entry.href))
        for entry, remark in related.entries
    ]
    return join((el("h2", related.title) if related.title else None, el("ol", entries)))


def _render_list(listing: ListView) -> Markup:
    rows = [_render_row(row) for row in listing.rows] or [el("p", listing.empty)]
    body = join((el("div", listing.summary), rows))
    if (bulk := listing.bulk) is not None:
        bar = [_render_control(control) for control in bulk.controls]
        content = join((make_hidden_inputs(bulk.hidden), body, bar, el("button", bulk.submit)))
        body = el("form", content, method="post", action=bulk.action)
    return join((body, el("div", make_pager(listing))))


def _render_row(row: Row) -> Markup:
    text = JOINT.join((row.name.text, *(f"{cell.label} {cell.text}" for cell in row.cells)))
    return el("div", make_tick(row), el("a", text, href=row.name.href, class_="entry"))
