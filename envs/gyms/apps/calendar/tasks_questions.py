"""Questions on the user's days and events."""

from __future__ import annotations

import random

from envs.gyms.apps.calendar.data import ROOMS
from envs.gyms.apps.calendar.sampling import (
    VISITED_AGENDA,
    VISITED_EVENT,
    calendar_state,
    count_meetings,
    count_shown_meetings,
    list_busy_days,
    make_day_params,
    make_event_params,
    open_day,
    open_event,
    sample_event,
)
from envs.gyms.kit import navigation
from envs.gyms.kit.choices import choose_evenly, require_one_best
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

DAYS = ("one", "other", "third", "last")
"""Params of the days that are compared."""


def _sample_busy_day(world: Company, rng: random.Random, state: State) -> Params:
    days = list_busy_days(world, state, 1)
    day = choose_evenly(rng, days, lambda day: count_meetings(world, state, day))
    return make_day_params(world, "day", day)


def _count_meetings_of_day(page: Page, p: Params) -> Script:
    page = yield from open_day(page, p, "day")
    return str(count_shown_meetings(page, p["day_date"]))


def _sample_days(world: Company, rng: random.Random, state: State) -> Params:
    days = rng.sample(list_busy_days(world, state, 1), len(DAYS))
    require_one_best([count_meetings(world, state, day) for day in days])
    params: Params = {}
    for key, day in zip(DAYS, days, strict=True):
        params |= make_day_params(world, key, day)
    return params


def _get_busiest_day(world: Company, p: Params, before: State) -> str:
    return str(max((p[key] for key in DAYS), key=lambda day: count_meetings(world, before, day)))


def _find_busiest_day(page: Page, p: Params) -> Script:
    counts: dict[str, int] = {}
    for key in DAYS:
        if counts:
            page = yield from navigation.go_to(page, "Month")
        page = yield from open_day(page, p, key)
        counts[p[f"{key}_date"]] = count_shown_meetings(page, p[f"{key}_date"])
    return max(counts, key=lambda key: counts[key])


def _sample_event_in_room(world: Company, rng: random.Random, state: State) -> Params:
    calendar = calendar_state(state)
    seats = {room["id"]: room["capacity"] for room in calendar["rooms"]}
    at = rng.choice(sorted({*seats.values()}))
    event = sample_event(world, rng, state, lambda e: bool(e["room"]) and seats[e["room"]] == at)
    return make_event_params(world, event) | {"rooms": list(ROOMS)}


def _get_seats(world: Company, p: Params, before: State) -> str:
    calendar = calendar_state(before)
    event = get_record(calendar, "events", p["event"])
    return str(get_record(calendar, "rooms", event["room"])["capacity"])


def _read_seats(page: Page, p: Params) -> Script:
    page = yield from open_event(page, p)
    room = next(line for line in page.elements("link") if line.name in p["rooms"])
    page = yield page.click_on("to its room", room)
    return navigation.read_value(page, "Seats")


TEMPLATES = (
    Template(
        name="count_day",
        skills=("date", "answer"),
        oracle_steps=4,
        phrasings=(
            "How many meetings do I have on {day_date}? Those that I declined do not count.",
            "Count my meetings of {day_date}, without the declined ones. Answer with the number.",
            "{day_date}: how many meetings are in my calendar, leaving out declined ones?",
        ),
        sample_params=_sample_busy_day,
        solve=_count_meetings_of_day,
        milestones=(("day", visited_page("calendar:day:{day}")), FINISHED),
        expected_answer=lambda world, p, before: str(count_meetings(world, before, p["day"])),
        answer_kind="number",
        answer_units=("meetings", "meeting", "events"),
    ),
    Template(
        name="busier_day",
        skills=("compare", "date", "answer"),
        oracle_steps=13,
        phrasings=(
            "On which day do I have the most meetings: {one_date}, {other_date}, {third_date} or "
            "{last_date}? Declined ones do not count. Answer with the date.",
            "Which is my busiest day by the number of meetings that I have not declined: "
            "{one_date}, {other_date}, {third_date} or {last_date}?",
            "Compare the days {one_date}, {other_date}, {third_date} and {last_date}. Which date "
            "has the most meetings, declined ones left out?",
        ),
        sample_params=_sample_days,
        solve=_find_busiest_day,
        milestones=(
            ("one", visited_page("calendar:day:{one}")),
            ("other", visited_page("calendar:day:{other}")),
            ("third", visited_page("calendar:day:{third}")),
            ("last", visited_page("calendar:day:{last}")),
            FINISHED,
        ),
        expected_answer=_get_busiest_day,
        answer_kind="date",
    ),
    Template(
        name="room_seats",
        skills=("search", "multi-step", "answer"),
        oracle_steps=7,
        phrasings=(
            "How many people fit into the room of {title} on {date}?",
            "What is the number of seats of the room in which {title} takes place on {date}?",
            "Look up the room of my event {title} on {date}: how many seats has it?",
        ),
        sample_params=_sample_event_in_room,
        solve=_read_seats,
        milestones=(VISITED_AGENDA, VISITED_EVENT, FINISHED),
        expected_answer=_get_seats,
        answer_kind="number",
        answer_units=("people", "seats", "persons"),
    ),
)
