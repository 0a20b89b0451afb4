"""What the help desk allows. Each rule changes the app's state, or raises Refused or NotFound.

Guarantees: a closed ticket changes no more; a ticket is done only when its sub-tickets are; whoever
gets a ticket is there to work on it."""

from __future__ import annotations

import re
from typing import Any

from envs.gyms.desk.data import (
    CLOSED,
    NEW,
    NOTE,
    OPEN,
    PRIORITIES,
    PRODUCTS,
    REPLY,
    SOLVED,
    STATUSES,
    TEAMS,
    WAITING,
)
from envs.gyms.gym import Refused, State
from envs.gyms.kit.records import one

Item = dict[str, Any]
_TAG = re.compile(r"[a-z0-9-]{2,20}")


def by_number(state: State, number: str) -> Item:
    """Raises Refused."""
    for ticket in state["tickets"]:
        if ticket["number"] == number.strip().upper():
            found: Item = ticket
            return found
    raise Refused(f"There is no ticket {number[:20]!r}")


def is_overdue(ticket: Item, today: str) -> bool:
    """The clock stands still while a ticket waits for its customer."""
    return bool(ticket["status"] in (NEW, OPEN) and ticket["due"] < today)


def unfinished(state: State, key: str) -> list[Item]:
    """A ticket's sub-tickets that are still to be worked on."""
    return [t for t in state["tickets"] if t["parent"] == key and t["status"] not in DONE]


DONE = (SOLVED, CLOSED)


def update(
    state: State, key: str, status: str = "", priority: str = "", assignee: str | None = None
) -> None:
    """What is left out stays. A new ticket that gets an assignee is open; "" takes it away."""
    ticket = _live(state, key)
    made = dict(ticket)
    if assignee is not None and assignee != (ticket["assignee"] or ""):
        _assign(state, made, assignee)
        if ticket["status"] == NEW and assignee and status in ("", NEW):
            status = OPEN
    if priority:
        if priority not in PRIORITIES:
            raise Refused("Choose one: Priority")
        made["priority"] = priority
    if status and status != ticket["status"]:
        _set_status(state, made, status)
    ticket |= made


def _assign(state: State, ticket: Item, assignee: str) -> None:
    if not assignee:
        if ticket["status"] != NEW:
            raise Refused("Only a new ticket can be without an assignee")
        ticket["assignee"] = None
        return
    agent = next((one for one in state["agents"] if one["id"] == assignee), None)
    if agent is None:
        raise Refused("Choose one: Assignee")
    if agent["away"]:
        raise Refused(f"{agent['name']} is away and takes no tickets")
    ticket["assignee"] = assignee


def _set_status(state: State, ticket: Item, status: str) -> None:
    number = ticket["number"]
    if status not in STATUSES:
        raise Refused("Choose one: Status")
    if status == NEW:
        raise Refused(f"{number} cannot become new again")
    if not ticket["assignee"]:
        raise Refused(f"{number} needs an assignee first")
    if status in DONE and (left := unfinished(state, ticket["id"])):
        raise Refused(f"{number} has a sub-ticket that is not solved: {left[0]['number']}")
    if status == CLOSED and ticket["status"] not in (WAITING, SOLVED):
        raise Refused(f"{number} can be closed only when it waits or is solved")
    ticket["status"] = status


def _live(state: State, key: str) -> Item:
    ticket = one(state, "tickets", key)
    if ticket["status"] == CLOSED:
        raise Refused(f"{ticket['number']} is closed: it cannot be changed any more")
    return ticket


def post(state: State, key: str, kind: str, text: str, author: str, day: str) -> None:
    """A reply, which opens a new ticket that is somebody's, or a note."""
    ticket = _live(state, key)
    if kind not in (REPLY, NOTE):
        raise Refused("Choose one: Send as")
    posts = ticket["posts"]
    made = {"id": f"{key}-{len(posts) + 1}", "kind": kind, "author": author, "day": day}
    posts.append({**made, "text": text})
    if kind == REPLY and ticket["status"] == NEW and ticket["assignee"]:
        ticket["status"] = OPEN


