"""What the help desk's pages and tools call tickets and people."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.apps.desk.data import Item
from envs.gyms.kit.html import link
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import RequestContext
from envs.gyms.server.gym import State

NOBODY = "Nobody"
"""Shown where a ticket has no assignee."""


def get_searchable_text(state: State, ticket: Item) -> str:
    """The text that a search for tickets looks at."""
    customer = get_record(state, "customers", ticket["customer"])
    parts = (
        ticket["number"],
        ticket["subject"],
        ticket["product"],
        customer["name"],
        customer["org"],
    )
    return " ".join((*parts, *ticket["tags"]))


def get_agent_name(state: State, ticket: Item) -> str:
    """The assignee's name, or NOBODY."""
    key = ticket["assignee"]
    return str(get_record(state, "agents", key)["name"]) if key else NOBODY


def list_agent_names(request: RequestContext) -> list[str]:
    """The names of all support agents, sorted."""
    return sorted(agent["name"] for agent in request.state["agents"])


def get_customer(request: RequestContext, ticket: Item) -> Item:
    """The customer of a ticket."""
    return get_record(request.state, "customers", ticket["customer"])


def link_ticket(request: RequestContext, ticket: Item, text: str) -> Markup:
    """A link to a ticket's page."""
    return link(text, request.url(f"/tickets/{ticket['id']}"))
