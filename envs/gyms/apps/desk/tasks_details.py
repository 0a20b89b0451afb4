"""Tasks on a ticket's details: tags and due day of one, all fields of a new one."""

from __future__ import annotations

import random

from envs.gyms.apps.desk import rules
from envs.gyms.apps.desk.data import DUE_DAYS, PRIORITIES, PRODUCTS, SUBJECTS, TAGS
from envs.gyms.apps.desk.sampling import (
    VISITED_TICKET,
    VISITED_TICKETS,
    desk_state,
    is_in_progress,
    make_ticket_params,
    open_ticket_by_subject,
    sample_ticket,
)
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

COMPLAINTS = (
    "The display stays dark",
    "It restarts every hour",
    "It beeps without end",
    "The cable is broken",
    "The battery is empty after an hour",
)


def _sample_details(world: Company, rng: random.Random, state: State) -> Params:
    """A ticket that its customer and subject tell from all others."""
    tickets = desk_state(state)["tickets"]
    keys = [(ticket["customer"], ticket["subject"]) for ticket in tickets]
    ticket = sample_ticket(
        rng,
        state,
        lambda t: is_in_progress(t) and keys.count((t["customer"], t["subject"])) == 1,
    )
    day = world.day(rng.randint(20, 60))
    return make_ticket_params(state, ticket) | {
        "tag": rng.choice([tag for tag in TAGS if tag not in ticket["tags"]]),
        "day": day,
        "date": world.locale.format_date(day),
    }


def _apply_details(world: Company, p: Params, state: State) -> None:
    desk = desk_state(state)
    ticket = get_record(desk, "tickets", p["ticket"])
    rules.edit_ticket(
        desk,
        p["ticket"],
        subject=ticket["subject"],
        product=ticket["product"],
        due=p["day"],
        tags=", ".join((*ticket["tags"], p["tag"])),
    )


def _change_details(page: Page, p: Params) -> Script:
    page = yield from open_ticket_by_subject(page, p)
    page = yield from navigation.open_link(page, "change it", "Edit details")
    tags = page.get_line("box", "Tags").value or ""
    fields = {"Due": p["date"], "Tags": f"{tags}, {p['tag']}" if tags else p["tag"]}
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "save it", "Save details")
    return None


def _sample_new_ticket(world: Company, rng: random.Random, state: State) -> Params:
    customer = rng.choice(desk_state(state)["customers"])
    priority, product = rng.choice(PRIORITIES), rng.choice(PRODUCTS[world.split])
    return {
        "customer": customer["id"],
        "name": customer["name"],
        "org": customer["org"],
        "product": product,
        "subject": rng.choice(SUBJECTS).format(product),
        "priority": priority,
        "text": rng.choice(COMPLAINTS),
        "requester": f"{customer['name']}, {customer['org']}",
    }


def _apply_new_ticket(world: Company, p: Params, state: State) -> None:
    rules.create_ticket(
        desk_state(state),
        customer=p["customer"],
        subject=p["subject"],
        product=p["product"],
        priority=p["priority"],
        text=p["text"],
        today=world.today,
        due=world.day(DUE_DAYS[p["priority"]]),
    )


def _create_ticket(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Tickets")
    page = yield from navigation.open_link(page, "a new one", "New ticket")
    fields = {
        "Requester": p["requester"],
        "Subject": p["subject"],
        "Product": p["product"],
        "Priority": p["priority"],
        "Message": p["text"],
    }
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "create it", "Create ticket")
    return None


TEMPLATES = (
    Template(
        name="tag_and_due",
        skills=("search", "form", "date", "compare"),
        oracle_steps=10,
        phrasings=(
            'Find the ticket "{subject}" of {name} at {org}. Add the tag {tag} to its tags and '
            "make it due on {date}.",
            '{name} ({org}) reported "{subject}". That ticket is due on {date} now and gets the '
            "tag {tag} besides those it has.",
        ),
        sample_params=_sample_details,
        solve=_change_details,
        milestones=(VISITED_TICKETS, VISITED_TICKET, FINISHED),
        apply_expected=_apply_details,
    ),
    Template(
        name="new_ticket",
        skills=("form",),
        oracle_steps=9,
        phrasings=(
            '{name} of {org} called about the {product}: "{text}". Create a ticket with the '
            'subject "{subject}", priority {priority}, and these words as message.',
            'Open a new ticket for {name} ({org}), product {product}, subject "{subject}", '
            'priority {priority}, message "{text}".',
        ),
        sample_params=_sample_new_ticket,
        solve=_create_ticket,
        milestones=(VISITED_TICKETS, FINISHED),
        apply_expected=_apply_new_ticket,
    ),
)
