"""What the calendar's templates share: sampling of events and times, moves to pages, milestones."""

from __future__ import annotations

import random
from collections.abc import Callable

from envs.contract.actions import Tool
from envs.gyms.apps.calendar import rules
from envs.gyms.apps.calendar.availability import find_clashes
from envs.gyms.apps.calendar.data import DECLINED, Item, get_next_number, make_event
from envs.gyms.apps.calendar.labels import get_list_label, get_month_name
from envs.gyms.apps.calendar.times import sample_time_span, sample_work_day
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.template import Params, Resample, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

VISITED_AGENDA = ("agenda", visited_page("calendar:agenda"))
VISITED_EVENT = ("event", visited_page("calendar:event:{event}"))
VISITED_ROOMS = ("rooms", visited_page("calendar:rooms"))
VISITED_AWAY = ("away", visited_page("calendar:away"))
MAX_HITS = 16
"""Events that a search for a title may find: they fit two pages of a list."""
MAX_MONTHS = 4
"""Months that an oracle looks ahead."""


def calendar_state(state: State) -> State:
    """The calendar's part of a session's state."""
    calendar: State = state["calendar"]
    return calendar


def list_distinct_events(world: Company, state: State) -> list[Item]:
    """The user's events from tomorrow on that title and date tell from all others."""
    events = [
        event
        for event in rules.list_user_events(world, calendar_state(state))
        if event["date"] >= world.today
    ]
    keys = [(event["title"], event["date"]) for event in events]
    titles = [event["title"].lower() for event in events]

    def count_hits(searched: str) -> int:
        words = searched.lower().split()
        return sum(all(word in title for word in words) for title in titles)

    return [
        event
        for event, key in zip(events, keys, strict=True)
        if keys.count(key) == 1
        and event["date"] > world.today
        and count_hits(event["title"]) <= MAX_HITS
    ]


def sample_event(
    world: Company, rng: random.Random, state: State, fits: Callable[[Item], bool]
) -> Item:
    """One of the distinct events that fit. Raises Resample."""
    events = [event for event in list_distinct_events(world, state) if fits(event)]
    if not events:
        raise Resample("no event fits")
    return rng.choice(events)


def is_organized_by_user(world: Company) -> Callable[[Item], bool]:
    """Whether an event is the user's own."""
    return lambda event: bool(event["organizer"] == world.user.id)


def make_event_params(world: Company, event: Item) -> Params:
    """Params that name an event. `label` is what lists call it."""
    return {
        "event": event["id"],
        "title": event["title"],
        "day": event["date"],
        "date": world.locale.format_date(event["date"]),
        "label": get_list_label(world.locale, event),
    }


def sample_free_slot(world: Company, rng: random.Random, state: State, heads: int) -> Params:
    """A time, and a room that is free then and large enough. Raises Resample."""
    day, (start, end) = sample_work_day(world, rng, 2, 40), sample_time_span(rng)
    calendar = calendar_state(state)
    room = rng.choice([room for room in calendar["rooms"] if room["capacity"] >= heads])
    if find_clashes(calendar["events"], room["id"], day, start, end):
        raise Resample("the room is booked then")
    return {
        "to_day": day,
        "to_date": world.locale.format_date(day),
        "start": start,
        "end": end,
        "room": room["id"],
        "room_name": room["name"],
    }


def sample_attendees(world: Company, rng: random.Random, count: int) -> Params:
    """People besides the user: ids in the company's order, names as in the instruction."""
    others = [person for person in world.people if person.id != world.user.id]
    chosen = rng.sample(others, count)
    ids = [person.id for person in world.people if person in chosen]
    return {"people": ids, "names": ", ".join(person.name for person in chosen)}


def count_meetings(world: Company, state: State, day: str) -> int:
    """How many events the user has on a day and did not decline."""
    events = rules.list_user_events(world, calendar_state(state))
    return sum(event["date"] == day and event["status"] != DECLINED for event in events)


def list_busy_days(world: Company, state: State, least: int) -> list[str]:
    """Days of the next four weeks with at least so many meetings."""
    days = [world.day(offset) for offset in range(28)]
    return [day for day in days if count_meetings(world, state, day) >= least]


def make_day_params(world: Company, key: str, day: str) -> Params:
    """A day, its date, its month's heading and its number in the month grid."""
    return {
        key: day,
        f"{key}_date": world.locale.format_date(day),
        f"{key}_month": get_month_name(day),
        f"{key}_number": str(int(day[8:])),
    }


def add_booking(world: Company, calendar: State, room: str, day: str, start: str, end: str) -> None:
    """Books a room for an event of somebody else."""
    organizer = next(person.id for person in world.people if person.id != world.user.id)
    number = get_next_number(calendar["events"])
    event = make_event(number, "Town hall", day, start, end, organizer)
    calendar["events"].append(event | {"room": room})


def open_event(page: Page, p: Params) -> navigation.Moves:
    """Leads to the event of the task."""
    page = yield from navigation.go_to(page, "Agenda")
    page = yield from navigation.search(page, p["title"])
    return (yield from navigation.open_item(page, p["label"]))


def open_month(page: Page, name: str) -> navigation.Moves:
    """Leads from a month to a later one."""
    for _ in range(MAX_MONTHS):
        if page.has_heading(name):
            break
        page = yield from navigation.open_link(page, f"I look for {name}", "Next month")
    return page


def open_day(page: Page, p: Params, key: str) -> navigation.Moves:
    """Leads from a month to the day of `make_day_params`."""
    page = yield from open_month(page, p[f"{key}_month"])
    return (yield from navigation.open_link(page, f"see {p[f'{key}_date']}", p[f"{key}_number"]))


def count_shown_meetings(page: Page, date: str) -> int:
    """Meetings on a day's page, without those that the user declined."""
    events = [line for line in page.elements("link") if f" on {date} at " in line.name]
    badges = [line for line in page.lines if line.ref is None and line.name == DECLINED]
    return len(events) - len(badges)


def make_create_calls(p: Params) -> list[Tool]:
    """The site tool's call that creates the event of the task."""
    arguments = {
        "title": p["new_title"],
        "day": p["to_day"],
        "start": p["start"],
        "end": p["end"],
        "room": p["room_name"],
        "attendees": p.get("names", ""),
        "repeat": p.get("repeat", "Never"),
        "times": p.get("times", 1),
    }
    return [Tool(name="calendar.create_event", arguments=arguments)]


def apply_created_event(world: Company, p: Params, state: State) -> None:
    """Creates the event of the task."""
    rules.create_event(
        world,
        calendar_state(state),
        title=p["new_title"],
        day=p["to_day"],
        start=p["start"],
        end=p["end"],
        room=p["room"],
        people=p.get("people", ()),
        repeat=p.get("repeat", "Never"),
        times=p.get("times", 1),
    )
