"""The pages of expense reports: the list, one report and its lines, decisions on it.

A draft, or a report that was sent back, offers changes; a submitted one offers decisions.
"""

from __future__ import annotations

from envs.gyms.apps.people import rules_expenses
from envs.gyms.apps.people.page_parts import get_person_of, link_person, list_people_options
from envs.gyms.apps.people.vocabulary import (
    CATEGORIES,
    DRAFT,
    RECEIPT_REQUIRED_FROM,
    REPORT_STATUSES,
    SENT_BACK,
    SUBMITTED,
)
from envs.gyms.kit.html import Field, badge, button, details, el, form, link, note
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()


@PAGES.get("/expenses")
def show_reports(request: RequestContext) -> str:
    """GET: all expense reports."""
    request.log_event("expenses")
    listing = Listing(
        columns=(
            Column(
                "Number",
                lambda report: link(report["number"], request.url(f"/expenses/{report['id']}")),
            ),
            Column("Person", lambda report: get_person_of(request, report)["name"]),
            Column("Purpose", lambda report: report["purpose"]),
            Column("Date", lambda report: request.locale.format_date(report["date"])),
            Column(
                "Total",
                lambda report: request.locale.format_money(rules_expenses.report_total(report)),
            ),
            Column("Status", lambda report: badge(report["status"])),
        ),
        searchable_text=lambda report: (
            f"{report['number']} {get_person_of(request, report)['name']} {report['purpose']}"
        ),
        sorts=(
            Sort("Newest", lambda report: (report["date"], report["number"]), descending=True),
            Sort("Oldest", lambda report: (report["date"], report["number"])),
            Sort(
                "Largest",
                lambda report: (rules_expenses.report_total(report), report["number"]),
                descending=True,
            ),
        ),
        filters=(
            Filter(
                "status",
                "Status",
                options=REPORT_STATUSES,
                get_option=lambda report: report["status"],
            ),
        ),
        empty="No expense reports. Try another search",
    )
    new = el("p", link("New report", request.url("/expenses/new")))
    return render_page(request, "Expenses", new, listing.render(request, request.state["reports"]))


@PAGES.get("/expenses/new")
def show_report_form(request: RequestContext) -> str:
    """GET: the form for a new report."""
    fields = (
        Field("person", "Person", kind="choice", options=list_people_options(request)),
        Field("purpose", "Purpose"),
    )
    return render_page(
        request, "New report", form(request, "create", fields, "Create report", "/expenses")
    )


@PAGES.post("/expenses/new/create")
def create_report(request: RequestContext) -> Redirect:
    """POST: adds a draft."""
    person = request.get_choice("person", "Person", [p["id"] for p in request.state["staff"]])
    purpose = request.get_text("purpose", "Purpose", 60)
    report = rules_expenses.create_report(request.state, person, purpose, request.world.today)
    return request.redirect_to(f"/expenses/{report['id']}", f"{report['number']} created")


@PAGES.get("/expenses/{key}")
def show_report(request: RequestContext, key: str) -> str:
    """GET: one report with its lines."""
    report = get_record(request.state, "reports", key)
    request.log_event(f"report:{key}")
    locale, path = request.locale, f"/expenses/{key}"
    editable = report["status"] in (DRAFT, SENT_BACK)
    rows = [
        el(
            "tr",
            el("td", line["category"]),
            el("td", locale.format_date(line["date"])),
            el("td", locale.format_money(line["amount"])),
            el("td", "Attached" if line["receipt"] else "Missing"),
            el(
                "td",
                button(request, "remove", "Remove", f"Remove line {number}", line=line["id"])
                if editable
                else None,
            ),
        )
        for number, line in enumerate(report["lines"], 1)
    ]
    titles = el("tr", [el("th", t) for t in ("Category", "Date", "Amount", "Receipt", "")])
    actions = []
    if editable:
        actions = [
            link("Add line", request.url(f"{path}/line")),
            button(request, "submit", "Submit report"),
        ]
    if report["status"] == SUBMITTED:
        actions = [
            button(request, "approve", "Approve report"),
            link("Send back", request.url(f"{path}/back")),
        ]
    return render_page(
        request,
        "Expense report",
        details(
            ("Person", link_person(request, get_person_of(request, report))),
            ("Purpose", report["purpose"]),
            ("Status", report["status"]),
            ("Date", locale.format_date(report["date"])),
            ("Total", locale.format_money(rules_expenses.report_total(report))),
            ("Reason", report["reason"] or "None"),
        ),
        el("div", actions, class_="row"),
        el("table", titles, rows) if rows else note("No lines yet"),
        note(f"Lines of {locale.format_money(RECEIPT_REQUIRED_FROM)} or more need a receipt."),
        heading=f"Expense report {report['number']}",
    )


@PAGES.get("/expenses/{key}/line")
def show_line_form(request: RequestContext, key: str) -> str:
    """GET: the form for a new line."""
    report = get_record(request.state, "reports", key)
    fields = (
        Field("category", "Category", kind="choice", options=CATEGORIES),
        Field("date", "Date", kind="date", value=request.locale.format_date(request.world.today)),
        Field(
            "amount", "Amount", kind="money", hint=f"such as {request.locale.format_money(12050)}"
        ),
        Field("receipt", "A receipt is attached", kind="check"),
    )
    return render_page(
        request,
        "New line",
        form(request, "create", fields, "Save line", f"/expenses/{key}"),
        heading=f"New line of {report['number']}",
    )


@PAGES.post("/expenses/{key}/line/create")
def add_line(request: RequestContext, key: str) -> Redirect:
    """POST: adds a line."""
    rules_expenses.add_line(
        request.state,
        key,
        request.form.get("category", ""),
        request.get_date("date", "Date"),
        request.get_cents("amount", "Amount"),
        request.form.get("receipt") == "yes",
        request.world.today,
    )
    return request.redirect_to(f"/expenses/{key}", "Line saved")


@PAGES.post("/expenses/{key}/remove")
def remove_line(request: RequestContext, key: str) -> Redirect:
    """POST: removes a line."""
    rules_expenses.remove_line(request.state, key, request.form.get("line", ""))
    return request.redirect_to(f"/expenses/{key}", "Line removed")


@PAGES.post("/expenses/{key}/submit")
def submit_report(request: RequestContext, key: str) -> Redirect:
    """POST: submits a report."""
    rules_expenses.submit_report(request.state, key)
    return request.redirect_to(f"/expenses/{key}", "Report submitted")


@PAGES.post("/expenses/{key}/approve")
def approve_report(request: RequestContext, key: str) -> Redirect:
    """POST: approves a report."""
    rules_expenses.approve_report(request.state, key)
    return request.redirect_to(f"/expenses/{key}", "Report approved")


@PAGES.get("/expenses/{key}/back")
def show_return_form(request: RequestContext, key: str) -> str:
    """GET: the form for the reason of sending a report back."""
    report = get_record(request.state, "reports", key)
    fields = (Field("reason", "Reason"),)
    return render_page(
        request,
        "Send back",
        form(request, "send", fields, "Send report back", f"/expenses/{key}"),
        heading=f"Send {report['number']} back",
    )


@PAGES.post("/expenses/{key}/back/send")
def send_report_back(request: RequestContext, key: str) -> Redirect:
    """POST: sends a report back."""
    rules_expenses.send_back(request.state, key, request.get_text("reason", "Reason"))
    return request.redirect_to(f"/expenses/{key}", "Report sent back")
