"""Billing's pages and site tools."""

from __future__ import annotations

import random
from typing import Any

from envs.gyms.billing import rules
from envs.gyms.billing.data import (
    DRAFT,
    EVERY,
    METHODS,
    SENT,
    SERVICES,
    STATUSES,
    TERMS,
    VOID,
    fresh,
)
from envs.gyms.gym import Refused, State
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
    section,
)
from envs.gyms.kit.listing import Column, Filter, Item, Listing, Sort
from envs.gyms.kit.records import one
from envs.gyms.kit.site_tools import Tools, site_tool
from envs.gyms.pages import Redirect

OVERDUE = "Overdue"


def _stray(state: State, rng: random.Random) -> None:
    customer = rng.choice(state["customers"])
    customer["contact"] = f"{customer['contact']} jr"


@site_tool("billing.find_invoices")
def find_invoices(here: Tools, text: str, status: str | None = None) -> list[dict[str, Any]]:
    """Invoices whose number or customer contains the text, at most 20: id, number, customer,
    status, due (ISO date), total and open amount in cents."""
    found = []
    for invoice in here.state["invoices"]:
        name = one(here.state, "customers", invoice["customer"])["name"]
        if text.lower() in f"{invoice['number']} {name}".lower() and status in (
            None,
            invoice["status"],
        ):
            left = rules.open_of(here.state, invoice)
            keys = ("id", "number", "status", "due", "total")
            found.append({key: invoice[key] for key in keys} | {"customer": name, "open": left})
    return found[:20]


@site_tool("billing.record_payment")
def record_payment(here: Tools, number: str, cents: int, method: str) -> str:
    """Records a payment of today on an invoice by its number. method: Bank transfer, Card, Cheque
    or Cash."""
    key = _by_number(here.state, number)
    rules.record_payment(here.state, key, cents, method, here.world.today)
    return f"recorded on {number}"


@site_tool("billing.send_invoice")
def send_invoice(here: Tools, number: str) -> str:
    """Sends a draft to its customer."""
    rules.send(here.state, _by_number(here.state, number))
    return f"sent {number}"


def _by_number(state: State, number: str) -> str:
    for invoice in state["invoices"]:
        if invoice["number"] == number:
            return str(invoice["id"])
    raise Refused(f"there is no invoice {number[:20]!r}")


BILLING = App(
    "billing",
    "Billing",
    (("Overview", "/"), ("Invoices", "/invoices"), ("Customers", "/customers"),
     ("Schedules", "/schedules")),
    fresh,
    _stray,
    (find_invoices, record_payment, send_invoice),
)  # fmt: skip


def _customer(here: Here, item: Item) -> Item:
    return one(here.state, "customers", item["customer"])


def _status(here: Here, invoice: Item) -> str:
    late = rules.is_overdue(invoice, here.world.today)
    return OVERDUE if late else str(invoice["status"])


def _invoices(here: Here) -> Listing:
    return Listing(
        columns=(
            Column("Number", lambda i: link(i["number"], here.url(f"/invoices/{i['id']}"))),
            Column("Customer", lambda i: _customer(here, i)["name"]),
            Column("Date", lambda i: here.look.date(i["date"])),
            Column("Due", lambda i: here.look.date(i["due"])),
            Column("Total", lambda i: here.look.money(i["total"])),
            Column("Status", lambda i: badge(_status(here, i))),
        ),
        words=lambda i: f"{i['number']} {_customer(here, i)['name']}",
        sorts=(
            Sort("Newest", lambda i: (i["date"], i["number"]), descending=True),
            Sort("Due first", lambda i: (i["due"], i["number"])),
            Sort("Largest", lambda i: (i["total"], i["number"]), descending=True),
        ),
        filters=(Filter("status", "Status", (*STATUSES, OVERDUE), lambda i: _status(here, i)),),
        empty="No invoices. Try another search",
    )


@BILLING.get("/")
def overview(here: Here) -> str:
    late = [i for i in here.state["invoices"] if rules.is_overdue(i, here.world.today)]
    oldest = sorted(late, key=lambda i: i["due"])[:5]
    drafts = [i for i in here.state["invoices"] if i["status"] == DRAFT]
    rows = [
        el("p", link(f"{i['number']} {_customer(here, i)['name']}",
                     here.url(f"/invoices/{i['id']}")))
        for i in oldest
    ]  # fmt: skip
    return page(
        here, "Overview",
        details(("Today", here.look.date(here.world.today)), ("Overdue invoices", len(late)),
                ("Drafts", len(drafts))),
        section("Overdue the longest", join(rows)),
    )  # fmt: skip


@BILLING.get("/invoices")
def invoices(here: Here) -> str:
    here.note("invoices")
    new = link("New invoice", here.url("/invoices/new"))
    return page(here, "Invoices", el("p", new), _invoices(here).show(here, here.state["invoices"]))


