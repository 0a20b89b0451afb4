"""The calendar's site tools."""

from __future__ import annotations

from typing import Any

from envs.gyms.calendar import rules
from envs.gyms.calendar.data import NEVER
from envs.gyms.kit.site_tools import Tools, site_tool

MOST = 20


@site_tool("calendar.find_events")
def find_events(here: Tools, text: str, day: str | None = None) -> list[dict[str, Any]]:
    """Events in the user's calendar whose title contains the text, on a day (ISO date) or any, at
    most 20: id, title, date, start, end, series (None if it does not repeat), status."""
    keys = ("id", "title", "date", "start", "end", "series", "status")
    found = [
        {key: e[key] for key in keys}
        for e in rules.mine(here.world, here.state)
        if text.lower() in e["title"].lower() and day in (None, e["date"])
    ]
    return found[:MOST]


@site_tool("calendar.create_event")
def create_event(
    here: Tools,
    title: str,
    day: str,
    start: str,
    end: str,
    room: str = "",
    attendees: str = "",
    repeat: str = NEVER,
    times: int = 1,
    notes: str = "",
) -> str:
    """Creates an event and gives its id. day: ISO date; start, end: such as 09:30; room: a room's
    name; attendees: names with commas between; repeat: Never, Weekly or Monthly, so many times."""
    made = rules.create(
        here.world, here.state, title, rules.read_day(day), rules.read_clock(start, "start"),
        rules.read_clock(end, "end"), rules.room_named(here.state, room),
        rules.read_people(here.world, attendees), repeat, times, notes,
    )  # fmt: skip
    return str(made["id"])


@site_tool("calendar.answer_invitation")
def answer_invitation(here: Tools, event: str, answer: str, comment: str = "") -> str:
    """Answers an invitation by the event's id. answer: Accept, Maybe or Decline."""
    rules.answer(here.world, here.state, event, answer, comment)
    return "answered"


@site_tool("calendar.cancel_event")
def cancel_event(here: Tools, event: str, whole_series: bool = False) -> str:
    """Cancels one of the user's own events by its id, or all that is to come of its series."""
    rules.cancel(here.world, here.state, event, whole_series)
    return "cancelled"


@site_tool("calendar.free_rooms")
def free_rooms(
    here: Tools, day: str, start: str, end: str, people: int = 1
) -> list[dict[str, Any]]:
    """Rooms that seat so many people and are free on a day (ISO date) from start to end: name,
    building, capacity, equipment."""
    found = rules.free_rooms(
        here.state, rules.read_day(day), rules.read_clock(start, "start"),
        rules.read_clock(end, "end"), people,
    )  # fmt: skip
    keys = ("name", "building", "capacity", "equipment")
    return [{key: room[key] for key in keys} for room in found]


TOOLS = (find_events, create_event, answer_invitation, cancel_event, free_rooms)
