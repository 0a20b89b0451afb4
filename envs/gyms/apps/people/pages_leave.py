"""The pages of leave: the list, a new request, decisions."""

from __future__ import annotations

from envs.gyms.apps.people import rules_leave
from envs.gyms.apps.people.page_parts import get_person_of, link_person
from envs.gyms.apps.people.vocabulary import (
    APPROVED,
    LEAVE_STATUSES,
    LEAVE_TYPES,
    PENDING,
    REJECTED,
)
from envs.gyms.kit.html import Field, badge, button, confirm_button, details, el, form, link, menu
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.names import DEPARTMENTS
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()


def _make_listing(request: RequestContext) -> Listing:
    return Listing(
        columns=(
            Column(
                "Number", lambda leave: link(leave["number"], request.url(f"/leave/{leave['id']}"))
            ),
            Column("Person", lambda leave: get_person_of(request, leave)["name"]),
            Column("Type", lambda leave: leave["type"]),
            Column("From", lambda leave: request.locale.format_date(leave["from"])),
            Column("To", lambda leave: request.locale.format_date(leave["to"])),
            Column("Days", lambda leave: rules_leave.format_days(leave["halves"])),
            Column("Status", lambda leave: badge(leave["status"])),
        ),
        searchable_text=lambda leave: f"{leave['number']} {get_person_of(request, leave)['name']}",
        sorts=(
            Sort("Newest", lambda leave: leave["number"], descending=True),
            Sort("Begins first", lambda leave: (leave["from"], leave["number"])),
            Sort("Longest", lambda leave: (leave["halves"], leave["number"]), descending=True),
        ),
        filters=(
            Filter(
                "status", "Status", options=LEAVE_STATUSES, get_option=lambda leave: leave["status"]
            ),
            Filter("type", "Type", options=LEAVE_TYPES, get_option=lambda leave: leave["type"]),
            Filter(
                "of",
                "Department",
                options=DEPARTMENTS,
                get_option=lambda leave: get_person_of(request, leave)["department"],
            ),
        ),
        empty="No leave requests. Try another search",
    )


@PAGES.get("/leave")
def show_leave_list(request: RequestContext) -> str:
    """GET: all leave requests."""
    request.log_event("leave")
    return render_page(
        request, "Leave", _make_listing(request).render(request, request.state["leave"])
    )


@PAGES.get("/staff/{key}/leave")
def show_leave_form(request: RequestContext, key: str) -> str:
    """GET: the form for a leave request."""
    person = get_record(request.state, "staff", key)
    request.log_event(f"request:{key}")
    fields = (
        Field("type", "Type", kind="choice", options=LEAVE_TYPES),
        Field("from", "First day", kind="date"),
        Field("to", "Last day", kind="date"),
        Field("half", "The last day is a half day", kind="check"),
    )
    days_left = rules_leave.format_days(rules_leave.vacation_left(request.state, key))
    return render_page(
        request,
        "Request leave",
        details(("Vacation left", f"{days_left} days")),
        form(request, "create", fields, "Request leave", f"/staff/{key}"),
        heading=f"Leave for {person['name']}",
    )


@PAGES.post("/staff/{key}/leave/create")
def create_leave_request(request: RequestContext, key: str) -> Redirect:
    """POST: adds a pending request."""
    leave = rules_leave.request_leave(
        request.state,
        key,
        request.form.get("type", ""),
        request.get_date("from", "First day"),
        request.get_date("to", "Last day"),
        request.form.get("half") == "yes",
    )
    return request.redirect_to(f"/leave/{leave['id']}", f"{leave['number']} waits for a decision")


@PAGES.get("/leave/{key}")
def show_leave(request: RequestContext, key: str) -> str:
    """GET: one leave request, with the decisions that are open."""
    leave = get_record(request.state, "leave", key)
    request.log_event(f"leave:{key}")
    person, day = get_person_of(request, leave), request.locale.format_date
    days_left = rules_leave.format_days(rules_leave.vacation_left(request.state, person["id"]))
    actions = []
    if leave["status"] == PENDING:
        actions += [
            button(request, "approve", "Approve leave"),
            link("Reject leave", request.url(f"/leave/{key}/reject")),
        ]
    cancel = confirm_button(
        request, "cancel", "Cancel leave", f"{person['name']} will not be away in these days."
    )
    return render_page(
        request,
        "Leave request",
        details(
            ("Person", link_person(request, person)),
            ("Department", person["department"]),
            ("Type", leave["type"]),
            ("Status", leave["status"]),
            ("First day", day(leave["from"])),
            ("Last day", day(leave["to"])),
            ("Days", rules_leave.format_days(leave["halves"])),
            ("Vacation left", f"{days_left} days"),
            ("Reason", leave["reason"] or "None"),
        ),
        el("div", actions, menu("More", cancel), class_="row"),
        heading=f"Leave request {leave['number']}",
    )


@PAGES.post("/leave/{key}/approve")
def approve_leave_request(request: RequestContext, key: str) -> Redirect:
    """POST: approves a request."""
    rules_leave.decide_leave(request.state, key, APPROVED)
    return request.redirect_to(f"/leave/{key}", "Leave approved")


@PAGES.get("/leave/{key}/reject")
def show_rejection_form(request: RequestContext, key: str) -> str:
    """GET: the form for a rejection's reason."""
    leave = get_record(request.state, "leave", key)
    fields = (
        Field("reason", "Reason", hint=f"{get_person_of(request, leave)['name']} will read it"),
    )
    return render_page(
        request,
        "Reject leave",
        form(request, "reject", fields, "Reject request", f"/leave/{key}"),
        heading=f"Reject {leave['number']}",
    )


@PAGES.post("/leave/{key}/reject/reject")
def reject_leave(request: RequestContext, key: str) -> Redirect:
    """POST: rejects a request."""
    rules_leave.decide_leave(request.state, key, REJECTED, request.get_text("reason", "Reason"))
    return request.redirect_to(f"/leave/{key}", "Leave rejected")


@PAGES.post("/leave/{key}/cancel")
def cancel_leave(request: RequestContext, key: str) -> Redirect:
    """POST: cancels leave that has not begun."""
    rules_leave.cancel_leave(request.state, key, request.world.today)
    return request.redirect_to(f"/leave/{key}", "Leave cancelled")
