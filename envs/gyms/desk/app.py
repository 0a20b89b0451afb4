"""The help desk as an app: its places, its site tools, and what its pages share.

No page is registered here: the modules of the pages do so, and `gym.py` imports them all.
"""

from __future__ import annotations

import random
from typing import Any

from markupsafe import Markup

from envs.gyms.desk import rules
from envs.gyms.desk.data import NOTE, REPLY, fresh
from envs.gyms.gym import Refused, State
from envs.gyms.kit.here import App, Here
from envs.gyms.kit.html import link
from envs.gyms.kit.listing import Item
from envs.gyms.kit.records import one
from envs.gyms.kit.site_tools import Tools, site_tool

NOBODY = "Nobody"


def _stray(state: State, rng: random.Random) -> None:
    customer = rng.choice(state["customers"])
    customer["phone"] = f"{customer['phone']} ext 2"


@site_tool("desk.find_tickets")
def find_tickets(here: Tools, text: str, status: str | None = None) -> list[dict[str, Any]]:
    """Tickets with the text in number, subject, product or customer's name, at most 20: number,
    subject, customer, organisation, status, priority, assignee, due (ISO date)."""
    found = []
    for ticket in here.state["tickets"]:
        if text.lower() in words_of(here.state, ticket).lower() and status in (
            None,
            ticket["status"],
        ):
            who = one(here.state, "customers", ticket["customer"])
            keys = ("number", "subject", "status", "priority", "due")
            found.append(
                {key: ticket[key] for key in keys}
                | {"customer": who["name"], "organisation": who["org"]}
                | {"assignee": agent_name(here.state, ticket)}
            )
    return found[:20]


@site_tool("desk.assign")
def assign(here: Tools, number: str, agent: str) -> str:
    """Gives a ticket to a support agent, by number and name."""
    known = {one["name"]: one["id"] for one in here.state["agents"]}
    if agent not in known:
        raise Refused(f"there is no agent {agent[:40]!r}")
    rules.update(here.state, rules.by_number(here.state, number)["id"], assignee=known[agent])
    return f"assigned {number} to {agent}"


@site_tool("desk.reply")
def reply_to(here: Tools, number: str, text: str, internal: bool = False) -> str:
    """Writes to a ticket's customer, or, with internal, a note that only colleagues see."""
    key, kind = rules.by_number(here.state, number)["id"], NOTE if internal else REPLY
    rules.post(here.state, key, kind, text, here.world.user.name, here.world.today)
    return f"{'noted on' if internal else 'replied to'} {number}"


@site_tool("desk.set_status")
def set_status(here: Tools, number: str, status: str) -> str:
    """Open, Waiting, Solved or Closed."""
    rules.update(here.state, rules.by_number(here.state, number)["id"], status=status)
    return f"{number} is {status}"


@site_tool("desk.set_priority")
def set_priority(here: Tools, number: str, priority: str) -> str:
    """Low, Normal, High or Urgent."""
    rules.update(here.state, rules.by_number(here.state, number)["id"], priority=priority)
    return f"{number} is {priority}"


DESK = App(
    "desk",
    "Help desk",
    (("Overview", "/"), ("Tickets", "/tickets"), ("Board", "/board"), ("Customers", "/customers"),
     ("Canned replies", "/canned"), ("Deadlines", "/deadlines")),
    fresh,
    _stray,
    (find_tickets, assign, reply_to, set_status, set_priority),
)  # fmt: skip


def words_of(state: State, ticket: Item) -> str:
    who = one(state, "customers", ticket["customer"])
    parts = (ticket["number"], ticket["subject"], ticket["product"], who["name"], who["org"])
    return " ".join((*parts, *ticket["tags"]))


def agent_name(state: State, ticket: Item) -> str:
    key = ticket["assignee"]
    return str(one(state, "agents", key)["name"]) if key else NOBODY


def agent_names(here: Here) -> list[str]:
    return sorted(agent["name"] for agent in here.state["agents"])


def customer_of(here: Here, ticket: Item) -> Item:
    return one(here.state, "customers", ticket["customer"])


def ticket_link(here: Here, ticket: Item, text: str) -> Markup:
    return link(text, here.url(f"/tickets/{ticket['id']}"))
