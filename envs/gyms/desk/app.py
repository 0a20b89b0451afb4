"""The help desk's pages and site tools."""

from __future__ import annotations

import random
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from envs.gyms.desk import rules
from envs.gyms.desk.data import (
    CLOSED,
    DUE_DAYS,
    MESSAGE,
    NEW,
    NOTE,
    OPEN,
    PRIORITIES,
    PRODUCTS,
    REPLY,
    SOLVED,
    STATUSES,
    TEAMS,
    WAITING,
    fresh,
)
from envs.gyms.gym import Refused, State
from envs.gyms.kit.disturb import renamed
from envs.gyms.kit.frame import page
from envs.gyms.kit.here import App, Here
from envs.gyms.kit.html import (
    Field,
    badge,
    button,
    confirm,
    details,
    el,
    form,
    join,
    link,
    menu,
    note,
    section,
    select,
)
from envs.gyms.kit.listing import ANY, Column, Filter, Item, Listing, Sort
from envs.gyms.kit.site_tools import Tools, site_tool
from envs.gyms.pages import Redirect

NOBODY, KEEP = "Nobody", "Leave as it is"
COLUMNS = (NEW, OPEN, WAITING, SOLVED)
CARDS = 6
KINDS = ((REPLY, "Public reply"), (NOTE, "Internal note"))
_SAID = {MESSAGE: "wrote", REPLY: "replied", NOTE: "noted for colleagues"}
PLANS = ("Basic", "Premium", "Internal")


def _stray(state: State, rng: random.Random) -> None:
    customer = rng.choice(state["customers"])
    customer["phone"] = f"{customer['phone']} ext 2"


@site_tool("desk.find_tickets")
def find_tickets(here: Tools, text: str, status: str | None = None) -> list[dict[str, Any]]:
    """Tickets with the text in number, subject, product or customer's name, at most 20: number,
    subject, customer, organisation, status, priority, assignee, due (ISO date)."""
    found = []
    for ticket in here.state["tickets"]:
        if text.lower() in words_of(here.state, ticket).lower() and status in (
            None,
            ticket["status"],
        ):
            who = rules.one(here.state, "customers", ticket["customer"])
            keys = ("number", "subject", "status", "priority", "due")
            found.append(
                {key: ticket[key] for key in keys}
                | {"customer": who["name"], "organisation": who["org"]}
                | {"assignee": agent_name(here.state, ticket)}
            )
    return found[:20]


@site_tool("desk.assign")
def assign(here: Tools, number: str, agent: str) -> str:
    """Gives a ticket to a support agent, by number and name."""
    known = {one["name"]: one["id"] for one in here.state["agents"]}
    if agent not in known:
        raise Refused(f"there is no agent {agent[:40]!r}")
    rules.update(here.state, rules.by_number(here.state, number)["id"], assignee=known[agent])
    return f"assigned {number} to {agent}"


@site_tool("desk.reply")
def reply_to(here: Tools, number: str, text: str, internal: bool = False) -> str:
    """Writes to a ticket's customer, or, with internal, a note that only colleagues see."""
    key, kind = rules.by_number(here.state, number)["id"], NOTE if internal else REPLY
    rules.post(here.state, key, kind, text, here.world.user.name, here.world.today)
    return f"{'noted on' if internal else 'replied to'} {number}"


@site_tool("desk.set_status")
def set_status(here: Tools, number: str, status: str) -> str:
    """Open, Waiting, Solved or Closed."""
    rules.update(here.state, rules.by_number(here.state, number)["id"], status=status)
    return f"{number} is {status}"


@site_tool("desk.set_priority")
def set_priority(here: Tools, number: str, priority: str) -> str:
    """Low, Normal, High or Urgent."""
    rules.update(here.state, rules.by_number(here.state, number)["id"], priority=priority)
    return f"{number} is {priority}"