@BILLING.get("/invoices/new")
def invoice_new(here: Here) -> str:
    names = [(c["id"], c["name"]) for c in here.state["customers"]]
    fields = (
        Field("customer", "Customer", "choice", options=sorted(names, key=lambda n: n[1])),
        Field("text", "Service", "choice", options=SERVICES),
        Field("qty", "Quantity", value="1"),
        Field("price", "Price", "money", hint=f"each, such as {here.look.money(12050)}"),
    )
    return page(here, "New invoice", form(here, "create", fields, "Create draft", "/invoices"))


@BILLING.post("/invoices/new/create")
def invoice_create(here: Here) -> Redirect:
    names = [c["id"] for c in here.state["customers"]]
    qty = here.required("qty", "Quantity", 3)
    made = rules.create_invoice(
        here.state, here.choice("customer", "Customer", names),
        here.choice("text", "Service", SERVICES), int(qty) if qty.isdecimal() else 0,
        here.cents("price", "Price"), here.world.today,
    )  # fmt: skip
    return here.to(f"/invoices/{made['id']}", f"Created {made['number']}")


@BILLING.get("/invoices/{key}")
def invoice(here: Here, key: str) -> str:
    found = one(here.state, "invoices", key)
    here.note(f"invoice:{key}")
    customer = _customer(here, found)
    money, day = here.look.money, here.look.date
    lines = el(
        "table",
        el("tr", [el("th", t) for t in ("Service", "Quantity", "Price", "Amount")]),
        [
            el("tr", el("td", one["text"]), el("td", one["qty"]), el("td", money(one["price"])),
               el("td", money(one["qty"] * one["price"])))
            for one in found["lines"]
        ],
    )  # fmt: skip
    paid = [p for p in here.state["payments"] if p["invoice"] == key]
    actions = []
    if found["status"] == DRAFT:
        actions.append(button(here, "send", "Send invoice"))
    if found["status"] == SENT:
        actions.append(link("Record payment", here.url(f"/invoices/{key}/payment")))
    more = menu(
        "More",
        link("Customer's page", here.url(f"/customers/{customer['id']}")),
        confirm(here, "void", "Void invoice", f"{found['number']} can then not be paid any more."),
    )
    return page(
        here, "Invoice",
        details(
            ("Customer", link(customer["name"], here.url(f"/customers/{customer['id']}"))),
            ("Status", _status(here, found)), ("Date", day(found["date"])),
            ("Due", day(found["due"])), ("Total", money(found["total"])),
            ("Open", money(rules.open_of(here.state, found))),
        ),
        el("div", actions, more, class_="row"), lines,
        section("Payments", join(
            el("p", f"{day(p['date'])} {money(p['amount'])} by {p['method']}") for p in paid
        ) if paid else el("p", "None yet")),
        heading=f"Invoice {found['number']}",
    )  # fmt: skip


@BILLING.post("/invoices/{key}/send")
def invoice_send(here: Here, key: str) -> Redirect:
    rules.send(here.state, key)
    return here.to(f"/invoices/{key}", "Invoice sent")


@BILLING.post("/invoices/{key}/void")
def invoice_void(here: Here, key: str) -> Redirect:
    rules.void(here.state, key)
    return here.to(f"/invoices/{key}", f"Invoice is now {VOID.lower()}")


@BILLING.get("/invoices/{key}/payment")
def payment(here: Here, key: str) -> str:
    found = one(here.state, "invoices", key)
    left = here.look.money(rules.open_of(here.state, found))
    fields = (
        Field("amount", "Amount", "money", hint=f"still open: {left}"),
        Field("day", "Paid on", "date", here.look.date(here.world.today)),
        Field("method", "Method", "choice", options=METHODS),
    )
    return page(
        here, "Record payment", form(here, "record", fields, "Save payment", f"/invoices/{key}"),
        heading=f"Payment of {found['number']}",
    )  # fmt: skip


@BILLING.post("/invoices/{key}/payment/record")
def payment_record(here: Here, key: str) -> Redirect:
    day = here.day("day", "Paid on")
    if day > here.world.today:
        raise Refused("Paid on must not be in the future")
    rules.record_payment(
        here.state, key, here.cents("amount", "Amount"), here.form.get("method", ""), day
    )
    return here.to(f"/invoices/{key}", "Payment saved")


@BILLING.get("/customers")
def customers(here: Here) -> str:
    here.note("customers")
    listing = Listing(
        columns=(
            Column("Name", lambda c: link(c["name"], here.url(f"/customers/{c['id']}"))),
            Column("Contact", lambda c: c["contact"]),
            Column("Terms", lambda c: f"{c['terms']} days"),
            Column("", lambda c: badge("On hold") if c["hold"] else None),
        ),
        words=lambda c: f"{c['name']} {c['contact']} {c['email']}",
        sorts=(Sort("Name", lambda c: c["name"]), Sort("Contact", lambda c: c["contact"])),
        filters=(Filter("hold", "On hold", ("Yes", "No"), lambda c: "Yes" if c["hold"] else "No"),),
    )
    return page(here, "Customers", listing.show(here, here.state["customers"]))


