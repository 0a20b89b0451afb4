"""Tasks on two tickets: merge them, link them, carry something from one to the other.

Some cannot be done by the desk's rules; their oracles give up only after the desk has said so.
"""

from __future__ import annotations

import random

from envs.gyms.desk import rules
from envs.gyms.desk.data import NOTE
from envs.gyms.desk.drawing import (
    TICKET,
    TICKETS,
    Ticket,
    closable,
    further_down,
    is_live,
    known,
    part_of,
    pick,
    to_subject,
    to_ticket,
    write,
)
from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import one
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template
from envs.gyms.view import Page


def _twins(state: State) -> list[tuple[Ticket, Ticket]]:
    """Older and newer: the only two of a customer with one subject, which can be merged."""
    part = part_of(state)
    by: dict[tuple[str, str], list[Ticket]] = {}
    for ticket in part["tickets"]:
        by.setdefault((ticket["customer"], ticket["subject"]), []).append(ticket)
    return [
        (pair[0], pair[1])
        for pair in by.values()
        if len(pair) == 2 and not rules.merge_problem(part, pair[1], pair[0])
    ]


def _make_twins(world: Company, rng: random.Random, state: State) -> None:
    """Somebody wrote twice about the same thing."""
    part = part_of(state)
    live = [t for t in part["tickets"] if closable(part)(t)]
    taken = [(t["customer"], t["subject"]) for t in part["tickets"]]
    pairs = [
        (a, b) for a in live for b in live
        if a["number"] < b["number"] and a["customer"] == b["customer"]
        and taken.count((a["customer"], a["subject"])) == 1
    ]  # fmt: skip
    if pairs:
        older, newer = rng.choice(pairs)
        newer |= {"subject": older["subject"], "product": older["product"]}


def _draw_twins(world: Company, rng: random.Random, state: State) -> Params:
    pairs = _twins(state)
    if not pairs:
        raise Redraw("nobody wrote twice")
    older, newer = rng.choice(pairs)
    return known(state, newer) | {"into": older["id"], "into_number": older["number"]}


def _merge_into(page: Page, number: str) -> ways.Way:
    page = yield from ways.press(page, "what else there is", "More")
    page = yield from ways.open_link(page, "it is there twice", "Merge ticket")
    return (yield from ways.open_link(page, "into this one", number))


def _merge_twins(page: Page, p: Params) -> Script:
    page = yield from to_subject(page, p)
    page = yield from _merge_into(page, p["into_number"])
    yield from ways.sure(page, "Merge them")
    return None


def _expect_merge(world: Company, p: Params, state: State) -> None:
    rules.merge(part_of(state), p["ticket"], p["into"], world.user.name, world.today)


def _draw_foreign(world: Company, rng: random.Random, state: State) -> Params:
    """Tickets of two customers with one subject."""
    ticket = pick(rng, state, closable(part_of(state)))
    into = pick(
        rng, state,
        lambda t: is_live(t) and t["subject"] == ticket["subject"]
        and t["customer"] != ticket["customer"],
    )  # fmt: skip
    return known(state, ticket) | {"into": into["id"], "into_number": into["number"]}


def _make_foreign(world: Company, rng: random.Random, state: State) -> None:
    part = part_of(state)
    live = [t for t in part["tickets"] if closable(part)(t)]
    first = rng.choice(live)
    other = rng.choice([t for t in live if t["customer"] != first["customer"]])
    other |= {"subject": first["subject"], "product": first["product"]}


def _merge_foreign(page: Page, p: Params) -> Script:
    page = yield from to_ticket(page, p["number"])
    page = yield from ways.press(page, "what else there is", "More")
    page = yield from ways.open_link(page, "it may be the same", "Merge ticket")
    page = yield from ways.fill(page, {"Into ticket": p["into_number"]})
    page = yield from ways.press(page, "what would happen", "Look it up")
    if page.says("Tickets of different customers") is not None:
        raise GiveUp("tickets of different customers cannot be merged")
    return None


def _draw_family(world: Company, rng: random.Random, state: State) -> Params:
    part = part_of(state)
    return known(
        state, pick(rng, state, lambda t: is_live(t) and bool(rules.unfinished(part, t["id"])))
    )


