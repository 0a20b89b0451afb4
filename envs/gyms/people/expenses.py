"""The portal's pages of expense reports: the list, one report and its lines, decisions on it.

A draft, or a report that was sent back, offers changes; a submitted one offers decisions.
"""

from __future__ import annotations

from envs.gyms.kit.frame import page
from envs.gyms.kit.here import Here
from envs.gyms.kit.html import Field, badge, button, details, el, form, link, note
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.records import one
from envs.gyms.pages import Redirect
from envs.gyms.people import rules
from envs.gyms.people.app import PEOPLE, people_options, person_link, person_of
from envs.gyms.people.data import (
    CATEGORIES,
    DRAFT,
    RECEIPT_FROM,
    REPORT_STATUSES,
    SENT_BACK,
    SUBMITTED,
)


@PEOPLE.get("/expenses")
def reports(here: Here) -> str:
    here.note("expenses")
    listing = Listing(
        columns=(
            Column("Number", lambda x: link(x["number"], here.url(f"/expenses/{x['id']}"))),
            Column("Person", lambda x: person_of(here, x)["name"]),
            Column("Purpose", lambda x: x["purpose"]),
            Column("Date", lambda x: here.look.date(x["date"])),
            Column("Total", lambda x: here.look.money(rules.total_of(x))),
            Column("Status", lambda x: badge(x["status"])),
        ),
        words=lambda x: f"{x['number']} {person_of(here, x)['name']} {x['purpose']}",
        sorts=(
            Sort("Newest", lambda x: (x["date"], x["number"]), descending=True),
            Sort("Oldest", lambda x: (x["date"], x["number"])),
            Sort("Largest", lambda x: (rules.total_of(x), x["number"]), descending=True),
        ),
        filters=(Filter("status", "Status", REPORT_STATUSES, lambda x: x["status"]),),
        empty="No expense reports. Try another search",
    )
    new = el("p", link("New report", here.url("/expenses/new")))
    return page(here, "Expenses", new, listing.show(here, here.state["reports"]))


@PEOPLE.get("/expenses/new")
def report_new(here: Here) -> str:
    fields = (
        Field("person", "Person", "choice", options=people_options(here)),
        Field("purpose", "Purpose"),
    )
    return page(here, "New report", form(here, "create", fields, "Create report", "/expenses"))


@PEOPLE.post("/expenses/new/create")
def report_create(here: Here) -> Redirect:
    person = here.choice("person", "Person", [p["id"] for p in here.state["staff"]])
    purpose = here.required("purpose", "Purpose", 60)
    made = rules.new_report(here.state, person, purpose, here.world.today)
    return here.to(f"/expenses/{made['id']}", f"{made['number']} created")


@PEOPLE.get("/expenses/{key}")
def report(here: Here, key: str) -> str:
    found = one(here.state, "reports", key)
    here.note(f"report:{key}")
    look, place = here.look, f"/expenses/{key}"
    editable = found["status"] in (DRAFT, SENT_BACK)
    rows = [
        el("tr", el("td", x["category"]), el("td", look.date(x["date"])),
           el("td", look.money(x["amount"])), el("td", "Attached" if x["receipt"] else "Missing"),
           el("td", button(here, "remove", "Remove", f"Remove line {number}", line=x["id"])
              if editable else None))
        for number, x in enumerate(found["lines"], 1)
    ]  # fmt: skip
    titles = el("tr", [el("th", t) for t in ("Category", "Date", "Amount", "Receipt", "")])
    actions = []
    if editable:
        actions = [link("Add line", here.url(f"{place}/line")),
                   button(here, "submit", "Submit report")]  # fmt: skip
    if found["status"] == SUBMITTED:
        actions = [button(here, "approve", "Approve report"),
                   link("Send back", here.url(f"{place}/back"))]  # fmt: skip
    return page(
        here, "Expense report",
        details(
            ("Person", person_link(here, person_of(here, found))), ("Purpose", found["purpose"]),
            ("Status", found["status"]), ("Date", look.date(found["date"])),
            ("Total", look.money(rules.total_of(found))), ("Reason", found["reason"] or "None"),
        ),
        el("div", actions, class_="row"),
        el("table", titles, rows) if rows else note("No lines yet"),
        note(f"Lines of {look.money(RECEIPT_FROM)} or more need a receipt."),
        heading=f"Expense report {found['number']}",
    )  # fmt: skip


@PEOPLE.get("/expenses/{key}/line")
def line_new(here: Here, key: str) -> str:
    found = one(here.state, "reports", key)
    fields = (
        Field("category", "Category", "choice", options=CATEGORIES),
        Field("date", "Date", "date", here.look.date(here.world.today)),
        Field("amount", "Amount", "money", hint=f"such as {here.look.money(12050)}"),
        Field("receipt", "A receipt is attached", "check"),
    )
    return page(
        here, "New line", form(here, "create", fields, "Save line", f"/expenses/{key}"),
        heading=f"New line of {found['number']}",
    )  # fmt: skip


@PEOPLE.post("/expenses/{key}/line/create")
def line_create(here: Here, key: str) -> Redirect:
    rules.add_line(
        here.state, key, here.form.get("category", ""), here.day("date", "Date"),
        here.cents("amount", "Amount"), here.form.get("receipt") == "yes", here.world.today,
    )  # fmt: skip
    return here.to(f"/expenses/{key}", "Line saved")


@PEOPLE.post("/expenses/{key}/remove")
def line_remove(here: Here, key: str) -> Redirect:
    rules.remove_line(here.state, key, here.form.get("line", ""))
    return here.to(f"/expenses/{key}", "Line removed")


@PEOPLE.post("/expenses/{key}/submit")
def report_submit(here: Here, key: str) -> Redirect:
    rules.submit_report(here.state, key)
    return here.to(f"/expenses/{key}", "Report submitted")


@PEOPLE.post("/expenses/{key}/approve")
def report_approve(here: Here, key: str) -> Redirect:
    rules.approve_report(here.state, key)
    return here.to(f"/expenses/{key}", "Report approved")


@PEOPLE.get("/expenses/{key}/back")
def report_back(here: Here, key: str) -> str:
    found = one(here.state, "reports", key)
    fields = (Field("reason", "Reason"),)
    return page(
        here, "Send back", form(here, "send", fields, "Send report back", f"/expenses/{key}"),
        heading=f"Send {found['number']} back",
    )  # fmt: skip


@PEOPLE.post("/expenses/{key}/back/send")
def report_sent_back(here: Here, key: str) -> Redirect:
    rules.send_back(here.state, key, here.required("reason", "Reason"))
    return here.to(f"/expenses/{key}", "Report sent back")
