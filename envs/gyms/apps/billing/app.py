"""Billing as an app: its places, pages and site tools."""

from __future__ import annotations

import random
from pathlib import Path

from envs.gyms.apps.billing import customers, invoices, schedules
from envs.gyms.apps.billing.data import VOID, make_state
from envs.gyms.apps.billing.tools import TOOLS
from envs.gyms.kit.app import App
from envs.gyms.server.gym import State


def make_stray_change(state: State, rng: random.Random) -> None:
    """Changes the name of a customer's contact, which no task asks for."""
    customer = rng.choice(state["customers"])
    customer["contact"] = f"{customer['contact']} jr"


BILLING = App(
    name="billing",
    title="Billing",
    nav=(
        ("Overview", "/"),
        ("Invoices", "/invoices"),
        ("Customers", "/customers"),
        ("Schedules", "/schedules"),
    ),
    make_state=make_state,
    style=(Path(__file__).parent / "look.css").read_text(),
    make_stray_change=make_stray_change,
    tools=TOOLS,
    numbered=("invoices", "payments"),
    is_withdrawn=lambda kind, record: kind == "invoices" and record["status"] == VOID,
    pages=(*invoices.PAGES, *customers.PAGES, *schedules.PAGES),
)