def _close_family(page: Page, p: Params) -> Script:
    page = yield from to_ticket(page, p["number"])
    page = yield from ways.press(page, "what else there is", "More")
    page = yield from ways.sure(page, "Close ticket")
    if page.says(f"{p['number']} has a sub-ticket") is not None:
        raise GiveUp("it has a sub-ticket that is not solved")
    return None


def _draw_link(world: Company, rng: random.Random, state: State) -> Params:
    part = part_of(state)
    parents = {t["parent"] for t in part["tickets"]}
    ticket = pick(rng, state, lambda t: is_live(t) and not t["parent"] and t["id"] not in parents)
    other = pick(rng, state, lambda t: is_live(t) and not t["parent"] and t is not ticket)
    return known(state, ticket) | {"into": other["id"], "into_number": other["number"]}


def _link(page: Page, p: Params) -> Script:
    page = yield from to_ticket(page, p["number"])
    page = yield from ways.press(page, "what else there is", "More")
    page = yield from ways.open_link(page, "it belongs to another", "Set parent")
    page = yield from ways.fill(page, {"Parent ticket": p["into_number"]})
    yield from ways.press(page, "save it", "Save parent")
    return None


def _serials(ticket: Ticket) -> list[str]:
    start = "Serial number: "
    return [x["text"].removeprefix(start) for x in ticket["posts"] if x["text"].startswith(start)]


def _draw_serial(world: Company, rng: random.Random, state: State) -> Params:
    ticket = pick(rng, state, lambda t: len(_serials(t)) == 1)
    into = pick(rng, state, lambda t: is_live(t) and t is not ticket)
    return known(state, ticket) | {"into": into["id"], "into_number": into["number"]}


def _expect_serial(world: Company, p: Params, state: State) -> None:
    serial = _serials(one(part_of(state), "tickets", p["ticket"]))[0]
    rules.post(part_of(state), p["into"], NOTE, serial, world.user.name, world.today)


def _copy_serial(page: Page, p: Params) -> Script:
    page = yield from to_ticket(page, p["number"])
    while page.says("Serial number: ") is None and page.goes_on_below:
        page = yield from further_down(page)
    serial = ways.value_of(page, "Serial number:")
    page = yield from to_ticket(page, p["into_number"])
    page = yield from ways.open_link(page, "write on it", "Write")
    yield from write(page, {"Text": serial, "Send as": "Internal note"})
    return None


TEMPLATES = (
    Template(
        "merge_twins", ("search", "compare", "menu", "dialog"), 10,
        ('{name} of {org} wrote twice about "{subject}". Merge the newer ticket into the older.',
         'There are two tickets "{subject}" of {name} ({org}). Merge the newer one into the older '
         "one."),
        _draw_twins, _merge_twins, (TICKETS, TICKET, FINISHED), _expect_merge,
        prepare=_make_twins,
    ),
    Template(
        "merge_strangers", ("search", "menu", "refuse"), 9,
        ("Merge ticket {number} into {into_number}, if the rules allow it.",
         "{number} and {into_number} look the same. Merge the first into the second, or say that "
         "it cannot be done."),
        _draw_foreign, _merge_foreign, (TICKETS, TICKET, FINISHED), infeasible=True,
        must_see=("desk:merge:{ticket}:{into}",), prepare=_make_foreign,
    ),
    Template(
        "close_parent", ("search", "menu", "dialog", "refuse"), 7,
        ("Close the ticket {number}. Leave all other tickets as they are. If it cannot be closed, "
         "say so.",
         "{number} should be closed, without touching any other ticket. Report it if that is not "
         "possible."),
        _draw_family, _close_family, (TICKETS, TICKET, FINISHED), infeasible=True,
        must_see=("desk:ticket:{ticket}",),
    ),
    Template(
        "set_parent", ("search", "menu", "form"), 9,
        ("Make {number} a sub-ticket of {into_number}.",
         "The parent of ticket {number} is {into_number}. Link them."),
        _draw_link, _link, (TICKETS, TICKET, FINISHED),
        lambda world, p, state: rules.link_parent(part_of(state), p["ticket"], p["into"]),
    ),
    Template(
        "copy_serial", ("search", "recall", "form"), 14,
        ("The customer gave a serial number in {number}. Leave it as an internal note on "
         "{into_number}: the serial number alone.",
         "Look up the serial number in ticket {number} and write just that, as an internal note, "
         "on {into_number}."),
        _draw_serial, _copy_serial, (TICKETS, TICKET, FINISHED), _expect_serial,
    ),
)  # fmt: skip
