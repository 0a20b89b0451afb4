"""The portal as an app: its name, navigation, state, tools and pages."""

from __future__ import annotations

import random
from pathlib import Path

from envs.gyms.apps.people import (
    pages_access,
    pages_announcements,
    pages_directory,
    pages_expenses,
    pages_hire,
    pages_leave,
    pages_onboarding,
    pages_openings,
    pages_staff,
)
from envs.gyms.apps.people.data import make_state
from envs.gyms.apps.people.tools import (
    approve_leave,
    create_leave,
    find_people,
    grant_role,
    list_leave,
    revoke_role,
    update_contact,
)
from envs.gyms.kit.app import App
from envs.gyms.kit.company import Company
from envs.gyms.server.gym import State


def _make_stray_change(state: State, rng: random.Random) -> None:
    item = rng.choice(state["announcements"][:10])
    item["pinned"] = not item["pinned"]


def _list_names(world: Company, state: State) -> dict[str, list[str]]:
    named = [person["name"] for person in (*state["staff"], *state["candidates"])]
    return {"people": named + [person["kin"] for person in state["staff"]]}


PEOPLE = App(
    name="people",
    title="People",
    nav=(
        ("Overview", "/"),
        ("Directory", "/staff"),
        ("Departments", "/departments"),
        ("Leave", "/leave"),
        ("Expenses", "/expenses"),
        ("Hiring", "/hiring"),
        ("Onboarding", "/onboarding"),
        ("Announcements", "/announcements"),
        ("Access", "/access"),
    ),
    make_state=make_state,
    style=(Path(__file__).parent / "look.css").read_text(),
    numbered=("leave", "reports", "lines", "announcements", "candidates", "staff"),
    list_names=_list_names,
    make_stray_change=_make_stray_change,
    tools=(
        find_people,
        list_leave,
        approve_leave,
        create_leave,
        update_contact,
        grant_role,
        revoke_role,
    ),
    pages=(
        *pages_directory.PAGES,
        *pages_staff.PAGES,
        *pages_leave.PAGES,
        *pages_expenses.PAGES,
        *pages_openings.PAGES,
        *pages_hire.PAGES,
        *pages_onboarding.PAGES,
        *pages_announcements.PAGES,
        *pages_access.PAGES,
    ),
)