@BILLING.get("/customers/{key}")
def customer(here: Here, key: str) -> str:
    found = one(here.state, "customers", key)
    here.note(f"customer:{key}")
    mine = [i for i in here.state["invoices"] if i["customer"] == key]
    left = sum(rules.open_of(here.state, i) for i in mine)
    hold = (
        button(here, "release", "Release customer")
        if found["hold"]
        else confirm(here, "hold", "Put on hold", "No invoice can be sent to it then.")
    )
    return page(
        here, "Customer",
        details(
            ("Contact", found["contact"]), ("E-mail", found["email"]),
            ("Payment terms", f"{found['terms']} days"), ("Open amount", here.look.money(left)),
            ("On hold", "Yes" if found["hold"] else "No"),
        ),
        el("div", link("Edit customer", here.url(f"/customers/{key}/edit")), menu("More", hold),
           class_="row"),
        section("Invoices", _invoices(here).show(here, mine)),
        heading=found["name"],
    )  # fmt: skip


@BILLING.get("/customers/{key}/edit")
def customer_edit(here: Here, key: str) -> str:
    found = one(here.state, "customers", key)
    fields = (
        Field("contact", "Contact", value=found["contact"]),
        Field("email", "E-mail", value=found["email"]),
        Field("terms", "Payment terms", "choice", found["terms"],
              [(days, f"{days} days") for days in TERMS]),
    )  # fmt: skip
    return page(
        here, "Edit customer", form(here, "save", fields, "Save customer", f"/customers/{key}"),
        heading=f"Edit {found['name']}",
    )  # fmt: skip


@BILLING.post("/customers/{key}/edit/save")
def customer_save(here: Here, key: str) -> Redirect:
    rules.edit_customer(
        here.state, key, here.required("contact", "Contact"), here.required("email", "E-mail"),
        here.form.get("terms", ""),
    )  # fmt: skip
    return here.to(f"/customers/{key}", "Customer saved")


@BILLING.post("/customers/{key}/hold")
def customer_hold(here: Here, key: str) -> Redirect:
    rules.set_hold(here.state, key, True)
    return here.to(f"/customers/{key}", "Customer is on hold")


@BILLING.post("/customers/{key}/release")
def customer_release(here: Here, key: str) -> Redirect:
    rules.set_hold(here.state, key, False)
    return here.to(f"/customers/{key}", "Customer is released")


def schedule_name(item: Item, customer: Item) -> str:
    return f"{customer['name']}: {item['text']}"


@BILLING.get("/schedules")
def schedules(here: Here) -> str:
    here.note("schedules")
    listing = Listing(
        columns=(
            Column("Schedule", lambda s: link(schedule_name(s, _customer(here, s)),
                                              here.url(f"/schedules/{s['id']}"))),
            Column("Amount", lambda s: here.look.money(s["amount"])),
            Column("Every", lambda s: s["every"]),
            Column("Next", lambda s: here.look.date(s["next"])),
            Column("", lambda s: badge("Active" if s["active"] else "Paused")),
        ),
        words=lambda s: schedule_name(s, _customer(here, s)),
        sorts=(
            Sort("Next", lambda s: (s["next"], s["id"])),
            Sort("Amount", lambda s: (s["amount"], s["id"]), descending=True),
        ),
        filters=(Filter("every", "Every", EVERY, lambda s: s["every"]),),
    )  # fmt: skip
    return page(here, "Schedules", listing.show(here, here.state["schedules"]))


@BILLING.get("/schedules/{key}")
def schedule(here: Here, key: str) -> str:
    found = one(here.state, "schedules", key)
    here.note(f"schedule:{key}")
    fields = (
        Field("amount", "Amount", "money", here.look.money(found["amount"])),
        Field("every", "Every", "choice", found["every"], EVERY),
        Field("next", "Next invoice", "date", here.look.date(found["next"])),
    )
    turn = (
        confirm(here, "pause", "Pause schedule", "No invoices are made while it is paused.")
        if found["active"]
        else button(here, "resume", "Resume schedule")
    )
    return page(
        here, "Schedule", form(here, "save", fields, "Save schedule", "/schedules"), turn,
        heading=schedule_name(found, _customer(here, found)),
    )  # fmt: skip


@BILLING.post("/schedules/{key}/save")
def schedule_save(here: Here, key: str) -> Redirect:
    rules.edit_schedule(
        here.state, key, here.cents("amount", "Amount"), here.form.get("every", ""),
        here.day("next", "Next invoice"), here.world.today,
    )  # fmt: skip
    return here.to(f"/schedules/{key}", "Schedule saved")


@BILLING.post("/schedules/{key}/pause")
def schedule_pause(here: Here, key: str) -> Redirect:
    rules.set_active(here.state, key, False)
    return here.to(f"/schedules/{key}", "Schedule paused")


@BILLING.post("/schedules/{key}/resume")
def schedule_resume(here: Here, key: str) -> Redirect:
    rules.set_active(here.state, key, True)
    return here.to(f"/schedules/{key}", "Schedule resumed")
