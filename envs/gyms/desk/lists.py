"""Pages that list: the overview, all tickets, customers with their tickets, deadlines.

They change nothing.
"""

from __future__ import annotations

from envs.gyms.desk import rules
from envs.gyms.desk.app import (
    DESK,
    NOBODY,
    agent_name,
    agent_names,
    customer_of,
    ticket_link,
    words_of,
)
from envs.gyms.desk.data import CLOSED, PRIORITIES, STATUSES
from envs.gyms.kit.frame import page
from envs.gyms.kit.here import Here
from envs.gyms.kit.html import badge, details, el, join, link, note, section
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.records import one

PLANS = ("Basic", "Premium", "Internal")


def ticket_listing(here: Here, customer: bool = True) -> Listing:
    """Of tickets; the column of customers is left out on a customer's own page."""
    columns = (
        Column("Number", lambda t: ticket_link(here, t, t["number"])),
        Column("Subject", lambda t: t["subject"]),
        *((Column("Customer", lambda t: customer_of(here, t)["org"]),) if customer else ()),
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
            Filter("assignee", "Assignee", (NOBODY, *agent_names(here)),
                   lambda t: agent_name(here.state, t)),
        ),
        empty="No tickets. Try another search",
    )  # fmt: skip


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
            el("p", ticket_link(here, t, f"{t['number']} {t['subject']}")) for t in lonely[:6]
        ) if lonely else note("All tickets have an assignee")),
    )  # fmt: skip


@DESK.get("/tickets")
def tickets(here: Here) -> str:
    here.note("tickets")
    new = link("New ticket", here.url("/tickets/new"))
    return page(
        here, "Tickets", el("p", new), ticket_listing(here).show(here, here.state["tickets"])
    )


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
    found = one(here.state, "customers", key)
    here.note(f"customer:{key}")
    mine = [t for t in here.state["tickets"] if t["customer"] == key]
    return page(
        here, "Customer",
        details(("Organisation", found["org"]), ("E-mail", found["email"]),
                ("Phone", found["phone"]), ("Plan", found["plan"])),
        section("Tickets", ticket_listing(here, customer=False).show(here, mine)),
        heading=found["name"],
    )  # fmt: skip


@DESK.get("/deadlines")
def deadlines(here: Here) -> str:
    here.note("deadlines")
    late = [t for t in here.state["tickets"] if rules.is_overdue(t, here.world.today)]
    counts = [(name, sum(agent_name(here.state, t) == name for t in late))
              for name in (*agent_names(here), NOBODY)]  # fmt: skip
    return page(
        here, "Deadlines",
        details(("Today", here.look.date(here.world.today)), ("Overdue in all", len(late))),
        note("New and open tickets are overdue after their due day. A ticket that waits is not."),
        section("Overdue by assignee", details(*counts)),
        section("Overdue tickets", ticket_listing(here).show(here, late)),
    )  # fmt: skip
