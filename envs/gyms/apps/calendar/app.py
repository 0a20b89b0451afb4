"""The calendar as an app: its places, pages and site tools."""

from __future__ import annotations

import random
from pathlib import Path

from envs.gyms.apps.calendar import (
    event_forms,
    event_lists,
    events,
    preference_pages,
    rooms,
    time_views,
)
from envs.gyms.apps.calendar.data import REMINDERS
from envs.gyms.apps.calendar.initial_state import make_state
from envs.gyms.apps.calendar.tools import TOOLS
from envs.gyms.kit.app import App
from envs.gyms.server.gym import State


def make_stray_change(state: State, rng: random.Random) -> None:
    """Changes the reminder, which no task asks for."""
    settings = state["settings"]
    settings["reminder"] = rng.choice([r for r in REMINDERS if r != settings["reminder"]])


CALENDAR = App(
    name="calendar",
    title="Calendar",
    nav=(
        ("Month", "/"),
        ("Agenda", "/agenda"),
        ("Invitations", "/invitations"),
        ("Rooms", "/rooms"),
        ("Out of office", "/away"),
        ("Settings", "/settings"),
    ),
    make_state=make_state,
    style=(Path(__file__).parent / "look.css").read_text(),
    make_stray_change=make_stray_change,
    tools=TOOLS,
    numbered=("events",),
    # event_forms before events: /events/new is not the event "new".
    pages=(
        *time_views.PAGES,
        *event_lists.PAGES,
        *event_forms.PAGES,
        *events.PAGES,
        *rooms.PAGES,
        *preference_pages.PAGES,
    ),
)