DESK = App(
    "desk",
    "Help desk",
    (("Overview", "/"), ("Tickets", "/tickets"), ("Board", "/board"), ("Customers", "/customers"),
     ("Canned replies", "/canned"), ("Deadlines", "/deadlines")),
    fresh,
    _stray,
    (find_tickets, assign, reply_to, set_status, set_priority),
)  # fmt: skip


def words_of(state: State, ticket: Item) -> str:
    who = rules.one(state, "customers", ticket["customer"])
    parts = (ticket["number"], ticket["subject"], ticket["product"], who["name"], who["org"])
    return " ".join((*parts, *ticket["tags"]))


def agent_name(state: State, ticket: Item) -> str:
    key = ticket["assignee"]
    return str(rules.one(state, "agents", key)["name"]) if key else NOBODY


def _names(here: Here) -> list[str]:
    return sorted(agent["name"] for agent in here.state["agents"])


def _whose(here: Here, ticket: Item) -> Item:
    return rules.one(here.state, "customers", ticket["customer"])


def _listing(here: Here, customer: bool = True) -> Listing:
    """Of tickets; the column of customers is left out on a customer's own page."""
    columns = (
        Column("Number", lambda t: _to_ticket(here, t, t["number"])),
        Column("Subject", lambda t: t["subject"]),
        *((Column("Customer", lambda t: _whose(here, t)["org"]),) if customer else ()),
        Column("Priority", lambda t: t["priority"]),
        Column("Status", lambda t: badge(t["status"])),
        Column("Assignee", lambda t: agent_name(here.state, t)),
        Column("Due", lambda t: here.look.date(t["due"])),
    )
    return Listing(
        columns=columns,
        words=lambda t: words_of(here.state, t),
        sorts=(
            Sort("Newest", lambda t: t["number"], descending=True),
            Sort("Oldest", lambda t: t["number"]),
            Sort("Due first", lambda t: (t["due"], t["number"])),
            Sort("Most urgent", lambda t: (PRIORITIES.index(t["priority"]), t["number"]), True),
        ),
        filters=(
            Filter("status", "Status", STATUSES, lambda t: t["status"]),
            Filter("priority", "Priority", PRIORITIES, lambda t: t["priority"]),
            Filter("assignee", "Assignee", (NOBODY, *_names(here)),
                   lambda t: agent_name(here.state, t)),
        ),
        empty="No tickets. Try another search",
    )  # fmt: skip


def _to_ticket(here: Here, ticket: Item, text: str) -> Markup:
    return link(text, here.url(f"/tickets/{ticket['id']}"))


@DESK.get("/")
def overview(here: Here) -> str:
    all_tickets = here.state["tickets"]
    counts = [(s, sum(t["status"] == s for t in all_tickets)) for s in STATUSES]
    lonely = [t for t in all_tickets if not t["assignee"] and t["status"] != CLOSED]
    return page(
        here, "Overview",
        details(("Today", here.look.date(here.world.today)), *counts,
                ("Without assignee", len(lonely))),
        section("Without assignee the longest", join(
            el("p", _to_ticket(here, t, f"{t['number']} {t['subject']}")) for t in lonely[:6]
        ) if lonely else note("All tickets have an assignee")),
    )  # fmt: skip


@DESK.get("/tickets")
def tickets(here: Here) -> str:
    here.note("tickets")
    new = link("New ticket", here.url("/tickets/new"))
    return page(here, "Tickets", el("p", new), _listing(here).show(here, here.state["tickets"]))


@DESK.get("/tickets/new")
def ticket_new(here: Here) -> str:
    people = sorted(((c["id"], f"{c['name']}, {c['org']}") for c in here.state["customers"]),
                    key=lambda pair: pair[1])  # fmt: skip
    fields = (
        Field("customer", "Requester", "choice", options=people),
        Field("subject", "Subject"),
        Field("product", "Product", "choice", options=PRODUCTS),
        Field("priority", "Priority", "choice", "Normal", PRIORITIES),
        Field("text", "Message", "long"),
    )
    return page(here, "New ticket", form(here, "create", fields, "Create ticket", "/tickets"))


