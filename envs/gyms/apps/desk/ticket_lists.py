"""The help desk's pages that list tickets: overview, all tickets, deadlines."""

from __future__ import annotations

from envs.gyms.apps.desk import rules
from envs.gyms.apps.desk.data import CLOSED, PRIORITIES, STATUSES
from envs.gyms.apps.desk.labels import (
    NOBODY,
    get_agent_name,
    get_customer,
    get_searchable_text,
    link_ticket,
    list_agent_names,
)
from envs.gyms.kit.html import badge, details, el, join, link, note, section
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.request import RequestContext

PAGES = PageGroup()
MAX_UNASSIGNED = 6
"""Tickets that the overview lists."""


def make_ticket_listing(request: RequestContext, show_customer: bool = True) -> Listing:
    """A list of tickets; a customer's own page leaves out the column of customers."""
    columns = [
        Column("Number", lambda t: link_ticket(request, t, t["number"])),
        Column("Subject", lambda t: t["subject"]),
        Column("Customer", lambda t: get_customer(request, t)["org"]),
        Column("Priority", lambda t: t["priority"]),
        Column("Status", lambda t: badge(t["status"])),
        Column("Assignee", lambda t: get_agent_name(request.state, t)),
        Column("Due", lambda t: request.locale.format_date(t["due"])),
    ]
    if not show_customer:
        columns = [column for column in columns if column.title != "Customer"]
    return Listing(
        columns=columns,
        searchable_text=lambda t: get_searchable_text(request.state, t),
        sorts=(
            Sort("Newest", lambda t: t["number"], descending=True),
            Sort("Oldest", lambda t: t["number"]),
            Sort("Due first", lambda t: (t["due"], t["number"])),
            Sort(
                "Most urgent",
                lambda t: (PRIORITIES.index(t["priority"]), t["number"]),
                descending=True,
            ),
        ),
        filters=(
            Filter("status", "Status", options=STATUSES, get_option=lambda t: t["status"]),
            Filter("priority", "Priority", options=PRIORITIES, get_option=lambda t: t["priority"]),
            Filter(
                "assignee",
                "Assignee",
                options=(NOBODY, *list_agent_names(request)),
                get_option=lambda t: get_agent_name(request.state, t),
            ),
        ),
        row_style=lambda t: t["priority"].lower(),
        empty="No tickets. Try another search",
    )


@PAGES.get("/")
def show_overview(request: RequestContext) -> str:
    """Counts by status, and the oldest tickets without assignee."""
    tickets = request.state["tickets"]
    counts = [(status, sum(t["status"] == status for t in tickets)) for status in STATUSES]
    unassigned = [t for t in tickets if not t["assignee"] and t["status"] != CLOSED]
    rows = [
        el("p", link_ticket(request, ticket, f"{ticket['number']} {ticket['subject']}"))
        for ticket in unassigned[:MAX_UNASSIGNED]
    ]
    return render_page(
        request,
        "Overview",
        details(
            ("Today", request.locale.format_date(request.world.today)),
            *counts,
            ("Without assignee", len(unassigned)),
        ),
        section(
            "Without assignee the longest",
            join(rows) if rows else note("All tickets have an assignee"),
        ),
    )


@PAGES.get("/tickets")
def show_tickets(request: RequestContext) -> str:
    """All tickets."""
    request.log_event("tickets")
    new = link("New ticket", request.url("/tickets/new"))
    listing = make_ticket_listing(request)
    return render_page(
        request, "Tickets", el("p", new), listing.render(request, request.state["tickets"])
    )


@PAGES.get("/deadlines")
def show_deadlines(request: RequestContext) -> str:
    """Overdue tickets, and how many each agent has."""
    request.log_event("deadlines")
    today = request.world.today
    overdue = [t for t in request.state["tickets"] if rules.is_overdue(t, today)]
    assignees = [get_agent_name(request.state, ticket) for ticket in overdue]
    counts = [(name, assignees.count(name)) for name in (*list_agent_names(request), NOBODY)]
    return render_page(
        request,
        "Deadlines",
        details(
            ("Today", request.locale.format_date(today)),
            ("Overdue in all", len(overdue)),
        ),
        note("New and open tickets are overdue after their due day. A ticket that waits is not."),
        section("Overdue by assignee", details(*counts)),
        section("Overdue tickets", make_ticket_listing(request).render(request, overdue)),
    )
