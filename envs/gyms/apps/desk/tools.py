"""The help desk's site tools. Their names, arguments and docstrings are what agents are shown."""

from __future__ import annotations

from typing import Any

from envs.gyms.apps.desk import relations, rules
from envs.gyms.apps.desk.data import NOTE, REPLY
from envs.gyms.apps.desk.labels import get_agent_name, get_searchable_text
from envs.gyms.kit.records import get_record
from envs.gyms.kit.site_tools import ToolContext, site_tool
from envs.gyms.server.gym import Refused, State

MAX_RESULTS = 20


@site_tool("desk.find_tickets")
def find_tickets(
    context: ToolContext, text: str, status: str | None = None
) -> list[dict[str, Any]]:
    """Tickets with the text in number, subject, product or customer's name, at most 20: number,
    subject, customer, organisation, status, priority, assignee, due (ISO date)."""
    keys = ("number", "subject", "status", "priority", "due")
    results = []
    for ticket in context.state["tickets"]:
        if status not in (None, ticket["status"]):
            continue
        if text.lower() in get_searchable_text(context.state, ticket).lower():
            customer = get_record(context.state, "customers", ticket["customer"])
            results.append(
                {key: ticket[key] for key in keys}
                | {"customer": customer["name"], "organisation": customer["org"]}
                | {"assignee": get_agent_name(context.state, ticket)}
            )
    return results[:MAX_RESULTS]


@site_tool("desk.assign")
def assign(context: ToolContext, number: str, agent: str) -> str:
    """Gives a ticket to a support agent, by number and name."""
    keys_by_name = {person["name"]: person["id"] for person in context.state["agents"]}
    if agent not in keys_by_name:
        raise Refused(f"there is no agent {agent[:40]!r}")
    key = _get_key(context.state, number)
    rules.update_ticket(context.state, key, assignee=keys_by_name[agent])
    return f"assigned {number} to {agent}"


@site_tool("desk.reply")
def reply(context: ToolContext, number: str, text: str, internal: bool = False) -> str:
    """Writes to a ticket's customer, or, with internal, a note that only colleagues see."""
    key, kind = _get_key(context.state, number), NOTE if internal else REPLY
    author, today = context.world.user.name, context.world.today
    rules.add_post(context.state, key, kind, text, author, today)
    return f"{'noted on' if internal else 'replied to'} {number}"


@site_tool("desk.set_status")
def set_status(context: ToolContext, number: str, status: str) -> str:
    """Open, Waiting, Solved or Closed."""
    rules.update_ticket(context.state, _get_key(context.state, number), status=status)
    return f"{number} is {status}"


@site_tool("desk.set_priority")
def set_priority(context: ToolContext, number: str, priority: str) -> str:
    """Low, Normal, High or Urgent."""
    rules.update_ticket(context.state, _get_key(context.state, number), priority=priority)
    return f"{number} is {priority}"


@site_tool("desk.merge")
def merge(context: ToolContext, number: str, into: str) -> str:
    """Merges a ticket into another of the same customer, both by number, and closes it."""
    key, into_key = _get_key(context.state, number), _get_key(context.state, into)
    author, today = context.world.user.name, context.world.today
    relations.merge_tickets(context.state, key, into_key, author, today)
    return f"merged {number} into {into}"


def _get_key(state: State, number: str) -> str:
    return str(rules.get_ticket_by_number(state, number)["id"])


TOOLS = (find_tickets, assign, reply, set_status, set_priority, merge)