@DESK.post("/tickets/new/create")
def ticket_create(here: Here) -> Redirect:
    keys = [c["id"] for c in here.state["customers"]]
    priority = here.choice("priority", "Priority", PRIORITIES)
    made = rules.create(
        here.state, here.choice("customer", "Requester", keys), here.required("subject", "Subject"),
        here.form.get("product", ""), priority, here.required("text", "Message", 1000),
        here.world.today, here.world.day(DUE_DAYS[priority]),
    )  # fmt: skip
    return here.to(f"/tickets/{made['id']}", f"Created {made['number']}")


@DESK.get("/tickets/{key}")
def ticket(here: Here, key: str) -> str:
    found = rules.one(here.state, "tickets", key)
    here.note(f"ticket:{key}")
    who = _whose(here, found)
    known = (("Parent", found["parent"]), ("Merged into", found["merged"]))
    others = [(t, rules.one(here.state, "tickets", k)) for t, k in known if k]
    others += [("Sub-ticket", t) for t in here.state["tickets"] if t["parent"] == key]
    facts = details(
        ("Customer", link(who["name"], here.url(f"/customers/{who['id']}"))),
        ("Organisation", who["org"]), ("Product", found["product"]),
        ("Status", found["status"]), ("Priority", found["priority"]),
        ("Assignee", agent_name(here.state, found)),
        ("Created", here.look.date(found["created"])), ("Due", here.look.date(found["due"])),
        ("Tags", ", ".join(found["tags"]) or "none"),
        *((("Escalated to", found["escalated"]),) if found["escalated"] else ()),
        *((title, join((_to_ticket(here, t, t["number"]), f" {t['status']}")))
          for title, t in others),
    )  # fmt: skip
    talk = [
        el(
            "div",
            el("p", el("b", p["author"]), f" {_SAID[p['kind']]} on {here.look.date(p['day'])}"),
            el("p", p["text"]),
            class_=f"card {p['kind']}",
        )
        for p in found["posts"]
    ]
    closed = found["status"] == CLOSED
    return page(
        here, "Ticket", facts,
        note("This ticket is closed") if closed else _work(here, found),
        section("Conversation", join(talk)),
        heading=f"{found['number']} {found['subject']}",
    )  # fmt: skip


def _work(here: Here, found: Item) -> Markup:
    """What can be done with a ticket that is not closed."""
    agents = [
        (a["id"], f"{a['name']}, on leave" if a["away"] else a["name"])
        for a in here.state["agents"]
    ]
    fields = (
        Field("status", "Status", "choice", found["status"], STATUSES[:-1]),
        Field("priority", "Priority", "choice", found["priority"], PRIORITIES),
        Field("assignee", "Assignee", "choice", found["assignee"] or "",
              [("", NOBODY), *sorted(agents, key=lambda a: a[1])]),
    )  # fmt: skip
    at = f"/tickets/{found['id']}"
    more = menu(
        "More",
        link("Merge ticket", here.url(f"{at}/merge")), link("Set parent", here.url(f"{at}/parent")),
        link("Escalate", here.url(f"{at}/escalate")),
        confirm(here, "close", "Close ticket",
                f"{found['number']} can then neither be changed nor opened again."),
    )  # fmt: skip
    row = el("div", link("Write", here.url(f"{at}/write")),
             link("Edit details", here.url(f"{at}/details")), more, class_="row")  # fmt: skip
    return join((row, form(here, "save", fields, "Save ticket")))


@DESK.post("/tickets/{key}/save")
def ticket_save(here: Here, key: str) -> Redirect:
    given = here.form.get
    rules.update(here.state, key, given("status", ""), given("priority", ""), given("assignee"))
    return here.to(f"/tickets/{key}", "Ticket saved")


@DESK.post("/tickets/{key}/close")
def ticket_close(here: Here, key: str) -> Redirect:
    rules.update(here.state, key, CLOSED)
    return here.to(f"/tickets/{key}", "Ticket closed")


