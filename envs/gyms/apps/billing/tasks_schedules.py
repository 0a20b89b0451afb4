"""Tasks on recurring invoices: pausing a schedule, changing one."""

from __future__ import annotations

import random

from envs.gyms.apps.billing import rules
from envs.gyms.apps.billing.data import EVERY
from envs.gyms.apps.billing.sampling import VISITED_SCHEDULE, billing_state
from envs.gyms.apps.billing.schedules import get_schedule_name
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_schedule(world: Company, rng: random.Random, state: State) -> Params:
    billing = billing_state(state)
    schedules = billing["schedules"]
    names = [
        get_schedule_name(schedule, get_record(billing, "customers", schedule["customer"]))
        for schedule in schedules
    ]
    candidates = [
        index
        for index, name in enumerate(names)
        if names.count(name) == 1 and schedules[index]["active"]
    ]
    index = rng.choice(candidates)
    schedule = schedules[index]
    cents = schedule["amount"] + rng.randrange(500, 20000, 500)
    next_day = world.day(rng.randint(5, 100))
    return {
        "schedule": schedule["id"],
        "name": names[index],
        "cents": cents,
        "amount": world.locale.format_money(cents),
        "every": rng.choice([e for e in EVERY if e != schedule["every"]]),
        "old_every": schedule["every"],
        "old_next": schedule["next"],
        "next": next_day,
        "date": world.locale.format_date(next_day),
    }


def _open_schedule(page: Page, p: Params) -> navigation.Moves:
    page = yield from navigation.go_to(page, "Schedules")
    page = yield from navigation.search(page, p["name"].partition(":")[0])
    return (yield from navigation.open_item(page, p["name"]))


def _pause_schedule(page: Page, p: Params) -> Script:
    page = yield from _open_schedule(page, p)
    yield from navigation.confirm(page, "Pause schedule")
    return None


def _edit_schedule(page: Page, p: Params) -> Script:
    page = yield from _open_schedule(page, p)
    page = yield from navigation.fill_fields(
        page, {"Amount": p["amount"], "Every": p["every"], "Next invoice": p["date"]}
    )
    yield from navigation.click(page, "save it", "Save schedule")
    return None


TEMPLATES = (
    Template(
        name="pause_schedule",
        skills=("search", "dialog"),
        oracle_steps=6,
        phrasings=("Pause the schedule {name}.", "Stop billing {name} for the time being."),
        sample_params=_sample_schedule,
        solve=_pause_schedule,
        milestones=(VISITED_SCHEDULE, FINISHED),
        apply_expected=lambda world, p, state: rules.set_active(
            billing_state(state), p["schedule"], False
        ),
    ),
    Template(
        name="reschedule",
        skills=("search", "form", "date"),
        oracle_steps=9,
        phrasings=(
            "Change the schedule {name}: {amount}, {every}, next invoice on {date}.",
            "From {date} on {name} is billed {amount}, {every}. Change its schedule.",
        ),
        sample_params=_sample_schedule,
        solve=_edit_schedule,
        milestones=(VISITED_SCHEDULE, FINISHED),
        apply_expected=lambda world, p, state: rules.edit_schedule(
            billing_state(state), p["schedule"], p["cents"], p["every"], p["next"], world.today
        ),
    ),
)
