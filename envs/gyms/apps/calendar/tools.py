"""The calendar's site tools. Their names, arguments and docstrings are what agents are shown."""

from __future__ import annotations

from typing import Any

from envs.gyms.apps.calendar import availability, rules
from envs.gyms.apps.calendar.parsing import parse_attendees, parse_clock, parse_day, parse_room
from envs.gyms.apps.calendar.times import NEVER
from envs.gyms.kit.site_tools import ToolContext, site_tool

MAX_RESULTS = 20


@site_tool("calendar.find_events")
def find_events(context: ToolContext, text: str, day: str | None = None) -> list[dict[str, Any]]:
    """Events in the user's calendar whose title contains the text, on a day (ISO date) or any, at
    most 20: id, title, date, start, end, series (None if it does not repeat), status."""
    keys = ("id", "title", "date", "start", "end", "series", "status")
    results = [
        {key: event[key] for key in keys}
        for event in rules.list_user_events(context.world, context.state)
        if text.lower() in event["title"].lower() and day in (None, event["date"])
    ]
    return results[:MAX_RESULTS]


@site_tool("calendar.create_event")
def create_event(
    context: ToolContext,
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
    event = rules.create_event(
        context.world,
        context.state,
        title=title,
        day=parse_day(day),
        start=parse_clock(start, "start"),
        end=parse_clock(end, "end"),
        room=parse_room(context.state, room),
        people=parse_attendees(context.world, attendees),
        repeat=repeat,
        times=times,
        notes=notes,
    )
    return str(event["id"])


@site_tool("calendar.answer_invitation")
def answer_invitation(context: ToolContext, event: str, answer: str, comment: str = "") -> str:
    """Answers an invitation by the event's id. answer: Accept, Maybe or Decline."""
    rules.answer_invitation(context.world, context.state, event, answer, comment)
    return "answered"


@site_tool("calendar.cancel_event")
def cancel_event(context: ToolContext, event: str, whole_series: bool = False) -> str:
    """Cancels one of the user's own events by its id, or all that is to come of its series."""
    rules.cancel_event(context.world, context.state, event, whole_series)
    return "cancelled"


@site_tool("calendar.free_rooms")
def free_rooms(
    context: ToolContext, day: str, start: str, end: str, people: int = 1
) -> list[dict[str, Any]]:
    """Rooms that seat so many people and are free on a day (ISO date) from start to end: name,
    building, capacity, equipment."""
    rooms = availability.find_free_rooms(
        context.state,
        day=parse_day(day),
        start=parse_clock(start, "start"),
        end=parse_clock(end, "end"),
        seats=people,
    )
    unseated = availability.count_unseated(rooms, people)
    span = f"{parse_clock(start, 'start')}:{parse_clock(end, 'end')}"
    context.log_event(f"no-room:{parse_day(day)}:{span}:{unseated}")
    keys = ("name", "building", "capacity", "equipment")
    return [{key: room[key] for key in keys} for room in rooms]


TOOLS = (find_events, create_event, answer_invitation, cancel_event, free_rooms)
