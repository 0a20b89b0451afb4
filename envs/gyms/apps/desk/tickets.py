"""The help desk's pages of a new ticket and of one ticket: facts, conversation, quick changes."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.apps.desk import rules
from envs.gyms.apps.desk.data import (
    CLOSED,
    DUE_DAYS,
    MESSAGE,
    NOTE,
    PRIORITIES,
    PRODUCTS,
    REPLY,
    STATUSES,
    Item,
)
from envs.gyms.apps.desk.labels import NOBODY, get_agent_name, get_customer, link_ticket
from envs.gyms.kit.html import (
    Child,
    Field,
    confirm_button,
    details,
    el,
    form,
    get_initials,
    join,
    link,
    menu,
    note,
    section,
)
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()
POST_VERBS = {MESSAGE: "wrote", REPLY: "replied", NOTE: "noted for colleagues"}


@PAGES.get("/tickets/new")
def show_new_ticket(request: RequestContext) -> str:
    """Form of a new ticket."""
    customers = sorted(
        ((c["id"], f"{c['name']}, {c['org']}") for c in request.state["customers"]),
        key=lambda option: option[1],
    )
    fields = (
        Field("customer", "Requester", kind="choice", options=customers),
        Field("subject", "Subject"),
        Field("product", "Product", kind="choice", options=PRODUCTS[request.world.split]),
        Field("priority", "Priority", kind="choice", value="Normal", options=PRIORITIES),
        Field("text", "Message", kind="long"),
    )
    return render_page(
        request, "New ticket", form(request, "create", fields, "Create ticket", "/tickets")
    )


@PAGES.post("/tickets/new/create")
def create_ticket(request: RequestContext) -> Redirect:
    """Creates the ticket and leads to it."""
    customers = [customer["id"] for customer in request.state["customers"]]
    priority = request.get_choice("priority", "Priority", PRIORITIES)
    ticket = rules.create_ticket(
        request.state,
        customer=request.get_choice("customer", "Requester", customers),
        subject=request.get_text("subject", "Subject"),
        product=request.form.get("product", ""),
        priority=priority,
        text=request.get_text("text", "Message", 1000),
        today=request.world.today,
        due=request.world.day(DUE_DAYS[priority]),
    )
    return request.redirect_to(f"/tickets/{ticket['id']}", f"Created {ticket['number']}")


@PAGES.get("/tickets/{key}")
def show_ticket(request: RequestContext, key: str) -> str:
    """One ticket: facts, what can be done with it, conversation."""
    ticket = get_record(request.state, "tickets", key)
    request.log_event(f"ticket:{key}")
    is_closed = ticket["status"] == CLOSED
    return render_page(
        request,
        "Ticket",
        details(*_list_facts(request, ticket), *_list_related_tickets(request, ticket)),
        note("This ticket is closed") if is_closed else _render_actions(request, ticket),
        section("Conversation", join(_render_post(request, post) for post in ticket["posts"])),
        heading=f"{ticket['number']} {ticket['subject']}",
    )


def _list_facts(request: RequestContext, ticket: Item) -> list[tuple[str, Child]]:
    customer = get_customer(request, ticket)
    facts: list[tuple[str, Child]] = [
        ("Customer", link(customer["name"], request.url(f"/customers/{customer['id']}"))),
        ("Organisation", customer["org"]),
        ("Product", ticket["product"]),
        ("Status", ticket["status"]),
        ("Priority", ticket["priority"]),
        ("Assignee", get_agent_name(request.state, ticket)),
        ("Created", request.locale.format_date(ticket["created"])),
        ("Due", request.locale.format_date(ticket["due"])),
        ("Tags", ", ".join(ticket["tags"]) or "none"),
    ]
    return [*facts, ("Escalated to", ticket["escalated"])] if ticket["escalated"] else facts


def _list_related_tickets(request: RequestContext, ticket: Item) -> list[tuple[str, Child]]:
    """The parent, the ticket this one was merged into, and sub-tickets, with their states."""
    related = [
        (title, get_record(request.state, "tickets", ticket[relation]))
        for title, relation in (("Parent", "parent"), ("Merged into", "merged"))
        if ticket[relation]
    ]
    related += [
        ("Sub-ticket", other)
        for other in request.state["tickets"]
        if other["parent"] == ticket["id"]
    ]
    return [
        (title, join((link_ticket(request, other, other["number"]), f" {other['status']}")))
        for title, other in related
    ]


def _render_post(request: RequestContext, post: Item) -> Markup:
    day = request.locale.format_date(post["day"])
    return el(
        "div",
        el("p", el("b", post["author"]), f" {POST_VERBS[post['kind']]} on {day}"),
        el("p", post["text"]),
        class_=f"card {post['kind']}",
        data_initials=get_initials(post["author"]),
    )


def _render_actions(request: RequestContext, ticket: Item) -> Markup:
    """What can be done with a ticket that is not closed."""
    agents = sorted(
        (
            (agent["id"], f"{agent['name']}, on leave" if agent["away"] else agent["name"])
            for agent in request.state["agents"]
        ),
        key=lambda option: option[1],
    )
    fields = (
        Field("status", "Status", kind="choice", value=ticket["status"], options=STATUSES[:-1]),
        Field("priority", "Priority", kind="choice", value=ticket["priority"], options=PRIORITIES),
        Field(
            "assignee",
            "Assignee",
            kind="choice",
            value=ticket["assignee"] or "",
            options=[("", NOBODY), *agents],
        ),
    )
    at = f"/tickets/{ticket['id']}"
    warning = f"{ticket['number']} can then neither be changed nor opened again."
    more = menu(
        "More",
        link("Merge ticket", request.url(f"{at}/merge")),
        link("Set parent", request.url(f"{at}/parent")),
        link("Escalate", request.url(f"{at}/escalate")),
        confirm_button(request, "close", "Close ticket", warning),
    )
    links = el(
        "div",
        link("Write", request.url(f"{at}/write")),
        link("Edit details", request.url(f"{at}/details")),
        more,
        class_="row",
    )
    return join((links, form(request, "save", fields, "Save ticket")))


@PAGES.post("/tickets/{key}/save")
def save_ticket(request: RequestContext, key: str) -> Redirect:
    """Saves status, priority and assignee."""
    rules.update_ticket(
        request.state,
        key,
        status=request.form.get("status", ""),
        priority=request.form.get("priority", ""),
        assignee=request.form.get("assignee"),
    )
    return request.redirect_to(f"/tickets/{key}", "Ticket saved")


@PAGES.post("/tickets/{key}/close")
def close_ticket(request: RequestContext, key: str) -> Redirect:
    """Closes a ticket for good."""
    rules.update_ticket(request.state, key, CLOSED)
    return request.redirect_to(f"/tickets/{key}", "Ticket closed")
