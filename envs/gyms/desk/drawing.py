"""What the help desk's templates draw, and the ways to tickets that they share.

Draws take from the random source in a fixed order, so that a seed always makes the same task.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from envs.actions import Scroll
from envs.gyms.desk import rules
from envs.gyms.desk.app import agent_name
from envs.gyms.desk.data import OPEN, WAITING
from envs.gyms.gym import OracleLost, OracleMove, State
from envs.gyms.kit import ways
from envs.gyms.kit.records import one
from envs.gyms.kit.template import Params, Redraw, saw
from envs.gyms.view import Page

Ticket = dict[str, Any]
TICKETS = ("tickets", saw("desk:tickets"))
TICKET = ("ticket", saw("desk:ticket:{ticket}"))


def part_of(state: State) -> State:
    part: State = state["desk"]
    return part


def pick(
    rng: random.Random, state: State, fits: Callable[[Ticket], bool], what: str = "such ticket"
) -> Ticket:
    found = [ticket for ticket in part_of(state)["tickets"] if fits(ticket)]
    if not found:
        raise Redraw(f"there is no {what}")
    chosen: Ticket = rng.choice(found)
    return chosen


def is_live(ticket: Ticket) -> bool:
    return bool(ticket["status"] in (OPEN, WAITING) and ticket["assignee"])


def closable(part: State) -> Callable[[Ticket], bool]:
    """Those that are somebody's and have no sub-ticket that is still to be worked on."""
    return lambda t: is_live(t) and not rules.unfinished(part, t["id"])


def known(state: State, ticket: Ticket) -> Params:
    who = one(part_of(state), "customers", ticket["customer"])
    return {"ticket": ticket["id"], "number": ticket["number"], "subject": ticket["subject"],
            "customer": who["id"], "name": who["name"], "org": who["org"]}  # fmt: skip


def an_agent(rng: random.Random, state: State, *besides: str | None) -> Params:
    here = [a for a in part_of(state)["agents"] if not a["away"] and a["id"] not in besides]
    chosen = rng.choice(here)
    return {"agent": chosen["id"], "agent_name": chosen["name"]}


def rows_of(page: Page) -> list[tuple[str, list[str]]]:
    """The list's tickets: numbers, and the texts of each."""
    found: list[tuple[str, list[str]]] = []
    for line in page.lines:
        if line.role == "link":
            if line.name.startswith("HD-"):
                found.append((line.name, []))
            elif found:
                break
        elif found:
            found[-1][1].append(line.name)
    return found


def to_ticket(page: Page, number: str) -> ways.Way:
    page = yield from ways.go(page, "Tickets")
    page = yield from ways.search(page, number)
    return (yield from ways.open_item(page, number))


def listed(page: Page, words: str, **narrowed: str) -> ways.Way:
    """The list of tickets with these words, by drop-downs."""
    page = yield from ways.go(page, "Tickets")
    if words:
        page = yield from ways.search(page, words)
    for label, option in narrowed.items():
        page = yield from ways.narrow(page, label, option)
    return page


def save(page: Page, **fields: str) -> ways.Way:
    page = yield from ways.fill(page, fields)
    return (yield from ways.press(page, "save it", "Save ticket"))


def write(page: Page, fields: dict[str, str]) -> ways.Way:
    page = yield from ways.fill(page, fields)
    return (yield from ways.press(page, "send it", "Send message"))


def to_subject(page: Page, p: Params) -> ways.Way:
    """The newest ticket of a customer that has exactly this subject."""
    page = yield from listed(page, f"{p['subject']} {p['name']} {p['org']}")
    for _ in range(ways.MAX_PAGES):
        for number, texts in rows_of(page):
            if texts and texts[0] == p["subject"]:
                return (yield from ways.open_item(page, number, "this is the one"))
        if page.goes_on_below:
            page = yield from further_down(page)
        else:
            page = yield from ways.open_link(page, "not on this page", "Next page")
    raise OracleLost(f"no ticket {p['subject']!r}")


def further_down(page: Page) -> ways.Way:
    return (yield OracleMove("look further down", Scroll(dy=1, unit="page")))


def of_agent(state: State, name: str, status: str) -> list[Ticket]:
    part = part_of(state)
    return [t for t in part["tickets"] if t["status"] == status and agent_name(part, t) == name]
