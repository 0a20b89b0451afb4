"""The help desk's pages that relate a ticket to another: merging it, making it a sub-ticket.

A merge is offered only where the rules allow it; otherwise the page says why not.
"""

from __future__ import annotations

from urllib.parse import urlencode

from markupsafe import Markup

from envs.gyms.apps.desk import relations
from envs.gyms.apps.desk.data import CLOSED, Item
from envs.gyms.apps.desk.labels import get_customer
from envs.gyms.apps.desk.rules import get_ticket_by_number
from envs.gyms.kit.html import Field, confirm_button, details, el, form, join, link, note, section
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext
from envs.gyms.server.gym import Refused

PAGES = PageGroup()
MAX_CANDIDATES = 8
"""Tickets of the same customer that the page of a merge lists."""


@PAGES.get("/tickets/{key}/merge")
def show_merge(request: RequestContext, key: str) -> str:
    """Search for the ticket to merge into (?into=HD-2001), and what that merge would do."""
    ticket = get_record(request.state, "tickets", key)
    number = request.query.get("into", "")
    box = el("input", name="into", value=number, placeholder="HD-2001", autocomplete="off")
    search = el(
        "form",
        el("label", el("span", "Into ticket"), box),
        el("button", "Look it up"),
        action=request.path,
        class_="listing",
    )
    candidates = _render_candidates(request, ticket)
    return render_page(
        request,
        "Merge",
        search,
        _render_preview(request, ticket, number) if number else None,
        section("Other tickets of this customer", candidates or note("There are none")),
        heading=f"Merge {ticket['number']}",
    )


def _render_candidates(request: RequestContext, ticket: Item) -> Markup:
    """The customer's newest other tickets that are not closed."""
    candidates = [
        other
        for other in request.state["tickets"]
        if other["customer"] == ticket["customer"]
        and other is not ticket
        and other["status"] != CLOSED
    ]
    rows = []
    for other in candidates[-MAX_CANDIDATES:]:
        query = urlencode({"into": other["number"]})
        url = request.url(f"/tickets/{ticket['id']}/merge?{query}")
        day = request.locale.format_date(other["created"])
        name = link(f"{other['number']} {other['subject']}", url)
        rows.append(el("p", name, f" of {day}, {other['status']}"))
    return join(rows)


def _render_preview(request: RequestContext, ticket: Item, number: str) -> Markup:
    """What a merge would do, and the button for it."""
    try:
        into = get_ticket_by_number(request.state, number)
    except Refused as refusal:
        return note(str(refusal))
    request.log_event(f"merge:{ticket['id']}:{into['id']}")
    customer = get_customer(request, into)
    facts = details(
        ("This ticket", f"{ticket['number']} {ticket['subject']}"),
        ("Goes into", f"{into['number']} {into['subject']}"),
        ("Customer", f"{customer['name']}, {customer['org']}"),
        ("Status", into["status"]),
    )
    problem = relations.find_merge_problem(request.state, ticket, into)
    if problem:
        return join((facts, note(problem)))
    question = f"{ticket['number']} is closed for good; {into['number']} goes on."
    return join((facts, confirm_button(request, "merge", "Merge them", question, into=into["id"])))


@PAGES.post("/tickets/{key}/merge/merge")
def merge_tickets(request: RequestContext, key: str) -> Redirect:
    """Merges the ticket, and leads to the one that goes on."""
    into = request.form.get("into", "")
    author, today = request.world.user.name, request.world.today
    relations.merge_tickets(request.state, key, into, author, today)
    return request.redirect_to(f"/tickets/{into}", "Tickets merged")


@PAGES.get("/tickets/{key}/parent")
def show_parent_form(request: RequestContext, key: str) -> str:
    """Form of a ticket's parent, by number."""
    ticket = get_record(request.state, "tickets", key)
    number = ""
    if ticket["parent"]:
        number = get_record(request.state, "tickets", ticket["parent"])["number"]
    fields = (Field("parent", "Parent ticket", value=number, hint="empty: it has none"),)
    return render_page(
        request,
        "Set parent",
        form(request, "save", fields, "Save parent", f"/tickets/{key}"),
        heading=f"Parent of {ticket['number']}",
    )


@PAGES.post("/tickets/{key}/parent/save")
def save_parent(request: RequestContext, key: str) -> Redirect:
    """Sets or removes the parent."""
    number = request.form.get("parent", "").strip()
    parent = get_ticket_by_number(request.state, number)["id"] if number else None
    relations.set_parent(request.state, key, parent)
    return request.redirect_to(f"/tickets/{key}", "Parent saved")
