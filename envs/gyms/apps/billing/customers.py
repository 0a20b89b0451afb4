"""Billing's pages of customers: list, one customer with its invoices, form, hold."""

from __future__ import annotations

from envs.gyms.apps.billing import rules
from envs.gyms.apps.billing.data import TERMS
from envs.gyms.apps.billing.invoices import make_invoice_listing
from envs.gyms.kit.html import (
    Field,
    badge,
    button,
    confirm_button,
    details,
    el,
    form,
    link,
    menu,
    section,
)
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()


@PAGES.get("/customers")
def show_customers(request: RequestContext) -> str:
    """All customers."""
    request.log_event("customers")
    listing = Listing(
        columns=(
            Column("Name", lambda c: link(c["name"], request.url(f"/customers/{c['id']}"))),
            Column("Contact", lambda c: c["contact"]),
            Column("Terms", lambda c: f"{c['terms']} days"),
            Column("", lambda c: badge("On hold") if c["hold"] else None),
        ),
        searchable_text=lambda c: f"{c['name']} {c['contact']} {c['email']}",
        sorts=(Sort("Name", lambda c: c["name"]), Sort("Contact", lambda c: c["contact"])),
        filters=(
            Filter(
                "hold",
                "On hold",
                options=("Yes", "No"),
                get_option=lambda c: "Yes" if c["hold"] else "No",
            ),
        ),
    )
    return render_page(request, "Customers", listing.render(request, request.state["customers"]))


@PAGES.get("/customers/{key}")
def show_customer(request: RequestContext, key: str) -> str:
    """One customer: facts, open amount, invoices."""
    customer = get_record(request.state, "customers", key)
    request.log_event(f"customer:{key}")
    invoices = [i for i in request.state["invoices"] if i["customer"] == key]
    open_amount = sum(rules.get_open_amount(request.state, i) for i in invoices)
    hold = (
        button(request, "release", "Release customer")
        if customer["hold"]
        else confirm_button(request, "hold", "Put on hold", "No invoice can be sent to it then.")
    )
    edit = link("Edit customer", request.url(f"/customers/{key}/edit"))
    return render_page(
        request,
        "Customer",
        details(
            ("Contact", customer["contact"]),
            ("E-mail", customer["email"]),
            ("Payment terms", f"{customer['terms']} days"),
            ("Open amount", request.locale.format_money(open_amount)),
            ("On hold", "Yes" if customer["hold"] else "No"),
        ),
        el("div", edit, menu("More", hold), class_="row"),
        section("Invoices", make_invoice_listing(request).render(request, invoices)),
        heading=customer["name"],
    )


@PAGES.get("/customers/{key}/edit")
def show_customer_form(request: RequestContext, key: str) -> str:
    """Form of a customer's contact and payment terms."""
    customer = get_record(request.state, "customers", key)
    terms = [(days, f"{days} days") for days in TERMS]
    fields = (
        Field("contact", "Contact", value=customer["contact"]),
        Field("email", "E-mail", value=customer["email"]),
        Field("terms", "Payment terms", kind="choice", value=customer["terms"], options=terms),
    )
    return render_page(
        request,
        "Edit customer",
        form(request, "save", fields, "Save customer", f"/customers/{key}"),
        heading=f"Edit {customer['name']}",
    )


@PAGES.post("/customers/{key}/edit/save")
def save_customer(request: RequestContext, key: str) -> Redirect:
    """Saves contact and payment terms."""
    contact = request.get_text("contact", "Contact")
    email = request.get_text("email", "E-mail")
    rules.edit_customer(request.state, key, contact, email, request.form.get("terms", ""))
    return request.redirect_to(f"/customers/{key}", "Customer saved")


@PAGES.post("/customers/{key}/hold")
def hold_customer(request: RequestContext, key: str) -> Redirect:
    """Puts a customer on hold."""
    rules.set_hold(request.state, key, True)
    return request.redirect_to(f"/customers/{key}", "Customer is on hold")


@PAGES.post("/customers/{key}/release")
def release_customer(request: RequestContext, key: str) -> Redirect:
    """Releases a customer that is on hold."""
    rules.set_hold(request.state, key, False)
    return request.redirect_to(f"/customers/{key}", "Customer is released")
