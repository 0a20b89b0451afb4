"""Questions on what customers still have to pay."""

from __future__ import annotations

import random

from envs.gyms.apps.billing import rules
from envs.gyms.apps.billing.data import SENT
from envs.gyms.apps.billing.sampling import (
    VISITED_CUSTOMER,
    VISITED_INVOICES,
    billing_state,
    open_customer,
)
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_debtor(world: Company, rng: random.Random, state: State) -> Params:
    billing = billing_state(state)
    debtors = [i["customer"] for i in billing["invoices"] if rules.get_open_amount(billing, i)]
    candidates = sorted({key for key in debtors if debtors.count(key) > 1})
    if not candidates:
        raise Resample("no customer has two open invoices")
    buyer = get_record(billing, "customers", rng.choice(candidates))
    return {"customer": buyer["id"], "name": buyer["name"]}


def _compute_debt(world: Company, p: Params, before: State) -> str:
    billing = billing_state(before)
    invoices = [i for i in billing["invoices"] if i["customer"] == p["customer"]]
    return str(sum(rules.get_open_amount(billing, i) for i in invoices))


def _read_debt(page: Page, p: Params) -> Script:
    page = yield from open_customer(page, p)
    return navigation.read_value(page, "Open amount")


def _sample_company(world: Company, rng: random.Random, state: State) -> Params:
    return {"company": world.name}


def _prepare_longest_overdue(world: Company, rng: random.Random, state: State) -> None:
    """Makes one invoice overdue for longer than all others."""
    unpaid = [i for i in billing_state(state)["invoices"] if i["status"] == SENT]
    oldest = min(unpaid, key=lambda i: i["due"])
    oldest["due"] = world.day(-(200 + rng.randint(0, 30)))
    oldest["date"] = world.day(-260)


def _get_longest_overdue(world: Company, p: Params, before: State) -> str:
    overdue = [i for i in billing_state(before)["invoices"] if rules.is_overdue(i, world.today)]
    return str(min(overdue, key=lambda i: i["due"])["number"])


def _find_longest_overdue(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Invoices")
    page = yield from navigation.filter_list(page, "Status", "Overdue")
    page = yield from navigation.filter_list(page, "Sort", "Due first", "the oldest first")
    first = next(line for line in page.elements("link") if line.name.startswith("INV-"))
    return first.name


TEMPLATES = (
    Template(
        name="open_amount",
        skills=("search", "answer"),
        oracle_steps=5,
        phrasings=("How much does {name} still owe in all?", "What is the open amount of {name}?"),
        sample_params=_sample_debtor,
        solve=_read_debt,
        milestones=(VISITED_CUSTOMER, FINISHED),
        expected_answer=_compute_debt,
        answer_kind="money",
    ),
    Template(
        name="longest_overdue",
        skills=("filter", "sort", "answer"),
        oracle_steps=7,
        phrasings=(
            "Which invoice of {company} is overdue the longest? Answer with its number.",
            "Give the number of the overdue invoice of {company} that was due first.",
        ),
        sample_params=_sample_company,
        solve=_find_longest_overdue,
        milestones=(VISITED_INVOICES, FINISHED),
        expected_answer=_get_longest_overdue,
        prepare_state=_prepare_longest_overdue,
    ),
)