def merge_problem(state: State, ticket: Item, into: Item) -> str | None:
    """Why one cannot be merged into the other; None when it can."""
    if ticket is into:
        return "A ticket cannot be merged into itself"
    for each in (ticket, into):
        if each["status"] == CLOSED:
            return f"{each['number']} is closed: it cannot be merged"
    if ticket["customer"] != into["customer"]:
        return "Tickets of different customers cannot be merged"
    if unfinished(state, ticket["id"]):
        return f"{ticket['number']} has a sub-ticket that is not solved: it cannot be merged"
    return None


def merge(state: State, key: str, into_key: str, author: str, day: str) -> None:
    ticket, into = one(state, "tickets", key), one(state, "tickets", into_key)
    if problem := merge_problem(state, ticket, into):
        raise Refused(problem)
    text = f"Merged from {ticket['number']}: {ticket['subject']}"
    post(state, into_key, NOTE, text, author, day)
    ticket |= {"status": CLOSED, "merged": into_key}


def link_parent(state: State, key: str, parent_key: str | None) -> None:
    """One level only. None takes the parent away."""
    ticket = _live(state, key)
    if parent_key is not None:
        parent = _live(state, parent_key)
        if parent is ticket:
            raise Refused("A ticket cannot be its own parent")
        if parent["parent"]:
            raise Refused(f"{parent['number']} is a sub-ticket itself")
        if any(other["parent"] == key for other in state["tickets"]):
            raise Refused(f"{ticket['number']} has sub-tickets of its own")
    ticket["parent"] = parent_key


def escalate(state: State, key: str, team: str, reason: str, author: str, day: str) -> None:
    ticket = _live(state, key)
    if team not in TEAMS:
        raise Refused("Choose one: Escalate to")
    if ticket["escalated"]:
        raise Refused(f"{ticket['number']} is escalated already")
    if len(reason) < 10:
        raise Refused("Reason must have at least 10 letters")
    post(state, key, NOTE, f"Escalated to {team}: {reason}", author, day)
    ticket["escalated"] = team
    if ticket["priority"] in ("Low", "Normal"):
        ticket["priority"] = "High"


def edit(state: State, key: str, subject: str, product: str, due: str, tags: str) -> None:
    """`tags` as written, with commas between them."""
    ticket = _live(state, key)
    if product not in PRODUCTS:
        raise Refused("Choose one: Product")
    if due < ticket["created"]:
        raise Refused("Due must not be before the day the ticket was made")
    words = sorted({tag.strip().lower() for tag in tags.split(",") if tag.strip()})
    for tag in words:
        if not _TAG.fullmatch(tag):
            raise Refused(f"A tag is letters, digits and hyphens: {tag[:30]!r} is none")
    ticket |= {"subject": subject, "product": product, "due": due, "tags": words}


def create(
    state: State, customer: str, subject: str, product: str, priority: str, text: str,
    today: str, due: str,
) -> Item:  # fmt: skip
    who = one(state, "customers", customer)
    if product not in PRODUCTS or priority not in PRIORITIES:
        raise Refused("Choose a product and a priority")
    count = len(state["tickets"])
    key = f"t{count + 1}"
    first = {"id": f"{key}-1", "kind": "message", "author": who["name"], "day": today, "text": text}
    ticket: Item = {
        "id": key, "number": f"HD-{2001 + count}", "subject": subject, "customer": customer,
        "product": product, "priority": priority, "status": NEW, "assignee": None,
        "created": today, "due": due, "tags": [], "parent": None, "merged": None,
        "escalated": None, "posts": [first],
    }  # fmt: skip
    state["tickets"].append(ticket)
    return ticket


def save_canned(state: State, key: str | None, title: str, text: str) -> Item:
    """A new one when there is no key. Titles are unique."""
    if any(r["title"].lower() == title.lower() and r["id"] != key for r in state["canned"]):
        raise Refused(f"There is a canned reply {title!r} already")
    if key is None:
        key = f"r{len(state['canned']) + 1}"
        state["canned"].append({"id": key, "title": title, "text": text})
    found = one(state, "canned", key)
    found |= {"title": title, "text": text}
    return found


def inserted(canned: Item, customer: Item) -> str:
    """A canned reply's text for somebody."""
    return str(canned["text"]).replace("%name%", customer["name"].split()[0])
