"""Dense pages as of long ago: tables within tables, full page loads, buttons that are inputs, and
no script but for what covers a page."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.generated.frame import Frame, get_cover
from envs.gyms.generated.html_parts import (
    make_document,
    make_hidden_inputs,
    make_input,
    make_pager,
    make_radio,
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
from envs.gyms.kit.html import el, join, link

COLOURS = (
    ("#003366", "#ffffff", "#e8eef6"),
    ("#5a3d1e", "#fffbe6", "#f3e6cf"),
    ("#224422", "#fffff4", "#dfeadf"),
    ("#444444", "#f4f4f4", "#dddddd"),
)
"""Of bars, of the page, of rows; by theme."""
STYLE = (
    "body,td,th,input,select{{font:12px Verdana,Arial,sans-serif}}"
    "body{{margin:4px;background:{page}}}h1,h2{{font-size:13px;margin:4px 0;color:{bar}}}"
    "table{{border-collapse:collapse}}td,th{{padding:2px 6px;text-align:left;vertical-align:top}}"
    ".bar td{{background:{bar};color:#fff}}.bar a{{color:#fff}}"
    ".grid td,.grid th{{border:1px solid {bar}}}.grid th{{background:{row}}}"
    ".note{{border:2px solid {bar};background:{row};padding:3px 6px}}"
    "form{{margin:2px 0;display:inline-block}}"
    "#veil{{position:fixed;inset:0;background:#888;padding:80px;text-align:center}}"
)


def render(frame: Frame, screen: Screen) -> str:
    """A whole page."""
    bar, page, row = COLOURS[frame.look.theme % len(COLOURS)]
    style = Markup(STYLE.format(bar=bar, page=page, row=row))
    crumbs = [join((link(entry.text, entry.href), " > ")) for entry in screen.crumbs]
    content = el(
        "td",
        el("div", crumbs, screen.title) if crumbs else None,
        el("div", el("b", frame.message), class_="note") if frame.message else None,
        el("h1", screen.title.upper() if frame.look.theme % 2 else screen.title),
        [_render_block(block) for block in screen.blocks],
    )
    body = el(
        "body",
        _render_bar(frame),
        el("table", el("tr", content), width="100%"),
        el("hr"),
        el("div", f"{frame.owner} - {frame.user}"),
        _render_cover(frame),
    )
    return make_document(f"{frame.title}: {screen.title}", style, body)


def _render_bar(frame: Frame) -> Markup:
    places = [
        join((" [ ", link(place.text, place.href), " ] ")) for place in (frame.home, *frame.places)
    ]
    finder = el("td", _render_form(frame.finder)) if frame.finder else None
    cells = (el("td", el("b", frame.title)), el("td", places), finder)
    return el("table", el("tr", cells), class_="bar", width="100%")


def _render_cover(frame: Frame) -> Markup | None:
    cover = get_cover(frame)
    if cover is None:
        return None
    close = "document.getElementById('veil').remove()"
    return el("div", el("p", cover[0]), el("button", cover[1], onclick=close), id="veil")


def _render_block(block: Block) -> Markup:
    match block:
        case FormView():
            return _render_form(block)
        case ListView():
            return _render_list(block)
        case RecordView():
            return _render_record(block)
        case Actions():
            entries = [el("td", _render_entry(entry)) for entry in (*block.shown, *block.in_menu)]
            return el("table", el("tr", entries))
        case Related():
            return _render_related(block)
        case Note():
            return el("p", block.text)


def _submit(text: str, label: str | None = None) -> Markup:
    return el("input", type="submit", value=text, aria_label=label or text)


def _render_form(form: FormView) -> Markup:
    cancel = link(form.cancel.text, form.cancel.href) if form.cancel else None
    controls = [_render_control(control) for control in form.controls]
    if form.is_query and form.cancel is None:
        fields = el("table", el("tr", controls, el("td", _submit(form.submit))))
    else:
        send = el("tr", el("td"), el("td", _submit(form.submit), " ", cancel))
        fields = el("table", [el("tr", control) for control in controls], send)
    method = None if form.is_query else "post"
    return el("form", make_hidden_inputs(form.hidden), fields, method=method, action=form.action)


def _render_control(control: Control) -> Markup:
    """Two cells: the label, and the input, which repeats it for those who cannot see."""
    if control.kind == "radio":
        field = join(
            join((make_radio(control, value, text), f"{text} ")) for value, text in control.options
        )
    else:
        field = make_input(control, control.label)
    hint = f" ({control.hint})" if control.hint else None
    return join((el("td", f"{control.label}:"), el("td", field, hint)))


def _render_entry(entry: Link | Button) -> Markup:
    """What would ask in a dialog asks on a page of its own here, see `Look.asks_on_page`."""
    if isinstance(entry, Link):
        return link(entry.text, entry.href)
    return el(
        "form",
        make_hidden_inputs(entry.hidden),
        _submit(entry.text, entry.label),
        method="post",
        action=entry.action,
    )


def _render_record(record: RecordView) -> Markup:
    """In one row of labels and one of values, or in two columns."""
    if record.style == "table":
        labels = el("tr", [el("th", cell.label) for cell in record.cells])
        values = el("tr", [el("td", make_value(cell)) for cell in record.cells])
        return el("table", labels, values, class_="grid")
    if record.style == "prose":
        return el("p", [join((f"{cell.label}: ", make_value(cell), ". ")) for cell in record.cells])
    rows = [el("tr", el("th", cell.label), el("td", make_value(cell))) for cell in record.cells]
    return el("table", rows, class_="grid")


def _render_related(related: Related) -> Markup:
    rows = [
        el("tr", el("td", "*"), el("td", link(entry.text, entry.href)), el("td", remark))
        for entry, remark in related.entries
    ]
    heading = el("h2", related.title) if related.title else None
    return join((heading, el("table", rows)))


def _render_list(listing: ListView) -> Markup:
    if not listing.rows:
        rows: Markup = el("p", listing.empty)
    elif listing.groups:
        rows = join(
            join((el("h2", group), _render_table(listing, members)))
            for group in listing.groups
            if (members := [row for row in listing.rows if row.group == group])
        )
    elif listing.view == "table":
        rows = _render_table(listing, listing.rows)
    else:
        rows = join(_render_entry_of_list(listing.view, row) for row in listing.rows)
    body = join((el("div", listing.summary), rows))
    if (bulk := listing.bulk) is not None:
        bar = el("table", el("tr", [_render_control(control) for control in bulk.controls]))
        content = join((make_hidden_inputs(bulk.hidden), body, bar, _submit(bulk.submit)))
        body = el("form", content, method="post", action=bulk.action)
    return join((body, el("div", make_pager(listing))))


def _render_table(listing: ListView, rows: tuple[Row, ...] | list[Row]) -> Markup:
    head = el("tr", [el("th", label) for label in ("", listing.name_label, *listing.columns)])
    lines = [
        el(
            "tr",
            el("td", make_tick(row)),
            el("td", link(row.name.text, row.name.href)),
            [el("td", cell.text) for cell in row.cells],
        )
        for row in rows
    ]
    return el("table", head, lines, class_="grid")


def _render_entry_of_list(view: str, row: Row) -> Markup:
    name = link(row.name.text, row.name.href)
    if view == "cards":
        labels = el("tr", [el("td", el("i", cell.label)) for cell in row.cells])
        values = el("tr", [el("td", cell.text) for cell in row.cells])
        return el("div", make_tick(row), name, el("table", labels, values))
    text = " / ".join(cell.text for cell in row.cells)
    return el("div", make_tick(row), name, f" - {text}")