@DESK.get("/tickets/{key}/write")
def write(here: Here, key: str) -> str:
    found = rules.one(here.state, "tickets", key)
    who = _whose(here, found)
    asked = here.query.get("canned", "")
    text = next((rules.inserted(c, who) for c in here.state["canned"] if c["id"] == asked), "")
    titles = sorted(((c["id"], c["title"]) for c in here.state["canned"]), key=lambda c: c[1])
    insert = el(
        "form",
        el("label", el("span", "Canned reply"),
           select("canned", [("", "None"), *titles], asked)),
        el("button", "Insert text"), action=here.path, class_="listing",
    )  # fmt: skip
    fields = (
        Field("text", "Text", "long", text),
        Field("kind", "Send as", "choice", REPLY, KINDS,
              f"{who['name']} reads a public reply; an internal note stays here"),
        Field("then", "Status afterwards", "choice", KEEP, (KEEP, WAITING, SOLVED)),
    )  # fmt: skip
    return page(
        here, "Write", insert, form(here, "send", fields, "Send message", f"/tickets/{key}"),
        heading=f"Write on {found['number']}",
    )  # fmt: skip


@DESK.post("/tickets/{key}/write/send")
def write_send(here: Here, key: str) -> Redirect:
    text = here.required("text", "Text", 1000)
    kind = here.choice("kind", "Send as", (REPLY, NOTE))
    then = here.choice("then", "Status afterwards", (KEEP, WAITING, SOLVED))
    if then != KEEP:
        rules.update(here.state, key, then)
    rules.post(here.state, key, kind, text, here.world.user.name, here.world.today)
    return here.to(f"/tickets/{key}", "Reply sent" if kind == REPLY else "Note saved")


@DESK.get("/tickets/{key}/details")
def ticket_details(here: Here, key: str) -> str:
    found = rules.one(here.state, "tickets", key)
    fields = (
        Field("subject", "Subject", value=found["subject"]),
        Field("product", "Product", "choice", found["product"], PRODUCTS),
        Field("due", "Due", "date", here.look.date(found["due"])),
        Field("tags", "Tags", value=", ".join(found["tags"]), hint="with commas between them"),
    )
    return page(
        here, "Edit details", form(here, "save", fields, "Save details", f"/tickets/{key}"),
        heading=f"Edit {found['number']}",
    )  # fmt: skip


@DESK.post("/tickets/{key}/details/save")
def details_save(here: Here, key: str) -> Redirect:
    rules.edit(
        here.state, key, here.required("subject", "Subject"), here.form.get("product", ""),
        here.day("due", "Due"), here.form.get("tags", ""),
    )  # fmt: skip
    return here.to(f"/tickets/{key}", "Details saved")


@DESK.get("/tickets/{key}/merge")
def merge(here: Here, key: str) -> str:
    found = rules.one(here.state, "tickets", key)
    asked = here.query.get("into", "")
    look_up = el(
        "form", el("label", el("span", "Into ticket"), el("input", name="into", value=asked,
                   placeholder="HD-2001", autocomplete="off")),
        el("button", "Look it up"), action=here.path, class_="listing",
    )  # fmt: skip
    near = [
        t for t in here.state["tickets"]
        if t["customer"] == found["customer"] and t is not found and t["status"] != CLOSED
    ]  # fmt: skip
    at = here.url(f"/tickets/{key}/merge?")
    rows = [
        el("p", link(f"{t['number']} {t['subject']}", at + urlencode({"into": t["number"]})),
           f" of {here.look.date(t['created'])}, {t['status']}")
        for t in near[-8:]
    ]  # fmt: skip
    return page(
        here, "Merge", look_up, _merge_into(here, found, asked) if asked else None,
        section("Other tickets of this customer", join(rows) if rows else note("There are none")),
        heading=f"Merge {found['number']}",
    )  # fmt: skip


