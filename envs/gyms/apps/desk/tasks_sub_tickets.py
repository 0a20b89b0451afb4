"""Tasks on sub-tickets: closing a parent, which cannot be done, and setting one."""

from __future__ import annotations

import random

from envs.contract.actions import Tool
from envs.gyms.apps.desk import relations, rules
from envs.gyms.apps.desk.data import Item
from envs.gyms.apps.desk.sampling import (
    VISITED_TICKET,
    VISITED_TICKETS,
    desk_state,
    is_in_progress,
    make_ticket_params,
    open_ticket,
    sample_ticket,
)
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_parent(world: Company, rng: random.Random, state: State) -> Params:
    desk = desk_state(state)
    ticket = sample_ticket(
        rng,
        state,
        lambda t: is_in_progress(t) and bool(rules.list_unfinished_children(desk, t["id"])),
    )
    return make_ticket_params(state, ticket)


def _give_up_closing(page: Page, p: Params) -> Script:
    page = yield from open_ticket(page, p["number"])
    page = yield from navigation.click(page, "what else there is", "More")
    page = yield from navigation.confirm(page, "Close ticket")
    if page.text_after(f"{p['number']} has a sub-ticket") is not None:
        raise GiveUp("it has a sub-ticket that is not solved")
    return None


def _sample_child_and_parent(world: Company, rng: random.Random, state: State) -> Params:
    """Two tickets of which neither is a sub-ticket, and the first has none."""
    parents = {ticket["parent"] for ticket in desk_state(state)["tickets"]}

    def can_be_parent(ticket: Item) -> bool:
        return is_in_progress(ticket) and not ticket["parent"]

    ticket = sample_ticket(rng, state, lambda t: can_be_parent(t) and t["id"] not in parents)
    parent = sample_ticket(rng, state, lambda t: can_be_parent(t) and t is not ticket)
    return make_ticket_params(state, ticket) | {
        "into": parent["id"],
        "into_number": parent["number"],
    }


def _set_parent(page: Page, p: Params) -> Script:
    page = yield from open_ticket(page, p["number"])
    page = yield from navigation.click(page, "what else there is", "More")
    page = yield from navigation.open_link(page, "it belongs to another", "Set parent")
    page = yield from navigation.fill_fields(page, {"Parent ticket": p["into_number"]})
    yield from navigation.click(page, "save it", "Save parent")
    return None


TEMPLATES = (
    Template(
        name="close_parent",
        skills=("search", "menu", "dialog", "refuse"),
        oracle_steps=7,
        phrasings=(
            "Close the ticket {number}. Leave all other tickets as they are. If it cannot be "
            "closed, say so.",
            "{number} should be closed, without touching any other ticket. Report it if that is "
            "not possible.",
        ),
        sample_params=_sample_parent,
        solve=_give_up_closing,
        milestones=(VISITED_TICKETS, VISITED_TICKET, FINISHED),
        infeasible=True,
        required_events=("desk:unfinished:{ticket}",),
        tool_calls=lambda p: [
            Tool(name="desk.set_status", arguments={"number": p["number"], "status": "Closed"})
        ],
    ),
    Template(
        name="set_parent",
        skills=("search", "menu", "form"),
        oracle_steps=9,
        phrasings=(
            "Make {number} a sub-ticket of {into_number}.",
            "The parent of ticket {number} is {into_number}. Link them.",
        ),
        sample_params=_sample_child_and_parent,
        solve=_set_parent,
        milestones=(VISITED_TICKETS, VISITED_TICKET, FINISHED),
        apply_expected=lambda world, p, state: relations.set_parent(
            desk_state(state), p["ticket"], p["into"]
        ),
    ),
)
