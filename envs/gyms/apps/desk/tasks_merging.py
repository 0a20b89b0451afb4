"""Tasks on merging two tickets, of which one cannot be done.

Its oracle gives up only after the desk has said why.
"""

from __future__ import annotations

import random

from envs.contract.actions import Tool
from envs.gyms.apps.desk import relations
from envs.gyms.apps.desk.data import Item
from envs.gyms.apps.desk.sampling import (
    VISITED_TICKET,
    VISITED_TICKETS,
    desk_state,
    is_closable,
    is_in_progress,
    make_ticket_params,
    open_ticket,
    open_ticket_by_subject,
    sample_ticket,
)
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _list_duplicates(state: State) -> list[tuple[Item, Item]]:
    """Older and newer ticket: the only two of a customer with one subject, if mergeable."""
    desk = desk_state(state)
    tickets_by_subject: dict[tuple[str, str], list[Item]] = {}
    for ticket in desk["tickets"]:
        key = (ticket["customer"], ticket["subject"])
        tickets_by_subject.setdefault(key, []).append(ticket)
    return [
        (pair[0], pair[1])
        for pair in tickets_by_subject.values()
        if len(pair) == 2 and not relations.find_merge_problem(desk, pair[1], pair[0])
    ]


def _prepare_duplicate(world: Company, rng: random.Random, state: State) -> None:
    """Makes two tickets of one customer about the same thing."""
    desk = desk_state(state)
    closable = [ticket for ticket in desk["tickets"] if is_closable(desk, ticket)]
    keys = [(ticket["customer"], ticket["subject"]) for ticket in desk["tickets"]]
    pairs = [
        (older, newer)
        for older in closable
        for newer in closable
        if older["number"] < newer["number"]
        and older["customer"] == newer["customer"]
        and keys.count((older["customer"], older["subject"])) == 1
    ]
    if pairs:
        older, newer = rng.choice(pairs)
        newer |= {"subject": older["subject"], "product": older["product"]}


def _sample_duplicate(world: Company, rng: random.Random, state: State) -> Params:
    pairs = _list_duplicates(state)
    if not pairs:
        raise Resample("nobody wrote twice")
    older, newer = rng.choice(pairs)
    return make_ticket_params(state, newer) | {
        "into": older["id"],
        "into_number": older["number"],
    }


def _merge_duplicate(page: Page, p: Params) -> Script:
    page = yield from open_ticket_by_subject(page, p)
    page = yield from navigation.click(page, "what else there is", "More")
    page = yield from navigation.open_link(page, "it is there twice", "Merge ticket")
    page = yield from navigation.open_link(page, "into this one", p["into_number"])
    yield from navigation.confirm(page, "Merge them")
    return None


def _apply_merge(world: Company, p: Params, state: State) -> None:
    author, today = world.user.name, world.today
    relations.merge_tickets(desk_state(state), p["ticket"], p["into"], author, today)


def _prepare_lookalike(world: Company, rng: random.Random, state: State) -> None:
    """Gives tickets of two customers the same subject."""
    desk = desk_state(state)
    closable = [ticket for ticket in desk["tickets"] if is_closable(desk, ticket)]
    first = rng.choice(closable)
    other = rng.choice([t for t in closable if t["customer"] != first["customer"]])
    other |= {"subject": first["subject"], "product": first["product"]}


def _sample_lookalike(world: Company, rng: random.Random, state: State) -> Params:
    """Tickets of two customers with one subject."""
    desk = desk_state(state)
    ticket = sample_ticket(rng, state, lambda t: is_closable(desk, t))

    def is_lookalike(other: Item) -> bool:
        same_subject = other["subject"] == ticket["subject"]
        return is_in_progress(other) and same_subject and other["customer"] != ticket["customer"]

    into = sample_ticket(rng, state, is_lookalike)
    return make_ticket_params(state, ticket) | {"into": into["id"], "into_number": into["number"]}


def _give_up_merge(page: Page, p: Params) -> Script:
    page = yield from open_ticket(page, p["number"])
    page = yield from navigation.click(page, "what else there is", "More")
    page = yield from navigation.open_link(page, "it may be the same", "Merge ticket")
    page = yield from navigation.fill_fields(page, {"Into ticket": p["into_number"]})
    page = yield from navigation.click(page, "what would happen", "Look it up")
    if page.text_after("Tickets of different customers") is not None:
        raise GiveUp("tickets of different customers cannot be merged")
    return None


def _make_merge_calls(p: Params) -> list[Tool]:
    arguments = {"number": p["number"], "into": p["into_number"]}
    return [Tool(name="desk.merge", arguments=arguments)]


TEMPLATES = (
    Template(
        name="merge_twins",
        skills=("search", "compare", "menu", "dialog"),
        oracle_steps=10,
        phrasings=(
            '{name} of {org} wrote twice about "{subject}". Merge the newer ticket into the older.',
            'There are two tickets "{subject}" of {name} ({org}). Merge the newer one into the '
            "older one.",
        ),
        sample_params=_sample_duplicate,
        solve=_merge_duplicate,
        milestones=(VISITED_TICKETS, VISITED_TICKET, FINISHED),
        apply_expected=_apply_merge,
        prepare_state=_prepare_duplicate,
        tool_calls=_make_merge_calls,
    ),
    Template(
        name="merge_strangers",
        skills=("search", "menu", "refuse"),
        oracle_steps=9,
        phrasings=(
            "Merge ticket {number} into {into_number}, if the rules allow it.",
            "{number} and {into_number} look the same. Merge the first into the second, or say "
            "that it cannot be done.",
        ),
        sample_params=_sample_lookalike,
        solve=_give_up_merge,
        milestones=(VISITED_TICKETS, VISITED_TICKET, FINISHED),
        infeasible=True,
        required_events=("desk:merge:{ticket}:{into}",),
        tool_calls=_make_merge_calls,
        prepare_state=_prepare_lookalike,
    ),
)
