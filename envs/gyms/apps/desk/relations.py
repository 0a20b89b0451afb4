"""The rules that relate tickets: merging one into another, making one a sub-ticket.

Each one changes the help desk's state, or raises Refused or NotFound.
"""

from __future__ import annotations

from envs.gyms.apps.desk.data import CLOSED, NOTE, Item
from envs.gyms.apps.desk.rules import add_post, get_changeable_ticket, list_unfinished_children
from envs.gyms.kit.records import get_record
from envs.gyms.server.gym import Refused, State


def find_merge_problem(state: State, ticket: Item, into: Item) -> str | None:
    """Why one ticket cannot be merged into the other; None when it can."""
    if ticket is into:
        return "A ticket cannot be merged into itself"
    for each in (ticket, into):
        if each["status"] == CLOSED:
            return f"{each['number']} is closed: it cannot be merged"
    if ticket["customer"] != into["customer"]:
        return "Tickets of different customers cannot be merged"
    if list_unfinished_children(state, ticket["id"]):
        return f"{ticket['number']} has a sub-ticket that is not solved: it cannot be merged"
    return None


def merge_tickets(state: State, key: str, into_key: str, author: str, day: str) -> None:
    """Closes a ticket, and leaves a note about it on the one it is merged into."""
    ticket, into = get_record(state, "tickets", key), get_record(state, "tickets", into_key)
    if problem := find_merge_problem(state, ticket, into):
        raise Refused(problem, event=f"merge:{key}:{into_key}")
    text = f"Merged from {ticket['number']}: {ticket['subject']}"
    add_post(state, into_key, NOTE, text, author, day)
    ticket |= {"status": CLOSED, "merged": into_key}


def set_parent(state: State, key: str, parent_key: str | None) -> None:
    """Makes a ticket a sub-ticket, one level deep. None takes the parent away."""
    ticket = get_changeable_ticket(state, key)
    if parent_key is not None:
        parent = get_changeable_ticket(state, parent_key)
        if parent is ticket:
            raise Refused("A ticket cannot be its own parent")
        if parent["parent"]:
            raise Refused(f"{parent['number']} is a sub-ticket itself")
        if any(other["parent"] == key for other in state["tickets"]):
            raise Refused(f"{ticket['number']} has sub-tickets of its own")
    ticket["parent"] = parent_key
