"""Tasks on invoices: sending a draft, voiding one, creating one."""

from __future__ import annotations

import random

from envs.contract.actions import Tool
from envs.gyms.apps.billing import rules
from envs.gyms.apps.billing.data import DRAFT, SENT, SERVICES
from envs.gyms.apps.billing.sampling import (
    VISITED_INVOICE,
    VISITED_INVOICES,
    billing_state,
    make_invoice_params,
    open_invoice,
    sample_invoice,
)
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_draft(world: Company, rng: random.Random, state: State) -> Params:
    invoice = sample_invoice(rng, state, DRAFT)
    if get_record(billing_state(state), "customers", invoice["customer"])["hold"]:
        raise Resample("the customers of all drafts are on hold")
    return make_invoice_params(state, invoice)


def _send_draft(page: Page, p: Params) -> Script:
    page = yield from open_invoice(page, p)
    yield from navigation.click(page, "it can go out", "Send invoice")
    return None


def _sample_unpaid_invoice(world: Company, rng: random.Random, state: State) -> Params:
    invoice = sample_invoice(rng, state, SENT)
    if rules.get_paid_amount(billing_state(state), invoice):
        raise Resample("all open invoices are paid in part")
    return make_invoice_params(state, invoice)


def _void_invoice(page: Page, p: Params) -> Script:
    page = yield from open_invoice(page, p)
    page = yield from navigation.click(page, "what else there is", "More")
    yield from navigation.confirm(page, "Void invoice")
    return None


def _sample_new_invoice(world: Company, rng: random.Random, state: State) -> Params:
    buyer = rng.choice(billing_state(state)["customers"])
    cents = rng.randrange(2000, 90000, 50)
    return {
        "customer": buyer["id"],
        "name": buyer["name"],
        "service": rng.choice(SERVICES),
        "qty": rng.randint(2, 12),
        "cents": cents,
        "price": world.locale.format_money(cents),
    }


def _create_invoice(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Invoices")
    page = yield from navigation.open_link(page, "a new one", "New invoice")
    fields = {
        "Customer": p["name"],
        "Service": p["service"],
        "Quantity": str(p["qty"]),
        "Price": p["price"],
    }
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "create it", "Create draft")
    return None


TEMPLATES = (
    Template(
        name="send_draft",
        skills=("search",),
        oracle_steps=5,
        phrasings=(
            "Send the draft invoice {number}.",
            "The draft {number} for {name} is right: send it.",
        ),
        sample_params=_sample_draft,
        solve=_send_draft,
        milestones=(VISITED_INVOICES, VISITED_INVOICE, FINISHED),
        apply_expected=lambda world, p, state: rules.send_invoice(
            billing_state(state), p["invoice"]
        ),
        tool_calls=lambda p: [Tool(name="billing.send_invoice", arguments={"number": p["number"]})],
    ),
    Template(
        name="void_invoice",
        skills=("search", "menu", "dialog"),
        oracle_steps=7,
        phrasings=(
            "Void the invoice {number} of {name}.",
            "Invoice {number} was a mistake. Void it.",
        ),
        sample_params=_sample_unpaid_invoice,
        solve=_void_invoice,
        milestones=(VISITED_INVOICES, VISITED_INVOICE, FINISHED),
        apply_expected=lambda world, p, state: rules.void_invoice(
            billing_state(state), p["invoice"]
        ),
    ),
    Template(
        name="new_invoice",
        skills=("form",),
        oracle_steps=9,
        phrasings=(
            "Create a draft invoice for {name}: {qty} x {service} at {price} each.",
            "{name} ordered {qty} times {service}, {price} each. Make a draft invoice.",
        ),
        sample_params=_sample_new_invoice,
        solve=_create_invoice,
        milestones=(VISITED_INVOICES, FINISHED),
        apply_expected=lambda world, p, state: rules.create_invoice(
            billing_state(state), p["customer"], p["service"], p["qty"], p["cents"], world.today
        ),
    ),
)
