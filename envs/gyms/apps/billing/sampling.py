"""What billing's templates share: sampling of invoices, moves to pages, milestones."""

from __future__ import annotations

import random

from envs.gyms.apps.billing.data import Item
from envs.gyms.kit import navigation
from envs.gyms.kit.records import get_record
from envs.gyms.kit.template import Params, Resample, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

VISITED_INVOICES = ("invoices", visited_page("billing:invoices"))
VISITED_INVOICE = ("invoice", visited_page("billing:invoice:{invoice}"))
VISITED_CUSTOMER = ("customer", visited_page("billing:customer:{customer}"))
VISITED_SCHEDULE = ("schedule", visited_page("billing:schedule:{schedule}"))


def billing_state(state: State) -> State:
    """Billing's part of a session's state."""
    billing: State = state["billing"]
    return billing


def sample_invoice(rng: random.Random, state: State, status: str) -> Item:
    """An invoice with this status. Raises Resample."""
    invoices: list[Item] = [i for i in billing_state(state)["invoices"] if i["status"] == status]
    if not invoices:
        raise Resample(f"there is no invoice that is {status}")
    return rng.choice(invoices)


def make_invoice_params(state: State, invoice: Item) -> Params:
    """Params that name an invoice and its customer."""
    buyer = get_record(billing_state(state), "customers", invoice["customer"])
    return {
        "invoice": invoice["id"],
        "number": invoice["number"],
        "customer": buyer["id"],
        "name": buyer["name"],
    }


def open_invoice(page: Page, p: Params) -> navigation.Moves:
    """Leads to the invoice of the task."""
    page = yield from navigation.go_to(page, "Invoices")
    page = yield from navigation.search(page, p["number"])
    return (yield from navigation.open_item(page, p["number"]))


def open_customer(page: Page, p: Params) -> navigation.Moves:
    """Leads to the customer of the task."""
    page = yield from navigation.go_to(page, "Customers")
    page = yield from navigation.search(page, p["name"])
    return (yield from navigation.open_item(page, p["name"]))
