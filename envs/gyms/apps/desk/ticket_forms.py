"""The help desk's forms on a ticket: writing, details, escalation."""

from __future__ import annotations

from envs.gyms.apps.desk import rules
from envs.gyms.apps.desk.data import NOTE, PRODUCTS, REPLY, SOLVED, TEAMS, WAITING
from envs.gyms.apps.desk.labels import get_customer
from envs.gyms.kit.html import Field, el, form, select
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()
KEEP_STATUS = "Leave as it is"
NEXT_STATUSES = (KEEP_STATUS, WAITING, SOLVED)
KINDS = ((REPLY, "Public reply"), (NOTE, "Internal note"))


@PAGES.get("/tickets/{key}/write")
def show_message_form(request: RequestContext, key: str) -> str:
    """Form of a reply or note; ?canned= fills in a canned reply's text."""
    ticket = get_record(request.state, "tickets", key)
    customer = get_customer(request, ticket)
    replies = request.state["canned"]
    chosen = request.query.get("canned", "")
    text = next(
        (rules.fill_canned_reply(reply, customer) for reply in replies if reply["id"] == chosen), ""
    )
    titles = sorted(
        ((reply["id"], reply["title"]) for reply in replies), key=lambda option: option[1]
    )
    insert = el(
        "form",
        el(
            "label",
            el("span", "Canned reply"),
            select("canned", [("", "None"), *titles], chosen),
        ),
        el("button", "Insert text"),
        action=request.path,
        class_="listing",
    )
    hint = f"{customer['name']} reads a public reply; an internal note stays here"
    fields = (
        Field("text", "Text", kind="long", value=text),
        Field("kind", "Send as", kind="choice", value=REPLY, options=KINDS, hint=hint),
        Field("then", "Status afterwards", kind="choice", value=KEEP_STATUS, options=NEXT_STATUSES),
    )
    return render_page(
        request,
        "Write",
        insert,
        form(request, "send", fields, "Send message", f"/tickets/{key}"),
        heading=f"Write on {ticket['number']}",
    )


@PAGES.post("/tickets/{key}/write/send")
def send_message(request: RequestContext, key: str) -> Redirect:
    """Sends a reply or saves a note, and sets the status where one is chosen."""
    text = request.get_text("text", "Text", 1000)
    kind = request.get_choice("kind", "Send as", (REPLY, NOTE))
    status = request.get_choice("then", "Status afterwards", NEXT_STATUSES)
    if status != KEEP_STATUS:
        rules.update_ticket(request.state, key, status)
    author, today = request.world.user.name, request.world.today
    rules.add_post(request.state, key, kind, text, author, today)
    return request.redirect_to(f"/tickets/{key}", "Reply sent" if kind == REPLY else "Note saved")


@PAGES.get("/tickets/{key}/details")
def show_details_form(request: RequestContext, key: str) -> str:
    """Form of a ticket's subject, product, due day and tags."""
    ticket = get_record(request.state, "tickets", key)
    due = request.locale.format_date(ticket["due"])
    fields = (
        Field("subject", "Subject", value=ticket["subject"]),
        Field(
            "product",
            "Product",
            kind="choice",
            value=ticket["product"],
            options=PRODUCTS[request.world.split],
        ),
        Field("due", "Due", kind="date", value=due),
        Field("tags", "Tags", value=", ".join(ticket["tags"]), hint="with commas between them"),
    )
    return render_page(
        request,
        "Edit details",
        form(request, "save", fields, "Save details", f"/tickets/{key}"),
        heading=f"Edit {ticket['number']}",
    )


@PAGES.post("/tickets/{key}/details/save")
def save_details(request: RequestContext, key: str) -> Redirect:
    """Saves the details."""
    rules.edit_ticket(
        request.state,
        key,
        subject=request.get_text("subject", "Subject"),
        product=request.form.get("product", ""),
        due=request.get_date("due", "Due"),
        tags=request.form.get("tags", ""),
    )
    return request.redirect_to(f"/tickets/{key}", "Details saved")


@PAGES.get("/tickets/{key}/escalate")
def show_escalation_form(request: RequestContext, key: str) -> str:
    """Form of an escalation."""
    ticket = get_record(request.state, "tickets", key)
    fields = (
        Field("team", "Escalate to", kind="choice", options=TEAMS),
        Field("reason", "Reason", kind="long", hint="Low and Normal tickets become High"),
    )
    return render_page(
        request,
        "Escalate",
        form(request, "send", fields, "Escalate ticket", f"/tickets/{key}"),
        heading=f"Escalate {ticket['number']}",
    )


@PAGES.post("/tickets/{key}/escalate/send")
def escalate_ticket(request: RequestContext, key: str) -> Redirect:
    """Escalates the ticket."""
    team, reason = request.form.get("team", ""), request.get_text("reason", "Reason", 500)
    author, today = request.world.user.name, request.world.today
    rules.escalate_ticket(request.state, key, team, reason, author, today)
    return request.redirect_to(f"/tickets/{key}", "Ticket escalated")
