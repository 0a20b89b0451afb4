"""Pages of one ticket: a new one, its facts and conversation, writing, details, escalation.

Every change goes through `rules`, which refuses what a closed ticket does not allow.
"""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.desk import rules
from envs.gyms.desk.app import DESK, NOBODY, agent_name, customer_of, ticket_link
from envs.gyms.desk.data import (
    CLOSED,
    DUE_DAYS,
    MESSAGE,
    NOTE,
    PRIORITIES,
    PRODUCTS,
    REPLY,
    SOLVED,
    STATUSES,
    TEAMS,
    WAITING,
)
from envs.gyms.kit.frame import page
from envs.gyms.kit.here import Here
from envs.gyms.kit.html import (
    Field,
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
from envs.gyms.kit.listing import Item
from envs.gyms.kit.records import one
from envs.gyms.pages import Redirect

KEEP = "Leave as it is"
KINDS = ((REPLY, "Public reply"), (NOTE, "Internal note"))
_SAID = {MESSAGE: "wrote", REPLY: "replied", NOTE: "noted for colleagues"}


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
    found = one(here.state, "tickets", key)
    here.note(f"ticket:{key}")
    who = customer_of(here, found)
    known = (("Parent", found["parent"]), ("Merged into", found["merged"]))
    others = [(t, one(here.state, "tickets", k)) for t, k in known if k]
    others += [("Sub-ticket", t) for t in here.state["tickets"] if t["parent"] == key]
    facts = details(
        ("Customer", link(who["name"], here.url(f"/customers/{who['id']}"))),
        ("Organisation", who["org"]), ("Product", found["product"]),
        ("Status", found["status"]), ("Priority", found["priority"]),
        ("Assignee", agent_name(here.state, found)),
        ("Created", here.look.date(found["created"])), ("Due", here.look.date(found["due"])),
        ("Tags", ", ".join(found["tags"]) or "none"),
        *((("Escalated to", found["escalated"]),) if found["escalated"] else ()),
        *((title, join((ticket_link(here, t, t["number"]), f" {t['status']}")))
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
    found = one(here.state, "tickets", key)
    who = customer_of(here, found)
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
    found = one(here.state, "tickets", key)
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


@DESK.get("/tickets/{key}/escalate")
def escalate(here: Here, key: str) -> str:
    found = one(here.state, "tickets", key)
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
