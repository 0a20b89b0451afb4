"""The board: open work as cards in columns, moved by dragging or from a card's menu.

Whose cards are shown survives every move, also one that is refused.
"""

from __future__ import annotations

from urllib.parse import urlencode

from markupsafe import Markup

from envs.gyms.desk import rules
from envs.gyms.desk.app import DESK, NOBODY, agent_name, agent_names, ticket_link, words_of
from envs.gyms.desk.data import NEW, OPEN, SOLVED, WAITING
from envs.gyms.gym import Refused
from envs.gyms.kit.disturb import renamed
from envs.gyms.kit.frame import page
from envs.gyms.kit.here import Here
from envs.gyms.kit.html import button, dragged, el, link, menu, note, select
from envs.gyms.kit.listing import ANY, Item
from envs.gyms.kit.records import one
from envs.gyms.pages import Redirect

COLUMNS = (NEW, OPEN, WAITING, SOLVED)
CARDS = 6


@DESK.get("/board")
def board(here: Here) -> str:
    """Columns of cards; whose tickets they are is in the address and in every card's form."""
    here.note("board")
    who, asked = here.query.get("who", ANY), here.query.get("q", "").lower().split()
    mine = [
        t for t in here.state["tickets"]
        if who in (ANY, agent_name(here.state, t))
        and all(word in words_of(here.state, t).lower() for word in asked)
    ]  # fmt: skip
    narrow = el(
        "form",
        el("input", name="q", value=here.query.get("q", ""), aria_label="Search",
           autocomplete="off"),
        el("button", renamed(here, "Search")),
        el("label", el("span", "Assignee"), select("who", (ANY, NOBODY, *agent_names(here)), who)),
        action=here.path, class_="listing", data_auto=here.look.layout != 2,
    )  # fmt: skip
    columns = [_column(here, status, mine) for status in COLUMNS]
    return page(here, "Board", narrow, el("div", columns, class_="columns"))


def _column(here: Here, status: str, mine: list[Item]) -> Markup:
    inside = sorted((t for t in mine if t["status"] == status), key=lambda t: t["due"])
    full = urlencode({"status": status})
    rest = len(inside) - CARDS
    return el(
        "div",
        el("h2", link(f"{status}: {len(inside)}", here.url(f"/tickets?{full}"))),
        [_card(here, t) for t in inside[:CARDS]],
        note(f"and {rest} due later") if rest > 0 else None,
        class_="column", data_drop=status,
    )  # fmt: skip


def _card(here: Here, ticket: Item) -> Markup:
    kept = {"who": here.query.get("who", ANY), "q": here.query.get("q", "")}
    drag = dragged(here, here.url("/board/move"), key=ticket["id"], **kept)
    moves = [
        button(
            here, "move", f"To {to}", f"{ticket['number']} to {to}", key=ticket["id"], to=to, **kept
        )
        for to in COLUMNS
        if to not in (ticket["status"], NEW)
    ]
    return el(
        "div", ticket_link(here, ticket, ticket["number"]), " ", menu(f"Move {ticket['number']}",
        *moves), el("p", ticket["subject"]), drag,
        class_="card", draggable="true", data_card=ticket["id"],
    )  # fmt: skip


@DESK.post("/board/move")
def board_move(here: Here) -> Redirect:
    """What is refused leads back to the same cards too."""
    kept = {key: here.form.get(key, "") for key in ("who", "q")}
    found, to = one(here.state, "tickets", here.form.get("key", "")), here.form.get("to", "")
    back = "/board?" + urlencode(kept)
    try:
        rules.update(here.state, found["id"], here.choice("to", "Column", COLUMNS))
    except Refused as refusal:
        return Redirect(here.url(back), str(refusal))
    return here.to(back, f"{found['number']} is now {to.lower()}")
