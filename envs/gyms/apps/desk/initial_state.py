"""The help desk's state of a seed: 200 tickets with conversations, their customers, the agents of
the Support department, canned replies.

Ticket numbers grow with the day of creation. The order of random draws is fixed, since it decides
what the world of a seed looks like.
"""

from __future__ import annotations

import random

from envs.gyms.apps.desk.data import (
    CANNED_REPLIES,
    DEVICES,
    DUE_DAYS,
    FINISHED_STATUSES,
    FIRST_NUMBER,
    MESSAGE,
    MESSAGES,
    NEW,
    NOTE,
    NOTES,
    OPEN,
    PRIORITIES,
    PRODUCTS,
    REPLIES,
    REPLY,
    SERIAL_PREFIX,
    STATUSES,
    SUBJECTS,
    TAGS,
    WAITING,
    Item,
)
from envs.gyms.kit.company import Company, Firm, Person
from envs.gyms.kit.names import number_of
from envs.gyms.server.gym import State

TICKETS, SUB_TICKETS, COLLEAGUES, AGENTS_AWAY = 200, 8, 12, 2
"""How many tickets, sub-tickets, customers from the company itself, and agents on leave."""
STATUS_WEIGHTS_RECENT, STATUS_WEIGHTS_OLD = (3, 6, 4, 4, 4), (0, 3, 2, 3, 9)
"""Of STATUSES, for tickets of the last RECENT_DAYS and for older ones."""
RECENT_DAYS, MAX_AGE_DAYS = 35, 60


def make_state(world: Company) -> State:
    """The help desk's part of the state in the world of a seed."""
    rng = world.rng("desk")
    support = [person for person in world.people if person.department == "Support"]
    customers = _make_customers(world, rng)
    away = rng.sample(support, AGENTS_AWAY)
    agents: list[Item] = [
        {"id": person.id, "name": person.name, "away": person in away} for person in support
    ]
    ages = sorted((rng.randint(0, MAX_AGE_DAYS) for _ in range(TICKETS)), reverse=True)
    tickets = [
        _make_ticket(world, rng, index, age, customers, agents) for index, age in enumerate(ages)
    ]
    in_progress = [ticket for ticket in tickets if ticket["status"] in (OPEN, WAITING)]
    sample = rng.sample(in_progress, 2 * SUB_TICKETS)
    for child, parent in zip(sample[:SUB_TICKETS], sample[SUB_TICKETS:], strict=True):
        child["parent"] = parent["id"]
    canned = [
        {"id": f"r{index + 1}", "title": title, "text": text}
        for index, (title, text) in enumerate(CANNED_REPLIES)
    ]
    return {"customers": customers, "agents": agents, "tickets": tickets, "canned": canned}


def _make_customers(world: Company, rng: random.Random) -> list[Item]:
    """The contacts of all firms, and some colleagues from other departments."""

    def make_customer(contact: Firm | Person, name: str, organisation: str) -> Item:
        is_colleague = organisation == world.name
        return {
            "id": f"c{contact.id}",
            "name": name,
            "org": organisation,
            "email": contact.email,
            "phone": contact.phone,
            "plan": "Internal" if is_colleague else rng.choice(("Basic", "Premium")),
        }

    others = [
        person
        for person in world.people
        if person.department != "Support" and person is not world.user
    ]
    colleagues = rng.sample(others, COLLEAGUES)
    customers = [make_customer(firm, firm.contact, firm.name) for firm in world.firms]
    return customers + [make_customer(person, person.name, world.name) for person in colleagues]


def _make_ticket(
    world: Company,
    rng: random.Random,
    index: int,
    age: int,
    customers: list[Item],
    agents: list[Item],
) -> Item:
    """A ticket that was created `age` days ago."""
    split = world.split
    customer, product = rng.choice(customers), rng.choice(PRODUCTS[split])
    weights = STATUS_WEIGHTS_RECENT if age < RECENT_DAYS else STATUS_WEIGHTS_OLD
    status = rng.choices(STATUSES, weights)[0]
    priority = rng.choices(PRIORITIES, (3, 6, 4, 2))[0]
    agent = None if status == NEW and rng.random() < 0.8 else rng.choice(agents)
    posts = _make_posts(rng, customer, product, agent, has_serial=product in DEVICES[split])
    key = f"t{index + 1}"
    return {
        "id": key,
        "number": f"HD-{number_of(world.seed, FIRST_NUMBER + index)}",
        "subject": rng.choice(SUBJECTS).format(product),
        "customer": customer["id"],
        "product": product,
        "priority": priority,
        "status": status,
        "assignee": agent["id"] if agent else None,
        "created": world.day(-age),
        "due": world.day(
            DUE_DAYS[priority] - age if status in FINISHED_STATUSES else rng.randint(-12, 18)
        ),
        "tags": sorted(rng.sample(TAGS, rng.choice((0, 1, 1, 2)))),
        "parent": None,
        "merged": None,
        "escalated": None,
        "posts": [
            {
                "id": f"{key}-{number + 1}",
                "kind": kind,
                "author": author,
                "day": world.day(-max(0, age - number)),
                "text": text,
            }
            for number, (kind, author, text) in enumerate(posts)
        ],
    }


def _make_posts(
    rng: random.Random, customer: Item, product: str, agent: Item | None, *, has_serial: bool
) -> list[tuple[str, str, str]]:
    """Kind, author and text of a ticket's conversation."""
    posts = [(MESSAGE, customer["name"], rng.choice(MESSAGES))]
    if has_serial:
        serial = f"{product[0]}X-{rng.randint(10000, 99999)}"
        posts.append((MESSAGE, customer["name"], f"{SERIAL_PREFIX}{serial}"))
    if agent and rng.random() < 0.7:
        posts.append((REPLY, str(agent["name"]), rng.choice(REPLIES)))
    if agent and rng.random() < 0.3:
        posts.append((NOTE, str(agent["name"]), rng.choice(NOTES)))
    return posts
