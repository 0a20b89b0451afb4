"""Tasks on a ticket's assignee, status and priority."""

from __future__ import annotations

import random

from envs.contract.actions import Tool
from envs.gyms.apps.desk import rules
from envs.gyms.apps.desk.data import NEW, OPEN, PRIORITIES, WAITING
from envs.gyms.apps.desk.sampling import (
    VISITED_TICKET,
    VISITED_TICKETS,
    desk_state,
    is_in_progress,
    make_ticket_params,
    open_ticket,
    sample_agent,
    sample_ticket,
    save_ticket,
)
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_reassignment(world: Company, rng: random.Random, state: State) -> Params:
    ticket = sample_ticket(rng, state, lambda t: t["status"] in (NEW, OPEN))
    return make_ticket_params(state, ticket) | sample_agent(rng, state, ticket["assignee"])


def _assign_ticket(page: Page, p: Params) -> Script:
    page = yield from open_ticket(page, p["number"])
    yield from save_ticket(page, Assignee=p["agent_name"])
    return None


def _make_assign_calls(p: Params) -> list[Tool]:
    arguments = {"number": p["number"], "agent": p["agent_name"]}
    return [Tool(name="desk.assign", arguments=arguments)]


def _sample_status_and_priority(world: Company, rng: random.Random, state: State) -> Params:
    ticket = sample_ticket(rng, state, is_in_progress)
    return make_ticket_params(state, ticket) | {
        "priority": rng.choice([name for name in PRIORITIES if name != ticket["priority"]]),
        "status": OPEN if ticket["status"] == WAITING else WAITING,
    }


def _set_status_and_priority(page: Page, p: Params) -> Script:
    page = yield from open_ticket(page, p["number"])
    yield from save_ticket(page, Status=p["status"], Priority=p["priority"])
    return None


def _make_status_and_priority_calls(p: Params) -> list[Tool]:
    number = p["number"]
    return [
        Tool(name="desk.set_status", arguments={"number": number, "status": p["status"]}),
        Tool(name="desk.set_priority", arguments={"number": number, "priority": p["priority"]}),
    ]


TEMPLATES = (
    Template(
        name="assign_ticket",
        skills=("search", "form"),
        oracle_steps=7,
        phrasings=(
            "Assign the ticket {number} to {agent_name}.",
            "{agent_name} takes over {number} ({subject}). Set the assignee.",
            "Give ticket {number} of {org} to {agent_name}.",
        ),
        sample_params=_sample_reassignment,
        solve=_assign_ticket,
        milestones=(VISITED_TICKETS, VISITED_TICKET, FINISHED),
        apply_expected=lambda world, p, state: rules.update_ticket(
            desk_state(state), p["ticket"], assignee=p["agent"]
        ),
        tool_calls=_make_assign_calls,
    ),
    Template(
        name="set_priority_status",
        skills=("search", "form"),
        oracle_steps=8,
        phrasings=(
            "Set ticket {number} to status {status} and priority {priority}.",
            "{number} is {priority} from now on, and its status is {status}. Change both.",
            "Change {number}: priority {priority}, status {status}.",
        ),
        sample_params=_sample_status_and_priority,
        solve=_set_status_and_priority,
        milestones=(VISITED_TICKETS, VISITED_TICKET, FINISHED),
        apply_expected=lambda world, p, state: rules.update_ticket(
            desk_state(state), p["ticket"], p["status"], p["priority"]
        ),
        tool_calls=_make_status_and_priority_calls,
    ),
)
