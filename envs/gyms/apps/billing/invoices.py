"""Billing's overview and the pages of invoices: list, new draft, one invoice, payment."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.apps.billing import rules
from envs.gyms.apps.billing.data import DRAFT, METHODS, SENT, SERVICES, STATUSES, VOID, Item
from envs.gyms.kit.html import (
    Field,
    badge,
    button,
    confirm_button,
    details,
    el,
    form,
    join,
    link,
    menu,
    section,
    table_row,
)
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext
from envs.gyms.server.gym import Refused

PAGES = PageGroup()
OVERDUE = "Overdue"
"""Status that pages show for a sent invoice past its due day."""
OLDEST = 5
"""Invoices that the overview lists."""


def get_customer(request: RequestContext, item: Item) -> Item:
    """The customer of an invoice or of a schedule."""
    return get_record(request.state, "customers", item["customer"])


def get_shown_status(request: RequestContext, invoice: Item) -> str:
    """The status as pages show it, with "Overdue" in place of "Sent" where that fits."""
    overdue = rules.is_overdue(invoice, request.world.today)
    return OVERDUE if overdue else str(invoice["status"])


def make_invoice_listing(request: RequestContext) -> Listing:
    """A list of invoices, for their own page and for a customer's."""
    locale = request.locale
    return Listing(
        columns=(
            Column("Number", lambda i: link(i["number"], request.url(f"/invoices/{i['id']}"))),
            Column("Customer", lambda i: get_customer(request, i)["name"]),
            Column("Date", lambda i: locale.format_date(i["date"])),
            Column("Due", lambda i: locale.format_date(i["due"])),
            Column("Total", lambda i: locale.format_money(i["total"]), "money"),
            Column("Status", lambda i: badge(get_shown_status(request, i))),
        ),
        searchable_text=lambda i: f"{i['number']} {get_customer(request, i)['name']}",
        sorts=(
            Sort("Newest", lambda i: (i["date"], i["number"]), descending=True),
            Sort("Due first", lambda i: (i["due"], i["number"])),
            Sort("Largest", lambda i: (i["total"], i["number"]), descending=True),
        ),
        filters=(
            Filter(
                "status",
                "Status",
                options=(*STATUSES, OVERDUE),
                get_option=lambda i: get_shown_status(request, i),
            ),
        ),
        empty="No invoices. Try another search",
    )


@PAGES.get("/")
def show_overview(request: RequestContext) -> str:
    """Counts, and the invoices that are overdue the longest."""
    invoices = request.state["invoices"]
    overdue = [i for i in invoices if rules.is_overdue(i, request.world.today)]
    oldest = sorted(overdue, key=lambda i: i["due"])[:OLDEST]
    rows = []
    for invoice in oldest:
        name = f"{invoice['number']} {get_customer(request, invoice)['name']}"
        rows.append(el("p", link(name, request.url(f"/invoices/{invoice['id']}"))))
    return render_page(
        request,
        "Overview",
        details(
            ("Today", request.locale.format_date(request.world.today)),
            ("Overdue invoices", len(overdue)),
            ("Drafts", sum(i["status"] == DRAFT for i in invoices)),
        ),
        section("Overdue the longest", join(rows)),
    )


@PAGES.get("/invoices")
def show_invoices(request: RequestContext) -> str:
    """All invoices."""
    request.log_event("invoices")
    new = link("New invoice", request.url("/invoices/new"))
    listing = make_invoice_listing(request)
    return render_page(
        request, "Invoices", el("p", new), listing.render(request, request.state["invoices"])
    )


@PAGES.get("/invoices/new")
def show_new_invoice(request: RequestContext) -> str:
    """Form of a new draft with one line."""
    customers = sorted(
        ((c["id"], c["name"]) for c in request.state["customers"]), key=lambda option: option[1]
    )
    price_hint = f"each, such as {request.locale.format_money(12050)}"
    fields = (
        Field("customer", "Customer", kind="choice", options=customers),
        Field("text", "Service", kind="choice", options=SERVICES),
        Field("qty", "Quantity", value="1"),
        Field("price", "Price", kind="money", hint=price_hint),
    )
    return render_page(
        request, "New invoice", form(request, "create", fields, "Create draft", "/invoices")
    )


