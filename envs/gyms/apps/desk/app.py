"""The help desk as an app: its places, pages and site tools."""

from __future__ import annotations

import random
from pathlib import Path

from envs.gyms.apps.desk import (
    board,
    canned_replies,
    customers,
    relation_pages,
    ticket_forms,
    ticket_lists,
    tickets,
)
from envs.gyms.apps.desk.initial_state import make_state
from envs.gyms.apps.desk.tools import TOOLS
from envs.gyms.kit.app import App
from envs.gyms.server.gym import State


def make_stray_change(state: State, rng: random.Random) -> None:
    """Changes a customer's phone number, which no task asks for."""
    customer = rng.choice(state["customers"])
    customer["phone"] = f"{customer['phone']} ext 2"


DESK = App(
    name="desk",
    title="Help desk",
    nav=(
        ("Overview", "/"),
        ("Tickets", "/tickets"),
        ("Board", "/board"),
        ("Customers", "/customers"),
        ("Canned replies", "/canned"),
        ("Deadlines", "/deadlines"),
    ),
    make_state=make_state,
    style=(Path(__file__).parent / "look.css").read_text(),
    make_stray_change=make_stray_change,
    tools=TOOLS,
    numbered=("tickets", "posts", "canned"),
    list_names=lambda world, state: {"products": [t["product"] for t in state["tickets"]]},
    pages=(
        *ticket_lists.PAGES,
        *tickets.PAGES,
        *ticket_forms.PAGES,
        *relation_pages.PAGES,
        *board.PAGES,
        *customers.PAGES,
        *canned_replies.PAGES,
    ),
)