def _merge_into(here: Here, found: Item, asked: str) -> Markup:
    """What a merge would do, and the button for it."""
    try:
        into = rules.by_number(here.state, asked)
    except Refused as missing:
        return note(str(missing))
    here.note(f"merge:{found['id']}:{into['id']}")
    who = _whose(here, into)
    facts = details(
        ("This ticket", f"{found['number']} {found['subject']}"),
        ("Goes into", f"{into['number']} {into['subject']}"),
        ("Customer", f"{who['name']}, {who['org']}"), ("Status", into["status"]),
    )  # fmt: skip
    problem = rules.merge_problem(here.state, found, into)
    if problem:
        return join((facts, note(problem)))
    question = f"{found['number']} is closed for good; {into['number']} goes on."
    return join((facts, confirm(here, "merge", "Merge them", question, into=into["id"])))


@DESK.post("/tickets/{key}/merge/merge")
def merge_do(here: Here, key: str) -> Redirect:
    into = here.form.get("into", "")
    rules.merge(here.state, key, into, here.world.user.name, here.world.today)
    return here.to(f"/tickets/{into}", "Tickets merged")


@DESK.get("/tickets/{key}/parent")
def parent(here: Here, key: str) -> str:
    found = rules.one(here.state, "tickets", key)
    now = rules.one(here.state, "tickets", found["parent"])["number"] if found["parent"] else ""
    fields = (Field("parent", "Parent ticket", value=now, hint="empty: it has none"),)
    return page(
        here, "Set parent", form(here, "save", fields, "Save parent", f"/tickets/{key}"),
        heading=f"Parent of {found['number']}",
    )  # fmt: skip


@DESK.post("/tickets/{key}/parent/save")
def parent_save(here: Here, key: str) -> Redirect:
    number = here.form.get("parent", "").strip()
    rules.link_parent(
        here.state, key, rules.by_number(here.state, number)["id"] if number else None
    )
    return here.to(f"/tickets/{key}", "Parent saved")


@DESK.get("/tickets/{key}/escalate")
def escalate(here: Here, key: str) -> str:
    found = rules.one(here.state, "tickets", key)
    fields = (
        Field("team", "Escalate to", "choice", options=TEAMS),
        Field("reason", "Reason", "long", hint="Low and Normal tickets become High"),
    )
    return page(
        here, "Escalate", form(here, "send", fields, "Escalate ticket", f"/tickets/{key}"),
        heading=f"Escalate {found['number']}",
    )  # fmt: skip


@DESK.post("/tickets/{key}/escalate/send")
def escalate_send(here: Here, key: str) -> Redirect:
    team, reason = here.form.get("team", ""), here.required("reason", "Reason", 500)
    rules.escalate(here.state, key, team, reason, here.world.user.name, here.world.today)
    return here.to(f"/tickets/{key}", "Ticket escalated")


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
        el("label", el("span", "Assignee"), select("who", (ANY, NOBODY, *_names(here)), who)),
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
    action = here.url("/board/move")
    hidden = {"token": here.visit.token(action), "key": ticket["id"], "to": "", **kept}
    drag = el(
        "form", [el("input", type="hidden", name=n, value=v) for n, v in hidden.items()],
        method="post", action=action, data_move=True,
    )  # fmt: skip
    moves = [
        button(
            here, "move", f"To {to}", f"{ticket['number']} to {to}", key=ticket["id"], to=to, **kept
        )
        for to in COLUMNS
        if to not in (ticket["status"], NEW)
    ]
    return el(
        "div", _to_ticket(here, ticket, ticket["number"]), " ", menu(f"Move {ticket['number']}",
        *moves), el("p", ticket["subject"]), drag,
        class_="card", draggable="true", data_card=ticket["id"],
    )  # fmt: skip


