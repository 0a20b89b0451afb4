"""The task that replaces one attendee of an event by another."""

from __future__ import annotations

import random

from envs.gyms.apps.calendar import rules
from envs.gyms.apps.calendar.sampling import (
    VISITED_AGENDA,
    VISITED_EVENT,
    calendar_state,
    is_organized_by_user,
    make_event_params,
    open_event,
    sample_event,
)
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_replacement(world: Company, rng: random.Random, state: State) -> Params:
    is_own = is_organized_by_user(world)
    event = sample_event(world, rng, state, lambda e: is_own(e) and len(e["people"]) > 1)
    leaving = rng.choice(event["people"])
    others = [
        person
        for person in world.people
        if person.id not in event["people"] and person.id != world.user.id
    ]
    joining = rng.choice(others)
    return make_event_params(world, event) | {
        "leaves": leaving,
        "out": world.person(leaving).name,
        "comes": joining.id,
        "in": joining.name,
    }


def _apply_replacement(world: Company, p: Params, state: State) -> None:
    calendar = calendar_state(state)
    rules.set_attendance(world, calendar, p["event"], p["leaves"], False)
    rules.set_attendance(world, calendar, p["event"], p["comes"], True)


def _replace_attendee(page: Page, p: Params) -> Script:
    page = yield from open_event(page, p)
    page = yield from navigation.click(page, "not this one any more", f"Remove {p['out']}")
    page = yield from navigation.fill_fields(page, {"Person": p["in"]})
    yield from navigation.click(page, "instead", "Add person")
    return None


TEMPLATES = (
    Template(
        name="swap_attendee",
        skills=("search", "form", "multi-step"),
        oracle_steps=9,
        phrasings=(
            "In my event {title} on {date}, replace {out} by {in}.",
            "{out} cannot come to {title} on {date}; {in} comes instead. Change the attendees.",
            "Remove {out} from {title} of {date} and add {in}.",
        ),
        sample_params=_sample_replacement,
        solve=_replace_attendee,
        milestones=(VISITED_AGENDA, VISITED_EVENT, FINISHED),
        apply_expected=_apply_replacement,
    ),
)
