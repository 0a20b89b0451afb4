"""The task that carries a serial number from one ticket to another."""

from __future__ import annotations

import random

from envs.gyms.apps.desk import rules
from envs.gyms.apps.desk.data import NOTE, SERIAL_PREFIX, Item
from envs.gyms.apps.desk.sampling import (
    VISITED_TICKET,
    VISITED_TICKETS,
    desk_state,
    is_in_progress,
    make_ticket_params,
    open_ticket,
    sample_ticket,
    scroll_down,
    send_message,
)
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _list_serials(ticket: Item) -> list[str]:
    return [
        post["text"].removeprefix(SERIAL_PREFIX)
        for post in ticket["posts"]
        if post["text"].startswith(SERIAL_PREFIX)
    ]


def _sample_serial(world: Company, rng: random.Random, state: State) -> Params:
    ticket = sample_ticket(rng, state, lambda t: len(_list_serials(t)) == 1)
    into = sample_ticket(rng, state, lambda t: is_in_progress(t) and t is not ticket)
    return make_ticket_params(state, ticket) | {"into": into["id"], "into_number": into["number"]}


def _apply_serial(world: Company, p: Params, state: State) -> None:
    desk = desk_state(state)
    (serial,) = _list_serials(get_record(desk, "tickets", p["ticket"]))
    rules.add_post(desk, p["into"], NOTE, serial, world.user.name, world.today)


def _copy_serial(page: Page, p: Params) -> Script:
    page = yield from open_ticket(page, p["number"])
    while page.text_after(SERIAL_PREFIX) is None and page.has_more_below:
        page = yield from scroll_down(page)
    serial = navigation.read_value(page, SERIAL_PREFIX.strip())
    page = yield from open_ticket(page, p["into_number"])
    page = yield from navigation.open_link(page, "write on it", "Write")
    yield from send_message(page, {"Text": serial, "Send as": "Internal note"})
    return None


TEMPLATES = (
    Template(
        name="copy_serial",
        skills=("search", "recall", "form"),
        oracle_steps=14,
        phrasings=(
            "The customer gave a serial number in {number}. Leave it as an internal note on "
            "{into_number}: the serial number alone.",
            "Look up the serial number in ticket {number} and write just that, as an internal "
            "note, on {into_number}.",
        ),
        sample_params=_sample_serial,
        solve=_copy_serial,
        milestones=(VISITED_TICKETS, VISITED_TICKET, FINISHED),
        apply_expected=_apply_serial,
    ),
)
