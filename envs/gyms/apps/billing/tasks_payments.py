"""Tasks on payments: in full, in billing, and one that an invoice does not take."""

from __future__ import annotations

import random

from envs.contract.actions import Tool
from envs.gyms.apps.billing import rules
from envs.gyms.apps.billing.data import METHODS, PAID, SENT
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
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

MIN_SPLIT = 6000
"""Cents from which on an invoice can be paid in parts."""


def _sample_payment(world: Company, rng: random.Random, state: State) -> Params:
    invoice = sample_invoice(rng, state, SENT)
    cents = rules.get_open_amount(billing_state(state), invoice)
    return make_invoice_params(state, invoice) | {
        "cents": cents,
        "amount": world.locale.format_money(cents),
        "method": rng.choice(METHODS),
        "day": world.today,
    }


def _sample_part_payment(world: Company, rng: random.Random, state: State) -> Params:
    params = _sample_payment(world, rng, state)
    if params["cents"] < MIN_SPLIT:
        raise Resample("the invoice is too small to be paid in parts")
    cents = rng.randrange(1000, params["cents"] - 1000, 50)
    day = world.day(-rng.randint(1, 20))
    return params | {
        "cents": cents,
        "amount": world.locale.format_money(cents),
        "day": day,
        "date": world.locale.format_date(day),
    }


def _apply_payment(world: Company, p: Params, state: State) -> None:
    rules.record_payment(billing_state(state), p["invoice"], p["cents"], p["method"], p["day"])


def _record_payment(page: Page, p: Params) -> Script:
    page = yield from open_invoice(page, p)
    page = yield from navigation.open_link(page, "a payment came in", "Record payment")
    fields = {"Amount": p["amount"], "Method": p["method"]}
    if "date" in p:
        fields["Paid on"] = p["date"]
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "save it", "Save payment")
    return None


def _make_payment_calls(p: Params) -> list[Tool]:
    arguments = {"number": p["number"], "cents": p["cents"], "method": p["method"]}
    return [Tool(name="billing.record_payment", arguments=arguments)]


def _sample_paid_invoice(world: Company, rng: random.Random, state: State) -> Params:
    invoice = sample_invoice(rng, state, PAID)
    return make_invoice_params(state, invoice) | {"method": rng.choice(METHODS)}


def _refuse_second_payment(page: Page, p: Params) -> Script:
    page = yield from open_invoice(page, p)
    if page.text_after("Status Paid") is not None:
        raise GiveUp("the invoice is paid already")
    return None


TEMPLATES = (
    Template(
        name="pay_invoice",
        skills=("search", "form"),
        oracle_steps=8,
        phrasings=(
            "Invoice {number} was paid in full today ({amount}) by {method}. Record it.",
            "Record that {name} paid {number} today: {amount}, {method}.",
        ),
        sample_params=_sample_payment,
        solve=_record_payment,
        milestones=(VISITED_INVOICES, VISITED_INVOICE, FINISHED),
        apply_expected=_apply_payment,
        tool_calls=_make_payment_calls,
    ),
    Template(
        name="pay_part",
        skills=("search", "form", "date"),
        oracle_steps=9,
        phrasings=(
            "{name} paid {amount} of invoice {number} on {date} by {method}. Record the payment.",
            "Book a part payment on {number}: {amount} on {date}, {method}.",
        ),
        sample_params=_sample_part_payment,
        solve=_record_payment,
        milestones=(VISITED_INVOICES, VISITED_INVOICE, FINISHED),
        apply_expected=_apply_payment,
    ),
    Template(
        name="pay_twice",
        skills=("search", "refuse"),
        oracle_steps=5,
        phrasings=(
            "Record a payment of today by {method} for the open amount of invoice {number}. If "
            "nothing is open, say that it cannot be done.",
            "Book what is still open of {number} as paid today by {method}, if anything is.",
        ),
        sample_params=_sample_paid_invoice,
        solve=_refuse_second_payment,
        milestones=(VISITED_INVOICES, VISITED_INVOICE, FINISHED),
        infeasible=True,
        required_events=("billing:invoice:{invoice}",),
        tool_calls=lambda p: _make_payment_calls(p | {"cents": 1}),
    ),
)
