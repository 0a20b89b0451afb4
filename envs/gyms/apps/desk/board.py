"""The help desk's board: open work as cards in columns, moved by dragging or from a card's menu.

Whose cards are shown survives every move, also one that is refused.
"""

from __future__ import annotations

from urllib.parse import urlencode

from markupsafe import Markup

from envs.gyms.apps.desk import rules
from envs.gyms.apps.desk.data import NEW, OPEN, SOLVED, WAITING, Item
from envs.gyms.apps.desk.labels import (
    NOBODY,
    get_agent_name,
    get_searchable_text,
    link_ticket,
    list_agent_names,
)
from envs.gyms.kit.disturbances import get_label
from envs.gyms.kit.html import button, drag_form, el, link, menu, note, select
from envs.gyms.kit.listing import ANY
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext
from envs.gyms.server.gym import Refused

PAGES = PageGroup()
COLUMNS = (NEW, OPEN, WAITING, SOLVED)
CARDS_PER_COLUMN = 6


@PAGES.get("/board")
def show_board(request: RequestContext) -> str:
    """The columns; whose tickets they are is in the address and in every card's form."""
    request.log_event("board")
    assignee = request.query.get("who", ANY)
    words = request.query.get("q", "").lower().split()
    tickets = [
        ticket
        for ticket in request.state["tickets"]
        if assignee in (ANY, get_agent_name(request.state, ticket))
        and all(word in get_searchable_text(request.state, ticket).lower() for word in words)
    ]
    columns = [
        _render_column(request, status, [t for t in tickets if t["status"] == status])
        for status in COLUMNS
    ]
    return render_page(
        request, "Board", _render_search(request, assignee), el("div", columns, class_="columns")
    )


def _render_search(request: RequestContext, assignee: str) -> Markup:
    box = el(
        "input",
        name="q",
        value=request.query.get("q", ""),
        aria_label="Search",
        autocomplete="off",
    )
    options = (ANY, NOBODY, *list_agent_names(request))
    return el(
        "form",
        box,
        el("button", get_label(request, "Search")),
        el("label", el("span", "Assignee"), select("who", options, assignee)),
        action=request.path,
        class_="listing",
        data_auto=request.appearance.layout != 2,
    )


def _render_column(request: RequestContext, status: str, tickets: list[Item]) -> Markup:
    """The cards that are due first; the heading leads to the whole list."""
    cards = sorted(tickets, key=lambda ticket: ticket["due"])[:CARDS_PER_COLUMN]
    url = request.url("/tickets?" + urlencode({"status": status}))
    hidden = len(tickets) - len(cards)
    return el(
        "div",
        el("h2", link(f"{status}: {len(tickets)}", url)),
        [_render_card(request, ticket) for ticket in cards],
        note(f"and {hidden} due later") if hidden else None,
        class_="column",
        data_drop=status,
    )


def _render_card(request: RequestContext, ticket: Item) -> Markup:
    number = ticket["number"]
    key: str = ticket["id"]
    search = {"who": request.query.get("who", ANY), "q": request.query.get("q", "")}
    moves = [
        button(request, "move", f"To {to}", f"{number} to {to}", key=key, to=to, **search)
        for to in COLUMNS
        if to not in (ticket["status"], NEW)
    ]
    return el(
        "div",
        link_ticket(request, ticket, number),
        " ",
        menu(f"Move {number}", *moves),
        el("p", ticket["subject"]),
        drag_form(request, request.url("/board/move"), key=key, **search),
        class_=f"card {ticket['priority'].lower()}",
        draggable="true",
        data_card=key,
    )


@PAGES.post("/board/move")
def move_card(request: RequestContext) -> Redirect:
    """Sets a ticket's status. A refused move leads back to the same cards too."""
    board = "/board?" + urlencode({key: request.form.get(key, "") for key in ("who", "q")})
    ticket = get_record(request.state, "tickets", request.form.get("key", ""))
    try:
        status = request.get_choice("to", "Column", COLUMNS)
        rules.update_ticket(request.state, ticket["id"], status)
    except Refused as refusal:
        return Redirect(request.url(board), str(refusal))
    return request.redirect_to(board, f"{ticket['number']} is now {status.lower()}")
