"""Tasks on customers: changing a contact, putting one on hold."""

from __future__ import annotations

import random

from envs.gyms.apps.billing import rules
from envs.gyms.apps.billing.data import TERMS
from envs.gyms.apps.billing.sampling import VISITED_CUSTOMER, billing_state, open_customer
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_contact(world: Company, rng: random.Random, state: State) -> Params:
    buyer = rng.choice(billing_state(state)["customers"])
    others = [firm.contact for firm in world.firms if firm.contact != buyer["contact"]]
    contact = rng.choice(others)
    first, last = contact.lower().split()
    return {
        "customer": buyer["id"],
        "name": buyer["name"],
        "contact": contact,
        "email": f"{first}.{last}@{buyer['email'].partition('@')[2]}",
        "old_terms": buyer["terms"],
        "terms": rng.choice([days for days in TERMS if days != buyer["terms"]]),
    }


def _apply_contact(world: Company, p: Params, state: State) -> None:
    rules.edit_customer(
        billing_state(state), p["customer"], p["contact"], p["email"], p["old_terms"]
    )


def _change_contact(page: Page, p: Params) -> Script:
    page = yield from open_customer(page, p)
    page = yield from navigation.open_link(page, "change it", "Edit customer")
    fields = {"Contact": p["contact"], "E-mail": p["email"]}
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "save it", "Save customer")
    return None


def _sample_customer(world: Company, rng: random.Random, state: State) -> Params:
    buyer = rng.choice([c for c in billing_state(state)["customers"] if not c["hold"]])
    return {"customer": buyer["id"], "name": buyer["name"]}


def _put_on_hold(page: Page, p: Params) -> Script:
    page = yield from open_customer(page, p)
    page = yield from navigation.click(page, "what else there is", "More")
    yield from navigation.confirm(page, "Put on hold")
    return None


TEMPLATES = (
    Template(
        name="change_contact",
        skills=("search", "form"),
        oracle_steps=9,
        phrasings=(
            "The contact at {name} is now {contact}, {email}. Update the customer.",
            "Set contact {contact} and e-mail {email} for the customer {name}.",
        ),
        sample_params=_sample_contact,
        solve=_change_contact,
        milestones=(VISITED_CUSTOMER, FINISHED),
        apply_expected=_apply_contact,
    ),
    Template(
        name="hold_customer",
        skills=("search", "menu", "dialog"),
        oracle_steps=7,
        phrasings=("Put the customer {name} on hold.", "{name} does not pay: put it on hold."),
        sample_params=_sample_customer,
        solve=_put_on_hold,
        milestones=(VISITED_CUSTOMER, FINISHED),
        apply_expected=lambda world, p, state: rules.set_hold(
            billing_state(state), p["customer"], True
        ),
    ),
)
