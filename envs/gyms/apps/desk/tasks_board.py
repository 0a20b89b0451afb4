"""Tasks on the board and on canned replies."""

from __future__ import annotations

import random

from envs.contract.actions import Drag, Tool
from envs.gyms.apps.desk import rules
from envs.gyms.apps.desk.data import OPEN, WAITING
from envs.gyms.apps.desk.sampling import desk_state, list_tickets_of_agent, make_ticket_params
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template, visited_page
from envs.gyms.server.gym import OracleLost, OracleMove, State
from envs.gyms.server.view import Page

SHOWN_CARDS = 3
"""Cards of a column that are in view without scrolling."""
MAX_DRAGS = 3
NEW_CANNED_REPLIES = (
    ("Invoice copy", "Hello %name%, here is a copy of your invoice from {}."),
    ("Call back tomorrow", "Hello %name%, {} will call you back tomorrow."),
    ("Visit planned", "Hello %name%, a technician of {} comes to you this week."),
)


def _sample_card(world: Company, rng: random.Random, state: State) -> Params:
    """One of the first cards of an agent's column."""
    agent = rng.choice(desk_state(state)["agents"])
    status = rng.choice((OPEN, WAITING))
    tickets = list_tickets_of_agent(state, agent["name"], status)
    cards = sorted(tickets, key=lambda ticket: ticket["due"])[:SHOWN_CARDS]
    if not cards:
        raise Resample("no agent has a card")
    return make_ticket_params(state, rng.choice(cards)) | {
        "agent_name": agent["name"],
        "from": status,
        "status": OPEN if status == WAITING else WAITING,
    }


def _drag_card(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Board")
    for _ in range(MAX_DRAGS):
        page = yield from navigation.filter_list(page, "Assignee", p["agent_name"])
        page, card = yield from navigation.scroll_to(page, "link", p["number"])
        column = page.find_prefix("link", f"{p['status']}: ")
        if column is None:
            raise OracleLost("the columns' names are out of sight")
        path = (page.target(card), page.target(column))
        page = yield OracleMove(f"drag it to {p['status']}", Drag(path=path))
        if page.text_after("✓ ") is not None:
            return None
    raise OracleLost("the card does not move")


def _make_status_calls(p: Params) -> list[Tool]:
    arguments = {"number": p["number"], "status": p["status"]}
    return [Tool(name="desk.set_status", arguments=arguments)]


def _sample_new_canned_reply(world: Company, rng: random.Random, state: State) -> Params:
    title, text = rng.choice(NEW_CANNED_REPLIES)
    return {"title": title, "text": text.format(world.name)}


def _apply_new_canned_reply(world: Company, p: Params, state: State) -> None:
    rules.save_canned_reply(desk_state(state), None, p["title"], p["text"])


def _create_canned_reply(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Canned replies")
    page = yield from navigation.open_link(page, "a new one", "New canned reply")
    page = yield from navigation.fill_fields(page, {"Title": p["title"], "Text": p["text"]})
    yield from navigation.click(page, "create it", "Create reply")
    return None


TEMPLATES = (
    Template(
        name="drag_card",
        skills=("drag", "filter"),
        oracle_steps=6,
        phrasings=(
            "On the board of {agent_name}, drag the card {number} from {from} to {status}.",
            "Move {number} to the column {status} on the board. Its assignee is {agent_name}.",
        ),
        sample_params=_sample_card,
        solve=_drag_card,
        milestones=(("board", visited_page("desk:board")), FINISHED),
        apply_expected=lambda world, p, state: rules.update_ticket(
            desk_state(state), p["ticket"], p["status"]
        ),
        tool_calls=_make_status_calls,
    ),
    Template(
        name="new_canned_reply",
        skills=("form",),
        oracle_steps=6,
        phrasings=(
            'Create a canned reply "{title}" with the text "{text}".',
            'Add "{title}" to the canned replies. Its text: "{text}"',
        ),
        sample_params=_sample_new_canned_reply,
        solve=_create_canned_reply,
        milestones=(("canned", visited_page("desk:canned")), FINISHED),
        apply_expected=_apply_new_canned_reply,
    ),
)
