"""Tasks that book the smallest free room; in one of them no room is free."""

from __future__ import annotations

import random

from envs.contract.actions import Tool
from envs.gyms.apps.calendar.availability import find_free_rooms
from envs.gyms.apps.calendar.sampling import (
    VISITED_ROOMS,
    add_booking,
    apply_created_event,
    calendar_state,
    make_create_calls,
)
from envs.gyms.apps.calendar.times import sample_time_span, sample_work_day
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import (
    FINISHED,
    Params,
    Resample,
    TaskStates,
    Template,
    visited_page,
)
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

VISITED_FREE_ROOMS = ("free rooms", visited_page("calendar:rooms-on:{to_day}"))
VISITS = ("Plant tour", "Customer visit", "Board visit", "Student visit", "Open house")
PHRASINGS = (
    "Book the smallest free room that seats {heads} on {to_date} from {start} to {end} and call "
    'the event "{new_title}", without attendees. If there is none, say that it cannot be done.',
    '{heads} visitors come on {to_date}, {start} to {end}. Make an event "{new_title}" then in '
    "the smallest room that is free and large enough; invite nobody. Tell me if none is.",
    "I need a room for {heads} people on {to_date} from {start} to {end}, the smallest that fits. "
    'Book it as "{new_title}" with no attendees, or say that no such room is free.',
)


def _make_visit_params(
    world: Company, rng: random.Random, day: str, start: str, end: str
) -> Params:
    return {
        "new_title": rng.choice(VISITS),
        "to_day": day,
        "to_date": world.locale.format_date(day),
        "start": start,
        "end": end,
    }


def _sample_visit(world: Company, rng: random.Random, state: State) -> Params:
    """A visit for which exactly one free room is the smallest."""
    day, (start, end) = sample_work_day(world, rng, 2, 40), sample_time_span(rng)
    heads = rng.choice((3, 5, 7, 9, 11, 13, 15))
    rooms = find_free_rooms(calendar_state(state), day, start, end, heads)
    rooms.sort(key=lambda room: room["capacity"])
    if len(rooms) < 2 or rooms[0]["capacity"] == rooms[1]["capacity"]:
        raise Resample("no time has one smallest free room")
    return _make_visit_params(world, rng, day, start, end) | {
        "heads": heads,
        "room": rooms[0]["id"],
        "room_name": rooms[0]["name"],
    }


def _sample_full_time(world: Company) -> tuple[str, str, str, int]:
    """Day, start, end and seats: the same for the preparation and for the params."""
    rng = world.rng("calendar full")
    day, (start, end) = sample_work_day(world, rng, 2, 40), sample_time_span(rng)
    return day, start, end, rng.choice((13, 15, 18, 22))


def _prepare_full_time(world: Company, rng: random.Random, state: State) -> None:
    """Books all rooms that are large enough."""
    calendar = calendar_state(state)
    day, start, end, heads = _sample_full_time(world)
    for room in find_free_rooms(calendar, day, start, end, heads):
        add_booking(world, calendar, room["id"], day, start, end)


def _sample_visit_at_full_time(world: Company, rng: random.Random, state: State) -> Params:
    day, start, end, heads = _sample_full_time(world)
    return _make_visit_params(world, rng, day, start, end) | {"heads": heads}


def _book_smallest_room(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Rooms")
    page = yield from navigation.open_link(page, "by time and size", "Find a free room")
    fields = {"Date": p["to_date"], "From": p["start"], "To": p["end"], "People": str(p["heads"])}
    page = yield from navigation.fill_fields(page, fields)
    page = yield from navigation.click(page, "which ones are free", "Find rooms")
    if page.text_after("No room of that size") is not None:
        raise GiveUp("no room of that size is free then")
    page = yield from navigation.open_link(page, "the smallest one", f"Book {p['room_name']}")
    page = yield from navigation.fill_fields(page, {"Title": p["new_title"]})
    yield from navigation.click(page, "book it", "Create event")
    return None


def _make_room_search(p: Params) -> Tool:
    search = {"day": p["to_day"], "start": p["start"], "end": p["end"], "people": p["heads"]}
    return Tool(name="calendar.free_rooms", arguments=search)


def _make_booking_calls(p: Params) -> list[Tool]:
    return [_make_room_search(p), *make_create_calls(p)]


def _saw_no_room(states: TaskStates) -> bool:
    """Whether a search has shown that nothing seats so many, or every room that would, that day."""
    p, log = states.params, states.after["log"]
    prefix = f"calendar:no-room:{p['to_day']}:{p['start']}:{p['end']}:"
    shown = [int(entry.removeprefix(prefix)) for entry in log if entry.startswith(prefix)]
    rooms = [r for r in states.before["calendar"]["rooms"] if r["capacity"] >= p["heads"]]
    has_seen_all = bool(rooms) and all(
        f"calendar:room:{room['id']}:{p['to_day']}" in log for room in rooms
    )
    return has_seen_all or min(shown, default=p["heads"] + 1) <= p["heads"]


TEMPLATES = (
    Template(
        name="book_smallest",
        skills=("compare", "form", "date", "multi-step"),
        oracle_steps=12,
        phrasings=PHRASINGS,
        sample_params=_sample_visit,
        solve=_book_smallest_room,
        milestones=(VISITED_ROOMS, VISITED_FREE_ROOMS, FINISHED),
        apply_expected=apply_created_event,
        tool_calls=_make_booking_calls,
    ),
    Template(
        name="no_room",
        skills=("form", "date", "refuse"),
        oracle_steps=9,
        phrasings=PHRASINGS,
        sample_params=_sample_visit_at_full_time,
        solve=_book_smallest_room,
        milestones=(VISITED_ROOMS, VISITED_FREE_ROOMS, FINISHED),
        prepare_state=_prepare_full_time,
        infeasible=True,
        has_met_refusal=_saw_no_room,
        tool_calls=lambda p: [_make_room_search(p)],
    ),
)