@PAGES.post("/invoices/new/create")
def create_invoice(request: RequestContext) -> Redirect:
    """Creates the draft and leads to it."""
    quantity = request.get_text("qty", "Quantity", 3)
    invoice = rules.create_invoice(
        request.state,
        customer=request.get_choice(
            "customer", "Customer", [c["id"] for c in request.state["customers"]]
        ),
        text=request.get_choice("text", "Service", SERVICES),
        qty=int(quantity) if quantity.isdecimal() else 0,
        price=request.get_cents("price", "Price"),
        day=request.world.today,
    )
    return request.redirect_to(f"/invoices/{invoice['id']}", f"Created {invoice['number']}")


@PAGES.get("/invoices/{key}")
def show_invoice(request: RequestContext, key: str) -> str:
    """One invoice: its facts, what can be done with it, its lines and payments."""
    invoice = get_record(request.state, "invoices", key)
    request.log_event(f"invoice:{key}")
    customer = get_customer(request, invoice)
    locale = request.locale
    open_amount = rules.get_open_amount(request.state, invoice)
    return render_page(
        request,
        "Invoice",
        details(
            ("Customer", link(customer["name"], request.url(f"/customers/{customer['id']}"))),
            ("Status", get_shown_status(request, invoice)),
            ("Date", locale.format_date(invoice["date"])),
            ("Due", locale.format_date(invoice["due"])),
            ("Total", locale.format_money(invoice["total"])),
            ("Open", locale.format_money(open_amount)),
        ),
        _render_actions(request, invoice),
        _render_lines(request, invoice),
        section("Payments", _render_payments(request, invoice)),
        heading=f"Invoice {invoice['number']}",
    )


def _render_actions(request: RequestContext, invoice: Item) -> Markup:
    actions = []
    if invoice["status"] == DRAFT:
        actions.append(button(request, "send", "Send invoice"))
    if invoice["status"] == SENT:
        actions.append(link("Record payment", request.url(f"/invoices/{invoice['id']}/payment")))
    warning = f"{invoice['number']} can then not be paid any more."
    more = menu(
        "More",
        link("Customer's page", request.url(f"/customers/{invoice['customer']}")),
        confirm_button(request, "void", "Void invoice", warning),
    )
    return el("div", actions, more, class_="row")


def _render_lines(request: RequestContext, invoice: Item) -> Markup:
    money = request.locale.format_money
    titles = ("Service", "Quantity", "Price", "Amount")
    rows = [
        table_row(
            line["text"], line["qty"], money(line["price"]), money(line["qty"] * line["price"])
        )
        for line in invoice["lines"]
    ]
    return el("table", el("tr", [el("th", title) for title in titles]), rows)


def _render_payments(request: RequestContext, invoice: Item) -> Markup:
    payments = [p for p in request.state["payments"] if p["invoice"] == invoice["id"]]
    if not payments:
        return el("p", "None yet")
    day, money = request.locale.format_date, request.locale.format_money
    return join(
        el("p", f"{day(p['date'])} {money(p['amount'])} by {p['method']}") for p in payments
    )


@PAGES.post("/invoices/{key}/send")
def send_invoice(request: RequestContext, key: str) -> Redirect:
    """Sends a draft."""
    rules.send_invoice(request.state, key)
    return request.redirect_to(f"/invoices/{key}", "Invoice sent")


@PAGES.post("/invoices/{key}/void")
def void_invoice(request: RequestContext, key: str) -> Redirect:
    """Voids an invoice."""
    rules.void_invoice(request.state, key)
    return request.redirect_to(f"/invoices/{key}", f"Invoice is now {VOID.lower()}")


@PAGES.get("/invoices/{key}/payment")
def show_payment(request: RequestContext, key: str) -> str:
    """Form of a payment on an invoice."""
    invoice = get_record(request.state, "invoices", key)
    locale = request.locale
    open_amount = locale.format_money(rules.get_open_amount(request.state, invoice))
    today = locale.format_date(request.world.today)
    fields = (
        Field("amount", "Amount", kind="money", hint=f"still open: {open_amount}"),
        Field("day", "Paid on", kind="date", value=today),
        Field("method", "Method", kind="choice", options=METHODS),
    )
    return render_page(
        request,
        "Record payment",
        form(request, "record", fields, "Save payment", f"/invoices/{key}"),
        heading=f"Payment of {invoice['number']}",
    )


@PAGES.post("/invoices/{key}/payment/record")
def record_payment(request: RequestContext, key: str) -> Redirect:
    """Records the payment and leads back to the invoice."""
    day = request.get_date("day", "Paid on")
    if day > request.world.today:
        raise Refused("Paid on must not be in the future")
    amount, method = request.get_cents("amount", "Amount"), request.form.get("method", "")
    rules.record_payment(request.state, key, amount, method, day)
    return request.redirect_to(f"/invoices/{key}", "Payment saved")
