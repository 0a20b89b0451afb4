"""Questions on rooms: when one is free, which one is the largest."""

from __future__ import annotations

import random

from envs.gyms.apps.calendar.availability import find_first_free_hour, list_free_spans
from envs.gyms.apps.calendar.data import BUILDINGS, Item
from envs.gyms.apps.calendar.sampling import VISITED_ROOMS, add_booking, calendar_state
from envs.gyms.apps.calendar.times import sample_work_day, to_clock, to_minutes
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

FREE_HOURS = tuple(to_clock(minutes) for minutes in range(10 * 60 + 30, 16 * 60 + 1, 30))


def _has_short_first_span(calendar: State, room: Item, day: str) -> bool:
    """Whether the room's first free span is shorter than an hour, and a later one is not."""
    spans = list_free_spans(calendar, room["id"], day)
    return bool(
        spans
        and to_minutes(spans[0][1]) - to_minutes(spans[0][0]) < 60
        and find_first_free_hour(calendar, room["id"], day)
    )


def _prepare_short_span(world: Company, rng: random.Random, state: State) -> None:
    """Books a room so that its first free span is only half an hour long, and its first free hour
    begins when the world wants it."""
    calendar, day = calendar_state(state), sample_work_day(world, rng, 2, 30)
    used_rooms = {event["room"] for event in calendar["events"] if event["date"] == day}
    room = rng.choice([room["id"] for room in calendar["rooms"] if room["id"] not in used_rooms])
    free_from = _choose_free_hour(world)
    second_start = to_clock(to_minutes(free_from) - rng.choice((30, 60)))
    first_end = to_clock(to_minutes(second_start) - 30)
    add_booking(world, calendar, room, day, rng.choice(("08:00", "08:30")), first_end)
    add_booking(world, calendar, room, day, second_start, free_from)


def _choose_free_hour(world: Company) -> str:
    """The same for the preparation and for the params: each of the times is as likely."""
    return world.rng("calendar free hour").choice(FREE_HOURS)


def _sample_room_and_day(world: Company, rng: random.Random, state: State) -> Params:
    calendar, days = calendar_state(state), [world.day(offset) for offset in range(1, 32)]
    candidates = [
        (room, day)
        for room in calendar["rooms"]
        for day in days
        if _has_short_first_span(calendar, room, day)
        and find_first_free_hour(calendar, room["id"], day) == _choose_free_hour(world)
    ]
    room, day = rng.choice(candidates)
    date = world.locale.format_date(day)
    return {"room": room["id"], "name": room["name"], "day": day, "date": date}


def _get_first_free_hour(world: Company, p: Params, before: State) -> str:
    return find_first_free_hour(calendar_state(before), p["room"], p["day"]) or ""


def _read_first_free_hour(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Rooms")
    page = yield from navigation.search(page, p["name"])
    page = yield from navigation.open_item(page, p["name"])
    page = yield from navigation.fill_fields(page, {"Day": p["date"]})
    page = yield from navigation.click(page, "that day", "Show day")
    for line in page.elements("link"):
        start, between, end = line.name.removeprefix("Book ").partition(" to ")
        is_span = line.name.startswith("Book ") and between
        if is_span and to_minutes(end) - to_minutes(start) >= 60:
            return start
    return None


def _list_video_rooms(calendar: State, building: str) -> list[Item]:
    """Rooms with video, the largest first."""
    rooms = [
        room
        for room in calendar["rooms"]
        if room["building"] == building and "Video" in room["equipment"]
    ]
    return sorted(rooms, key=lambda room: int(room["capacity"]), reverse=True)


def _prepare_video_rooms(world: Company, rng: random.Random, state: State) -> None:
    """Gives video to two rooms of different size in one building."""
    rooms: list[Item] = sorted(calendar_state(state)["rooms"], key=lambda room: room["capacity"])
    for room in (rooms[3], rooms[-1]):
        room |= {"building": BUILDINGS[0], "equipment": ["Phone", "Video"]}


def _sample_building(world: Company, rng: random.Random, state: State) -> Params:
    building = rng.choice(BUILDINGS)
    rooms = _list_video_rooms(calendar_state(state), building)
    if len(rooms) < 2 or rooms[0]["capacity"] == rooms[1]["capacity"]:
        raise Resample("no building has one largest room with video")
    names = sorted(room["name"] for room in rooms)
    return {"building": building, "names": names, "company": world.name}


def _get_largest_room(world: Company, p: Params, before: State) -> str:
    return str(_list_video_rooms(calendar_state(before), p["building"])[0]["name"])


def _find_largest_room(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Rooms")
    page = yield from navigation.filter_list(page, "Building", p["building"])
    page = yield from navigation.filter_list(page, "Video", "Yes")
    page = yield from navigation.filter_list(page, "Sort", "Largest", "the largest first")
    return next(line.name for line in page.elements("link") if line.name in p["names"])


TEMPLATES = (
    Template(
        name="first_free_hour",
        skills=("search", "date", "compare", "answer"),
        oracle_steps=7,
        phrasings=(
            "From what time on is the room {name} free for a whole hour on {date}? Give the "
            "earliest time, such as 07:15.",
            "When does the first free hour of the room {name} begin on {date}? Answer like 07:15.",
            "Find the earliest time on {date} at which {name} is free for 60 minutes (as 07:15).",
        ),
        sample_params=_sample_room_and_day,
        solve=_read_first_free_hour,
        milestones=(VISITED_ROOMS, ("day", visited_page("calendar:room:{room}:{day}")), FINISHED),
        expected_answer=_get_first_free_hour,
        answer_kind="time",
        prepare_state=_prepare_short_span,
    ),
    Template(
        name="largest_room",
        skills=("filter", "sort", "compare", "answer"),
        oracle_steps=9,
        phrasings=(
            "Which room with video in {building} of {company} has the most seats?",
            "Name the largest room of {company}'s {building} that has video.",
            "In {building} of {company}, which of the rooms with video seats the most people?",
        ),
        sample_params=_sample_building,
        solve=_find_largest_room,
        milestones=(VISITED_ROOMS, FINISHED),
        expected_answer=_get_largest_room,
        prepare_state=_prepare_video_rooms,
    ),
)
