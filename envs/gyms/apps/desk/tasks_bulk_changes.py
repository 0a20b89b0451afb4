"""Tasks on several tickets: the same change to all that fit a description.

The state is prepared so that two or three fit, and all of them can be changed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator

from envs.gyms.apps.desk import rules
from envs.gyms.apps.desk.data import CLOSED, NEW, OPEN, PRODUCTS, SOLVED, WAITING, Item
from envs.gyms.apps.desk.sampling import (
    VISITED_TICKETS,
    desk_state,
    is_closable,
    open_ticket,
    open_ticket_list,
    read_rows,
    sample_agent,
    save_ticket,
)
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template
from envs.gyms.server.gym import OracleMove, State
from envs.gyms.server.view import Page


def _change_each(
    page: Page, change: Callable[[Page], navigation.Moves]
) -> Generator[OracleMove, Page, None]:
    """Changes all tickets of the list that is open, which fit on one page."""
    numbers = [number for number, _ in read_rows(page)]
    for index, number in enumerate(numbers):
        if index == 0:
            page = yield from navigation.open_item(page, number)
        else:
            page = yield from open_ticket(page, number)
        page = yield from change(page)


def _list_waiting(desk: State, customer: str) -> list[Item]:
    return [t for t in desk["tickets"] if t["customer"] == customer and t["status"] == WAITING]


def _prepare_waiting(world: Company, rng: random.Random, state: State) -> None:
    """Gives one customer three tickets that wait and can be closed."""
    desk = desk_state(state)
    tickets = desk["tickets"]
    names = [customer["name"] for customer in desk["customers"]]
    unique = [c["id"] for c in desk["customers"] if names.count(c["name"]) == 1]
    customer = max(unique, key=lambda key: sum(t["customer"] == key for t in tickets))
    theirs = [t for t in tickets if t["customer"] == customer and t["status"] != CLOSED]
    spare = [t for t in tickets if t["customer"] != customer and t["status"] == SOLVED]
    while len(theirs) < 3:
        theirs.append(spare.pop())
        theirs[-1]["customer"] = customer
    keys = [ticket["id"] for ticket in theirs]
    for ticket in tickets:
        if ticket["parent"] in keys:
            ticket["parent"] = None
    agent = next(agent for agent in desk["agents"] if not agent["away"])
    for index, ticket in enumerate(theirs):
        ticket["status"] = WAITING if index < 3 else OPEN
        ticket["assignee"] = ticket["assignee"] or agent["id"]


def _sample_waiting(world: Company, rng: random.Random, state: State) -> Params:
    desk = desk_state(state)
    names = [customer["name"] for customer in desk["customers"]]

    def fits(customer: Item) -> bool:
        waiting = _list_waiting(desk, customer["id"])
        all_closable = all(is_closable(desk, ticket) for ticket in waiting)
        return len(waiting) == 3 and all_closable and names.count(customer["name"]) == 1

    customers = [customer for customer in desk["customers"] if fits(customer)]
    if not customers:
        raise Resample("no customer has three tickets that wait")
    customer = rng.choice(customers)
    return {
        "customer": customer["id"],
        "name": customer["name"],
        "org": customer["org"],
        "keys": [ticket["id"] for ticket in _list_waiting(desk, customer["id"])],
    }


def _apply_closed(world: Company, p: Params, state: State) -> None:
    for key in p["keys"]:
        rules.update_ticket(desk_state(state), key, CLOSED)


def _close_waiting(page: Page, p: Params) -> Script:
    def close(page: Page) -> navigation.Moves:
        page = yield from navigation.click(page, "what else there is", "More")
        return (yield from navigation.confirm(page, "Close ticket"))

    page = yield from open_ticket_list(page, f"{p['name']} {p['org']}", Status=WAITING)
    yield from _change_each(page, close)
    return None


def _list_new_and_low(desk: State, product: str) -> list[Item]:
    return [
        ticket
        for ticket in desk["tickets"]
        if ticket["product"] == product and ticket["status"] == NEW and ticket["priority"] == "Low"
    ]


def _prepare_low(world: Company, rng: random.Random, state: State) -> None:
    """Makes two new tickets of the product that has the most of them low."""
    tickets = [ticket for ticket in desk_state(state)["tickets"] if ticket["status"] == NEW]
    product = max(
        PRODUCTS[world.split], key=lambda name: sum(t["product"] == name for t in tickets)
    )
    for index, ticket in enumerate([t for t in tickets if t["product"] == product]):
        ticket["priority"] = "Low" if index < 2 else "Normal"


def _sample_low(world: Company, rng: random.Random, state: State) -> Params:
    desk = desk_state(state)
    products = [name for name in PRODUCTS[world.split] if len(_list_new_and_low(desk, name)) == 2]
    if not products:
        raise Resample("no product has two new tickets that are low")
    product = rng.choice(products)
    return {
        "product": product,
        "keys": [ticket["id"] for ticket in _list_new_and_low(desk, product)],
        "priority": rng.choice(("High", "Urgent")),
    }


def _apply_priority(world: Company, p: Params, state: State) -> None:
    for key in p["keys"]:
        rules.update_ticket(desk_state(state), key, priority=p["priority"])


def _raise_low(page: Page, p: Params) -> Script:
    page = yield from open_ticket_list(page, p["product"], Status=NEW, Priority="Low")
    yield from _change_each(page, lambda page: save_ticket(page, Priority=p["priority"]))
    return None


def _list_urgent(desk: State, agent: str) -> list[Item]:
    return [
        ticket
        for ticket in desk["tickets"]
        if ticket["assignee"] == agent
        and ticket["status"] == OPEN
        and ticket["priority"] == "Urgent"
    ]


def _prepare_urgent(world: Company, rng: random.Random, state: State) -> None:
    """Gives one agent two open tickets that are urgent."""
    desk = desk_state(state)
    agent = rng.choice(desk["agents"])["id"]
    open_tickets = [ticket for ticket in desk["tickets"] if ticket["status"] == OPEN]
    theirs = [ticket for ticket in open_tickets if ticket["assignee"] == agent]
    spare = [ticket for ticket in open_tickets if ticket["assignee"] != agent]
    while len(theirs) < 2:
        theirs.append(spare.pop())
    for index, ticket in enumerate(theirs):
        ticket |= {"assignee": agent, "priority": "Urgent" if index < 2 else "High"}


def _sample_hand_over(world: Company, rng: random.Random, state: State) -> Params:
    desk = desk_state(state)
    givers = [agent for agent in desk["agents"] if len(_list_urgent(desk, agent["id"])) == 2]
    if not givers:
        raise Resample("no agent has two urgent tickets")
    giver = rng.choice(givers)
    return sample_agent(rng, state, giver["id"]) | {
        "giver": giver["name"],
        "keys": [ticket["id"] for ticket in _list_urgent(desk, giver["id"])],
    }


def _apply_hand_over(world: Company, p: Params, state: State) -> None:
    for key in p["keys"]:
        rules.update_ticket(desk_state(state), key, assignee=p["agent"])


def _hand_over(page: Page, p: Params) -> Script:
    filters = {"Assignee": p["giver"], "Priority": "Urgent", "Status": OPEN}
    page = yield from open_ticket_list(page, "", **filters)
    yield from _change_each(page, lambda page: save_ticket(page, Assignee=p["agent_name"]))
    return None


TEMPLATES = (
    Template(
        name="close_waiting",
        skills=("search", "filter", "multi-step", "menu", "dialog"),
        oracle_steps=23,
        phrasings=(
            "Close all tickets of {name} ({org}) that are Waiting.",
            "{name} of {org} does not answer any more: close every ticket of this customer that "
            "waits.",
        ),
        sample_params=_sample_waiting,
        solve=_close_waiting,
        milestones=(VISITED_TICKETS, FINISHED),
        apply_expected=_apply_closed,
        prepare_state=_prepare_waiting,
    ),
    Template(
        name="raise_low",
        skills=("search", "filter", "multi-step"),
        oracle_steps=16,
        phrasings=(
            "Set all New tickets about the {product} that have priority Low to {priority}.",
            "Every New ticket for the product {product} whose priority is Low becomes {priority}. "
            "Change them.",
        ),
        sample_params=_sample_low,
        solve=_raise_low,
        milestones=(VISITED_TICKETS, FINISHED),
        apply_expected=_apply_priority,
        prepare_state=_prepare_low,
    ),
    Template(
        name="hand_over",
        skills=("filter", "multi-step", "form"),
        oracle_steps=19,
        phrasings=(
            "Give all Open tickets of {giver} that are Urgent to {agent_name}.",
            "{agent_name} takes over from {giver} whatever is Urgent and Open. Change the "
            "assignees.",
        ),
        sample_params=_sample_hand_over,
        solve=_hand_over,
        milestones=(VISITED_TICKETS, FINISHED),
        apply_expected=_apply_hand_over,
        prepare_state=_prepare_urgent,
    ),
)
