"""Tasks that move events: by dragging, by the form."""

from __future__ import annotations

import random

from envs.contract.actions import Drag
from envs.gyms.apps.calendar import rules
from envs.gyms.apps.calendar.availability import find_clashes
from envs.gyms.apps.calendar.data import DECLINED, Item
from envs.gyms.apps.calendar.labels import get_cell_label
from envs.gyms.apps.calendar.sampling import (
    VISITED_AGENDA,
    VISITED_EVENT,
    calendar_state,
    is_organized_by_user,
    make_day_params,
    make_event_params,
    open_event,
    open_month,
    sample_event,
    sample_free_slot,
)
from envs.gyms.apps.calendar.time_views import EVENTS_PER_CELL
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template
from envs.gyms.server.gym import OracleMove, State
from envs.gyms.server.view import Page

MAX_DRAGS = 4


def _sample_drag(world: Company, rng: random.Random, state: State) -> Params:
    is_own, calendar = is_organized_by_user(world), calendar_state(state)
    shown = [e for e in rules.list_user_events(world, calendar) if e["status"] != DECLINED]

    def is_in_grid(event: Item) -> bool:
        events_of_day = [e["id"] for e in shown if e["date"] == event["date"]]
        return is_own(event) and event["id"] in events_of_day[:EVENTS_PER_CELL]

    event = sample_event(world, rng, state, is_in_grid)
    day = f"{event['date'][:8]}{rng.randint(1, 28):02d}"
    if day <= world.today or day == event["date"]:
        raise Resample("the month is over")
    room, start, end = event["room"], event["start"], event["end"]
    if room and find_clashes(calendar["events"], room, day, start, end):
        raise Resample("the room is booked that day")
    return (
        make_event_params(world, event)
        | make_day_params(world, "to", day)
        | {"cell": get_cell_label(event)}
    )


def _drag_event(page: Page, p: Params) -> Script:
    for _ in range(MAX_DRAGS):
        page = yield from open_month(page, p["to_month"])
        page, card = yield from navigation.scroll_to(page, "link", p["cell"])
        day = page.get_line("link", p["to_number"])
        path = (page.target(card), page.target(day))
        page = yield OracleMove(f"drag it to {p['to_date']}", Drag(path=path))
        if page.text_after("✓ ") is not None:
            break
        page = yield from navigation.go_to(page, "Month", "it did not move, once more")
    return None


def _sample_new_time(world: Company, rng: random.Random, state: State) -> Params:
    event = sample_event(world, rng, state, is_organized_by_user(world))
    slot = sample_free_slot(world, rng, state, len(event["people"]) + 1)
    if slot["to_day"] == event["date"] or slot["room"] == event["room"]:
        raise Resample("all other times are taken")
    return make_event_params(world, event) | slot


def _apply_new_time(world: Company, p: Params, state: State) -> None:
    calendar = calendar_state(state)
    event = get_record(calendar, "events", p["event"])
    rules.edit_event(
        world,
        calendar,
        p["event"],
        title=event["title"],
        day=p["to_day"],
        start=p["start"],
        end=p["end"],
        room=p["room"],
        people=event["people"],
        notes=event["notes"],
    )


def _change_time(page: Page, p: Params) -> Script:
    page = yield from open_event(page, p)
    page = yield from navigation.open_link(page, "change it", "Edit event")
    fields = {"Date": p["to_date"], "Start": p["start"], "End": p["end"], "Room": p["room_name"]}
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "save it", "Save event")
    return None


TEMPLATES = (
    Template(
        name="drag_event",
        skills=("drag", "date"),
        oracle_steps=4,
        phrasings=(
            "Move my event {title} from {date} to {to_date}. Time and room stay.",
            "Drag {title} of {date} to {to_date} in the month view.",
            "{title} on {date} takes place on {to_date} instead, at the same time. Move it.",
        ),
        sample_params=_sample_drag,
        solve=_drag_event,
        milestones=(FINISHED,),
        apply_expected=lambda world, p, state: rules.move_event(
            world, calendar_state(state), p["event"], p["to"]
        ),
    ),
    Template(
        name="reschedule",
        skills=("search", "form", "date"),
        oracle_steps=12,
        phrasings=(
            "Move {title} of {date} to {to_date}, {start} to {end}, room {room_name}.",
            "My event {title} on {date} is now on {to_date} from {start} to {end} in {room_name}. "
            "Change it.",
            "Change date, time and room of {title} ({date}): {to_date}, {start} to {end}, "
            "{room_name}.",
        ),
        sample_params=_sample_new_time,
        solve=_change_time,
        milestones=(VISITED_AGENDA, VISITED_EVENT, FINISHED),
        apply_expected=_apply_new_time,
    ),
)
