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
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_busy_day(world: Company, rng: random.Random, state: State) -> Params:
    return make_day_params(world, "day", rng.choice(list_busy_days(world, state, 2)))


def _count_meetings_of_day(page: Page, p: Params) -> Script:
    page = yield from open_day(page, p, "day")
    return str(count_shown_meetings(page, p["day_date"]))


def _sample_two_days(world: Company, rng: random.Random, state: State) -> Params:
    first, second = rng.sample(list_busy_days(world, state, 1), 2)
    if count_meetings(world, state, first) == count_meetings(world, state, second):
        raise Resample("all days have as many meetings")
    return make_day_params(world, "one", first) | make_day_params(world, "other", second)


def _get_busier_day(world: Company, p: Params, before: State) -> str:
    return str(max((p["one"], p["other"]), key=lambda day: count_meetings(world, before, day)))


def _find_busier_day(page: Page, p: Params) -> Script:
    page = yield from open_day(page, p, "one")
    first_count = count_shown_meetings(page, p["one_date"])
    page = yield from navigation.go_to(page, "Month")
    page = yield from open_day(page, p, "other")
    second_count = count_shown_meetings(page, p["other_date"])
    return str(p["one_date"] if first_count > second_count else p["other_date"])


def _sample_event_in_room(world: Company, rng: random.Random, state: State) -> Params:
    event = sample_event(world, rng, state, lambda e: bool(e["room"]))
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
    ),
    Template(
        name="busier_day",
        skills=("compare", "date", "answer"),
        oracle_steps=7,
        phrasings=(
            "On which day do I have more meetings, {one_date} or {other_date}? Declined ones do "
            "not count. Answer with the date.",
            "Which is my busier day by the number of meetings that I have not declined: "
            "{one_date} or {other_date}?",
            "Compare {one_date} with {other_date}. Which date has more meetings, declined ones "
            "left out?",
        ),
        sample_params=_sample_two_days,
        solve=_find_busier_day,
        milestones=(
            ("one", visited_page("calendar:day:{one}")),
            ("other", visited_page("calendar:day:{other}")),
            FINISHED,
        ),
        expected_answer=_get_busier_day,
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
    ),
)
