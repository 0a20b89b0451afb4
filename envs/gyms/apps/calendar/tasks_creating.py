"""Tasks that create events: one, a series, a follow-up of another."""

from __future__ import annotations

import random

from envs.gyms.apps.calendar.availability import find_clashes
from envs.gyms.apps.calendar.data import ROOMS
from envs.gyms.apps.calendar.sampling import (
    VISITED_EVENT,
    apply_created_event,
    calendar_state,
    is_organized_by_user,
    make_create_calls,
    make_event_params,
    open_event,
    sample_attendees,
    sample_event,
    sample_free_slot,
)
from envs.gyms.apps.calendar.times import MONTHLY, WEEKLY, list_occurrences
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

VISITED_FORM = ("new event", visited_page("calendar:new"))
NEW_TITLES = (
    "Press briefing",
    "Team dinner",
    "Security drill",
    "Bake sale",
    "Archive clean-up",
    "Fire drill",
    "Photo session",
    "Summer party planning",
)


def _sample_new_event(world: Company, rng: random.Random, state: State) -> Params:
    title = {"new_title": rng.choice(NEW_TITLES)}
    return title | sample_attendees(world, rng, 2) | sample_free_slot(world, rng, state, 3)


def _sample_new_series(world: Company, rng: random.Random, state: State) -> Params:
    repeat, times = rng.choice((WEEKLY, MONTHLY)), rng.choice((2, 3, 5, 6))
    params = _sample_new_event(world, rng, state) | {"room": "", "room_name": ""}
    attendees = sample_attendees(world, rng, 1)
    return params | attendees | {"repeat": repeat, "times": times, "every": repeat.lower()}


def _create_event(page: Page, p: Params) -> Script:
    page = yield from navigation.open_link(page, "a new one", "New event")
    fields = {
        "Title": p["new_title"],
        "Date": p["to_date"],
        "Start": p["start"],
        "End": p["end"],
        "Room": p["room_name"] or "No room",
        "Attendees": p["names"],
    }
    if "repeat" in p:
        fields |= {"Repeat": p["repeat"], "Times": str(p["times"])}
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "create it", "Create event")
    return None


def _sample_follow_up(world: Company, rng: random.Random, state: State) -> Params:
    is_own = is_organized_by_user(world)
    event = sample_event(world, rng, state, lambda e: bool(is_own(e) and e["room"]))
    day = list_occurrences(event["date"], WEEKLY, 2)[1]
    events = calendar_state(state)["events"]
    if find_clashes(events, event["room"], day, event["start"], event["end"]):
        raise Resample("the room is booked a week later")
    return make_event_params(world, event) | {
        "new_title": f"Follow-up {event['title']}",
        "to_day": day,
        "to_date": world.locale.format_date(day),
        "start": event["start"],
        "end": event["end"],
        "room": event["room"],
        "people": event["people"],
        "rooms": list(ROOMS),
    }


def _create_follow_up(page: Page, p: Params) -> Script:
    page = yield from open_event(page, p)
    start, _, end = navigation.read_value(page, "Time").partition(" to ")
    names = navigation.read_value(page, "Attendees")
    room = next(line.name for line in page.elements("link") if line.name in p["rooms"])
    page = yield from navigation.go_to(page, "Agenda")
    page = yield from navigation.open_link(page, "the follow-up", "New event")
    fields = {
        "Title": p["new_title"],
        "Date": p["to_date"],
        "Start": start,
        "End": end,
        "Room": room,
        "Attendees": names,
    }
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "create it", "Create event")
    return None


TEMPLATES = (
    Template(
        name="create_event",
        skills=("form", "date"),
        oracle_steps=9,
        phrasings=(
            "Create the event {new_title} on {to_date} from {start} to {end} in room {room_name} "
            "with {names}.",
            "Put {new_title} into my calendar: {to_date}, {start} to {end}, room {room_name}, "
            "attendees {names}.",
            "Invite {names} to {new_title} on {to_date}, {start} to {end}. Book the room "
            "{room_name}.",
        ),
        sample_params=_sample_new_event,
        solve=_create_event,
        milestones=(VISITED_FORM, FINISHED),
        apply_expected=apply_created_event,
        tool_calls=make_create_calls,
    ),
    Template(
        name="create_series",
        skills=("form", "date"),
        oracle_steps=10,
        phrasings=(
            "Create {new_title}, {every}, {times} times, first on {to_date}, {start} to {end}, "
            "without a room, with {names}.",
            "Set up a {every} event {new_title} with {names}: {times} times from {to_date} on, "
            "{start} to {end}, no room.",
            "{new_title} is to take place {every}, {times} times in all, beginning on {to_date}, "
            "from {start} to {end}. Invite {names}; no room is needed.",
        ),
        sample_params=_sample_new_series,
        solve=_create_event,
        milestones=(VISITED_FORM, FINISHED),
        apply_expected=apply_created_event,
        tool_calls=make_create_calls,
    ),
    Template(
        name="follow_up",
        skills=("search", "recall", "multi-step", "form", "date"),
        oracle_steps=16,
        phrasings=(
            'Create "{new_title}" on {to_date}, at the same time, in the same room and with the '
            "same attendees as {title} on {date}.",
            "{title} on {date} needs a follow-up on {to_date}: the same time, room and people. "
            'Call it "{new_title}".',
            'Look up {title} of {date} and make a new event "{new_title}" for {to_date} that has '
            "its time, its room and its attendees.",
        ),
        sample_params=_sample_follow_up,
        solve=_create_follow_up,
        milestones=(VISITED_EVENT, FINISHED),
        apply_expected=apply_created_event,
    ),
)
