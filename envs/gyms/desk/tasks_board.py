"""Tasks on the board and on canned replies.

A drawn card is one of the first three of its column, which the board always shows.
"""

from __future__ import annotations

import random

from envs.actions import Drag, Tool
from envs.gyms.desk import rules
from envs.gyms.desk.data import OPEN, WAITING
from envs.gyms.desk.drawing import known, of_agent, part_of
from envs.gyms.gym import OracleLost, OracleMove, State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template, saw
from envs.gyms.view import Page

NEW_CANNED = (
    ("Invoice copy", "Hello %name%, here is a copy of your invoice."),
    ("Call back tomorrow", "Hello %name%, we will call you back tomorrow."),
    ("Visit planned", "Hello %name%, our technician comes to you this week."),
)


def _draw_card(world: Company, rng: random.Random, state: State) -> Params:
    """One of the first three cards of an agent's column."""
    part = part_of(state)
    agent = rng.choice(part["agents"])
    status = rng.choice((OPEN, WAITING))
    cards = sorted(of_agent(state, agent["name"], status), key=lambda t: t["due"])[:3]
    if not cards:
        raise Redraw("no agent has a card")
    return known(state, rng.choice(cards)) | {
        "agent_name": agent["name"],
        "from": status,
        "status": OPEN if status == WAITING else WAITING,
    }


def _move_card(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Board")
    for _ in range(3):
        page = yield from ways.narrow(page, "Assignee", p["agent_name"])
        page, card = yield from ways.seek(page, "link", p["number"])
        column = page.find_prefix("link", f"{p['status']}: ")
        if column is None:
            raise OracleLost("the columns' names are out of sight")
        path = (page.target(card), page.target(column))
        page = yield OracleMove(f"drag it to {p['status']}", Drag(path=path))
        if page.says("✓ ") is not None:
            return None
    raise OracleLost("the card does not move")


def _draw_new_canned(world: Company, rng: random.Random, state: State) -> Params:
    title, text = rng.choice(NEW_CANNED)
    return {"title": title, "text": text}


def _create_canned(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Canned replies")
    page = yield from ways.open_link(page, "a new one", "New canned reply")
    page = yield from ways.fill(page, {"Title": p["title"], "Text": p["text"]})
    yield from ways.press(page, "create it", "Create reply")
    return None


TEMPLATES = (
    Template(
        "drag_card", ("drag", "filter"), 6,
        ("On the board of {agent_name}, drag the card {number} from {from} to {status}.",
         "Move {number} to the column {status} on the board. Its assignee is {agent_name}."),
        _draw_card, _move_card, (("board", saw("desk:board")), FINISHED),
        lambda world, p, state: rules.update(part_of(state), p["ticket"], p["status"]),
        calls=lambda p: [Tool(name="desk.set_status", arguments={"number": p["number"],
                                                                 "status": p["status"]})],
    ),
    Template(
        "new_canned_reply", ("form",), 6,
        ('Create a canned reply "{title}" with the text "{text}".',
         'Add "{title}" to the canned replies. Its text: "{text}"'),
        _draw_new_canned, _create_canned, (("canned", saw("desk:canned")), FINISHED),
        lambda world, p, state: rules.save_canned(part_of(state), None, p["title"], p["text"]),
    ),
)  # fmt: skip
