"""The rules of tickets and canned replies. Each one changes the help desk's state, or raises
Refused or NotFound.

Guarantees: a closed ticket changes no more; a ticket is solved or closed only when its sub-tickets
are; only agents who are not on leave get tickets. `state` is the help desk's part of a session's
state; days are ISO dates.
"""

from __future__ import annotations

import re

from envs.gyms.apps.desk.data import (
    ALL_PRODUCTS,
    CLOSED,
    FINISHED_STATUSES,
    MESSAGE,
    NEW,
    NOTE,
    OPEN,
    PRIORITIES,
    REPLY,
    SOLVED,
    STATUSES,
    TEAMS,
    WAITING,
    Item,
)
from envs.gyms.kit.records import get_record
from envs.gyms.server.gym import Refused, State

_TAG = re.compile(r"[a-z0-9-]{2,20}")
MIN_REASON = 10
"""Letters of the reason for an escalation."""


def get_ticket_by_number(state: State, number: str) -> Item:
    """The ticket with this number, in any case. Raises Refused."""
    for ticket in state["tickets"]:
        if ticket["number"] == number.strip().upper():
            match: Item = ticket
            return match
    raise Refused(f"There is no ticket {number[:20]!r}")


def get_changeable_ticket(state: State, key: str) -> Item:
    """A ticket that is not closed. Raises Refused."""
    ticket = get_record(state, "tickets", key)
    if ticket["status"] == CLOSED:
        raise Refused(f"{ticket['number']} is closed: it cannot be changed any more")
    return ticket


def is_overdue(ticket: Item, today: str) -> bool:
    """Whether a new or open ticket is past its due day; one that waits is never overdue."""
    return bool(ticket["status"] in (NEW, OPEN) and ticket["due"] < today)


def list_unfinished_children(state: State, key: str) -> list[Item]:
    """A ticket's sub-tickets that are neither solved nor closed."""
    return [
        ticket
        for ticket in state["tickets"]
        if ticket["parent"] == key and ticket["status"] not in FINISHED_STATUSES
    ]


def update_ticket(
    state: State, key: str, status: str = "", priority: str = "", assignee: str | None = None
) -> None:
    """Sets what is given. A new ticket that gets an assignee becomes open.

    `assignee` "" takes the assignee away. When anything is refused, nothing changes."""
    ticket = get_changeable_ticket(state, key)
    changed = dict(ticket)
    if assignee is not None and assignee != (ticket["assignee"] or ""):
        _set_assignee(state, changed, assignee)
        if ticket["status"] == NEW and assignee and status in ("", NEW):
            status = OPEN
    if priority:
        if priority not in PRIORITIES:
            raise Refused("Choose one: Priority")
        changed["priority"] = priority
    if status and status != ticket["status"]:
        _set_status(state, changed, status)
    ticket |= changed


def _set_assignee(state: State, ticket: Item, assignee: str) -> None:
    if not assignee:
        if ticket["status"] != NEW:
            raise Refused("Only a new ticket can be without an assignee")
        ticket["assignee"] = None
        return
    agent = next((agent for agent in state["agents"] if agent["id"] == assignee), None)
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
    if status in FINISHED_STATUSES and (children := list_unfinished_children(state, ticket["id"])):
        raise Refused(
            f"{number} has a sub-ticket that is not solved: {children[0]['number']}",
            event=f"unfinished:{ticket['id']}",
        )
    if status == CLOSED and ticket["status"] not in (WAITING, SOLVED):
        raise Refused(f"{number} can be closed only when it waits or is solved")
    ticket["status"] = status


def add_post(state: State, key: str, kind: str, text: str, author: str, day: str) -> None:
    """Adds a REPLY or a NOTE. A reply opens a new ticket that has an assignee."""
    ticket = get_changeable_ticket(state, key)
    if kind not in (REPLY, NOTE):
        raise Refused("Choose one: Send as")
    number = len(ticket["posts"]) + 1
    ticket["posts"].append(
        {"id": f"{key}-{number}", "kind": kind, "author": author, "day": day, "text": text}
    )
    if kind == REPLY and ticket["status"] == NEW and ticket["assignee"]:
        ticket["status"] = OPEN


def escalate_ticket(state: State, key: str, team: str, reason: str, author: str, day: str) -> None:
    """Escalates a ticket once, with a note; a Low or Normal one becomes High."""
    ticket = get_changeable_ticket(state, key)
    if team not in TEAMS:
        raise Refused("Choose one: Escalate to")
    if ticket["escalated"]:
        raise Refused(f"{ticket['number']} is escalated already")
    if len(reason) < MIN_REASON:
        raise Refused(f"Reason must have at least {MIN_REASON} letters")
    add_post(state, key, NOTE, f"Escalated to {team}: {reason}", author, day)
    ticket["escalated"] = team
    if ticket["priority"] in ("Low", "Normal"):
        ticket["priority"] = "High"


def edit_ticket(state: State, key: str, subject: str, product: str, due: str, tags: str) -> None:
    """Changes a ticket's details. `tags` as written, with commas between them."""
    ticket = get_changeable_ticket(state, key)
    if product not in ALL_PRODUCTS:
        raise Refused("Choose one: Product")
    if due < ticket["created"]:
        raise Refused("Due must not be before the day the ticket was made")
    parsed_tags = sorted({tag.strip().lower() for tag in tags.split(",") if tag.strip()})
    for tag in parsed_tags:
        if not _TAG.fullmatch(tag):
            raise Refused(f"A tag is letters, digits and hyphens: {tag[:30]!r} is none")
    ticket |= {"subject": subject, "product": product, "due": due, "tags": parsed_tags}


def create_ticket(
    state: State,
    customer: str,
    subject: str,
    product: str,
    priority: str,
    text: str,
    today: str,
    due: str,
) -> Item:
    """Creates a new ticket without assignee, whose first post is the customer's message."""
    author = get_record(state, "customers", customer)["name"]
    if product not in ALL_PRODUCTS or priority not in PRIORITIES:
        raise Refused("Choose a product and a priority")
    count = len(state["tickets"])
    key = f"t{count + 1}"
    number = 1 + max(int(other["number"].removeprefix("HD-")) for other in state["tickets"])
    ticket: Item = {
        "id": key,
        "number": f"HD-{number}",
        "subject": subject,
        "customer": customer,
        "product": product,
        "priority": priority,
        "status": NEW,
        "assignee": None,
        "created": today,
        "due": due,
        "tags": [],
        "parent": None,
        "merged": None,
        "escalated": None,
        "posts": [
            {"id": f"{key}-1", "kind": MESSAGE, "author": author, "day": today, "text": text}
        ],
    }
    state["tickets"].append(ticket)
    return ticket


def save_canned_reply(state: State, key: str | None, title: str, text: str) -> Item:
    """Changes a canned reply, or creates one when `key` is None. Titles are unique."""
    replies = state["canned"]
    if any(r["title"].lower() == title.lower() and r["id"] != key for r in replies):
        raise Refused(f"There is a canned reply {title!r} already")
    if key is None:
        key = f"r{len(replies) + 1}"
        replies.append({"id": key, "title": title, "text": text})
    reply = get_record(state, "canned", key)
    reply |= {"title": title, "text": text}
    return reply


def fill_canned_reply(reply: Item, customer: Item) -> str:
    """A canned reply's text with the customer's first name filled in."""
    return str(reply["text"]).replace("%name%", customer["name"].split()[0])
