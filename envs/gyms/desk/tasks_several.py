"""Tasks on several tickets: the same change to all that fit a description.

The state is prepared so that two or three fit, and all of them can be changed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator

from envs.gyms.desk import rules
from envs.gyms.desk.data import CLOSED, NEW, OPEN, PRODUCTS, SOLVED, WAITING
from envs.gyms.desk.drawing import (
    TICKETS,
    Ticket,
    an_agent,
    closable,
    listed,
    part_of,
    rows_of,
    save,
    to_ticket,
)
from envs.gyms.gym import OracleMove, State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template
from envs.gyms.view import Page


def _each(page: Page, act: Callable[[Page], ways.Way]) -> Generator[OracleMove, Page, None]:
    """Does it with all tickets of the list that is open, which fit on its page."""
    numbers = [number for number, _ in rows_of(page)]
    for index, number in enumerate(numbers):
        if index == 0:
            page = yield from ways.open_item(page, number)
        else:
            page = yield from to_ticket(page, number)
        page = yield from act(page)


def _keys(p: Params) -> list[str]:
    keys: list[str] = p["keys"]
    return keys


def _waiting_of(part: State, key: str) -> list[Ticket]:
    return [t for t in part["tickets"] if t["customer"] == key and t["status"] == WAITING]


def _make_waiting(world: Company, rng: random.Random, state: State) -> None:
    """One customer has three tickets that wait, and each can be closed."""
    part = part_of(state)
    names = [c["name"] for c in part["customers"]]
    alone = [c["id"] for c in part["customers"] if names.count(c["name"]) == 1]
    busy = max(alone, key=lambda key: sum(t["customer"] == key for t in part["tickets"]))
    theirs = [t for t in part["tickets"] if t["customer"] == busy and t["status"] != CLOSED]
    free = [t for t in part["tickets"] if t["customer"] != busy and t["status"] == SOLVED]
    while len(theirs) < 3:
        theirs.append(free.pop())
        theirs[-1]["customer"] = busy
    for ticket in part["tickets"]:
        if ticket["parent"] in [t["id"] for t in theirs]:
            ticket["parent"] = None
    agent = next(a for a in part["agents"] if not a["away"])
    for index, ticket in enumerate(theirs):
        ticket |= {"status": WAITING if index < 3 else OPEN}
        ticket["assignee"] = ticket["assignee"] or agent["id"]


def _draw_waiting(world: Company, rng: random.Random, state: State) -> Params:
    part = part_of(state)
    fits = [
        c for c in part["customers"]
        if len(w := _waiting_of(part, c["id"])) == 3 and all(map(closable(part), w))
        and [x["name"] for x in part["customers"]].count(c["name"]) == 1
    ]  # fmt: skip
    if not fits:
        raise Redraw("no customer has three tickets that wait")
    who = rng.choice(fits)
    return {"customer": who["id"], "name": who["name"], "org": who["org"],
            "keys": [t["id"] for t in _waiting_of(part, who["id"])]}  # fmt: skip


def _expect_closed(world: Company, p: Params, state: State) -> None:
    for key in _keys(p):
        rules.update(part_of(state), key, CLOSED)


def _close_waiting(page: Page, p: Params) -> Script:
    def close(page: Page) -> ways.Way:
        page = yield from ways.press(page, "what else there is", "More")
        return (yield from ways.sure(page, "Close ticket"))

    page = yield from listed(page, f"{p['name']} {p['org']}", Status=WAITING)
    yield from _each(page, close)
    return None


def _low_new(part: State, product: str) -> list[Ticket]:
    return [
        t for t in part["tickets"]
        if t["product"] == product and t["status"] == NEW and t["priority"] == "Low"
    ]  # fmt: skip


def _make_low(world: Company, rng: random.Random, state: State) -> None:
    """The product with the most new tickets has two that are low."""
    new = [t for t in part_of(state)["tickets"] if t["status"] == NEW]
    product = max(PRODUCTS, key=lambda name: sum(t["product"] == name for t in new))
    for index, ticket in enumerate([t for t in new if t["product"] == product]):
        ticket["priority"] = "Low" if index < 2 else "Normal"


def _draw_low(world: Company, rng: random.Random, state: State) -> Params:
    part = part_of(state)
    fits = [product for product in PRODUCTS if len(_low_new(part, product)) == 2]
    if not fits:
        raise Redraw("no product has two new tickets that are low")
    product = rng.choice(fits)
    return {"product": product, "keys": [t["id"] for t in _low_new(part, product)],
            "priority": rng.choice(("High", "Urgent"))}  # fmt: skip


def _expect_raised(world: Company, p: Params, state: State) -> None:
    for key in _keys(p):
        rules.update(part_of(state), key, priority=p["priority"])


def _raise_low(page: Page, p: Params) -> Script:
    page = yield from listed(page, p["product"], Status=NEW, Priority="Low")
    yield from _each(page, lambda page: save(page, Priority=p["priority"]))
    return None


def _urgent_of(part: State, key: str) -> list[Ticket]:
    return [
        t for t in part["tickets"]
        if t["assignee"] == key and t["status"] == OPEN and t["priority"] == "Urgent"
    ]  # fmt: skip


def _make_urgent(world: Company, rng: random.Random, state: State) -> None:
    """One agent has two open tickets that are urgent."""
    part = part_of(state)
    agent = rng.choice(part["agents"])["id"]
    mine = [t for t in part["tickets"] if t["status"] == OPEN and t["assignee"] == agent]
    others = [t for t in part["tickets"] if t["status"] == OPEN and t["assignee"] != agent]
    while len(mine) < 2:
        mine.append(others.pop())
    for index, ticket in enumerate(mine):
        ticket |= {"assignee": agent, "priority": "Urgent" if index < 2 else "High"}


def _draw_hand_over(world: Company, rng: random.Random, state: State) -> Params:
    part = part_of(state)
    fits = [a for a in part["agents"] if len(_urgent_of(part, a["id"])) == 2]
    if not fits:
        raise Redraw("no agent has two urgent tickets")
    giver = rng.choice(fits)
    return an_agent(rng, state, giver["id"]) | {
        "giver": giver["name"],
        "keys": [t["id"] for t in _urgent_of(part, giver["id"])],
    }


def _expect_handed_over(world: Company, p: Params, state: State) -> None:
    for key in _keys(p):
        rules.update(part_of(state), key, assignee=p["agent"])


def _hand_over(page: Page, p: Params) -> Script:
    page = yield from listed(page, "", Assignee=p["giver"], Priority="Urgent", Status=OPEN)
    yield from _each(page, lambda page: save(page, Assignee=p["agent_name"]))
    return None


TEMPLATES = (
    Template(
        "close_waiting", ("search", "filter", "multi-step", "menu", "dialog"), 23,
        ("Close all tickets of {name} ({org}) that are Waiting.",
         "{name} of {org} does not answer any more: close every ticket of this customer that "
         "waits."),
        _draw_waiting, _close_waiting, (TICKETS, FINISHED), _expect_closed,
        prepare=_make_waiting,
    ),
    Template(
        "raise_low", ("search", "filter", "multi-step"), 16,
        ("Set all New tickets about the {product} that have priority Low to {priority}.",
         "Every New ticket for the product {product} whose priority is Low becomes {priority}. "
         "Change them."),
        _draw_low, _raise_low, (TICKETS, FINISHED), _expect_raised, prepare=_make_low,
    ),
    Template(
        "hand_over", ("filter", "multi-step", "form"), 19,
        ("Give all Open tickets of {giver} that are Urgent to {agent_name}.",
         "{agent_name} takes over from {giver} whatever is Urgent and Open. Change the "
         "assignees."),
        _draw_hand_over, _hand_over, (TICKETS, FINISHED), _expect_handed_over,
        prepare=_make_urgent,
    ),
)  # fmt: skip