@DESK.post("/board/move")
def board_move(here: Here) -> Redirect:
    """What is refused leads back to the same cards too."""
    kept = {key: here.form.get(key, "") for key in ("who", "q")}
    found, to = rules.one(here.state, "tickets", here.form.get("key", "")), here.form.get("to", "")
    back = "/board?" + urlencode(kept)
    try:
        rules.update(here.state, found["id"], here.choice("to", "Column", COLUMNS))
    except Refused as refusal:
        return Redirect(here.url(back), str(refusal))
    return here.to(back, f"{found['number']} is now {to.lower()}")


@DESK.get("/customers")
def customers(here: Here) -> str:
    here.note("customers")
    listing = Listing(
        columns=(
            Column("Name", lambda c: link(c["name"], here.url(f"/customers/{c['id']}"))),
            Column("Organisation", lambda c: c["org"]),
            Column("E-mail", lambda c: c["email"]),
            Column("Plan", lambda c: badge(c["plan"])),
        ),
        words=lambda c: f"{c['name']} {c['org']} {c['email']}",
        sorts=(Sort("Name", lambda c: c["name"]), Sort("Organisation", lambda c: c["org"])),
        filters=(Filter("plan", "Plan", PLANS, lambda c: c["plan"]),),
        empty="No customers. Try another search",
    )
    return page(here, "Customers", listing.show(here, here.state["customers"]))


@DESK.get("/customers/{key}")
def customer(here: Here, key: str) -> str:
    found = rules.one(here.state, "customers", key)
    here.note(f"customer:{key}")
    mine = [t for t in here.state["tickets"] if t["customer"] == key]
    return page(
        here, "Customer",
        details(("Organisation", found["org"]), ("E-mail", found["email"]),
                ("Phone", found["phone"]), ("Plan", found["plan"])),
        section("Tickets", _listing(here, customer=False).show(here, mine)),
        heading=found["name"],
    )  # fmt: skip


@DESK.get("/canned")
def canned(here: Here) -> str:
    here.note("canned")
    listing = Listing(
        columns=(
            Column("Title", lambda c: link(c["title"], here.url(f"/canned/{c['id']}"))),
            Column("Text", lambda c: c["text"]),
        ),
        words=lambda c: f"{c['title']} {c['text']}",
        sorts=(Sort("Title", lambda c: c["title"]),),
    )
    new = link("New canned reply", here.url("/canned/new"))
    return page(here, "Canned replies", el("p", new), listing.show(here, here.state["canned"]))


def _canned_fields(title: str, text: str) -> tuple[Field, ...]:
    hint = "%name% becomes the customer's first name"
    return Field("title", "Title", value=title), Field("text", "Text", "long", text, hint=hint)


@DESK.get("/canned/new")
def canned_new(here: Here) -> str:
    fields = _canned_fields("", "")
    return page(here, "New canned reply", form(here, "save", fields, "Create reply", "/canned"))


@DESK.get("/canned/{key}")
def canned_edit(here: Here, key: str) -> str:
    found = rules.one(here.state, "canned", key)
    fields = _canned_fields(found["title"], found["text"])
    return page(here, "Edit canned reply", form(here, "save", fields, "Save reply", "/canned"))


@DESK.post("/canned/{key}/save")
def canned_save(here: Here, key: str) -> Redirect:
    title, text = here.required("title", "Title", 80), here.required("text", "Text", 1000)
    rules.save_canned(here.state, None if key == "new" else key, title, text)
    return here.to("/canned", f"Saved {title}")


@DESK.get("/deadlines")
def deadlines(here: Here) -> str:
    here.note("deadlines")
    late = [t for t in here.state["tickets"] if rules.is_overdue(t, here.world.today)]
    counts = [(name, sum(agent_name(here.state, t) == name for t in late))
              for name in (*_names(here), NOBODY)]  # fmt: skip
    return page(
        here, "Deadlines",
        details(("Today", here.look.date(here.world.today)), ("Overdue in all", len(late))),
        note("New and open tickets are overdue after their due day. A ticket that waits is not."),
        section("Overdue by assignee", details(*counts)),
        section("Overdue tickets", _listing(here).show(here, late)),
    )  # fmt: skip
