"""The help desk's pages of customers: list, one customer with its tickets."""

from __future__ import annotations

from envs.gyms.apps.desk.data import PLANS
from envs.gyms.apps.desk.ticket_lists import make_ticket_listing
from envs.gyms.kit.html import badge, details, link, section
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import RequestContext

PAGES = PageGroup()


@PAGES.get("/customers")
def show_customers(request: RequestContext) -> str:
    """All customers."""
    request.log_event("customers")
    listing = Listing(
        columns=(
            Column("Name", lambda c: link(c["name"], request.url(f"/customers/{c['id']}"))),
            Column("Organisation", lambda c: c["org"]),
            Column("E-mail", lambda c: c["email"]),
            Column("Plan", lambda c: badge(c["plan"])),
        ),
        searchable_text=lambda c: f"{c['name']} {c['org']} {c['email']}",
        sorts=(Sort("Name", lambda c: c["name"]), Sort("Organisation", lambda c: c["org"])),
        filters=(Filter("plan", "Plan", options=PLANS, get_option=lambda c: c["plan"]),),
        empty="No customers. Try another search",
    )
    return render_page(request, "Customers", listing.render(request, request.state["customers"]))


@PAGES.get("/customers/{key}")
def show_customer(request: RequestContext, key: str) -> str:
    """One customer and its tickets."""
    customer = get_record(request.state, "customers", key)
    request.log_event(f"customer:{key}")
    tickets = [ticket for ticket in request.state["tickets"] if ticket["customer"] == key]
    listing = make_ticket_listing(request, show_customer=False)
    return render_page(
        request,
        "Customer",
        details(
            ("Organisation", customer["org"]),
            ("E-mail", customer["email"]),
            ("Phone", customer["phone"]),
            ("Plan", customer["plan"]),
        ),
        section("Tickets", listing.render(request, tickets)),
        heading=customer["name"],
    )
