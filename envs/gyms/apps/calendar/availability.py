"""When rooms are booked and when they are free."""

from __future__ import annotations

from envs.gyms.apps.calendar.data import Item
from envs.gyms.apps.calendar.times import CLOSES, OPENS, to_minutes
from envs.gyms.server.gym import State


def find_clashes(events: list[Item], room: str, day: str, start: str, end: str) -> list[Item]:
    """Events that book a room at some time between start and end."""
    return [
        event
        for event in events
        if event["room"] == room
        and event["date"] == day
        and event["start"] < end
        and start < event["end"]
    ]


def list_free_spans(state: State, room: str, day: str) -> list[tuple[str, str]]:
    """Start and end of the times at which a room is free on a day, in order."""
    bookings = sorted(
        (event["start"], event["end"])
        for event in state["events"]
        if event["room"] == room and event["date"] == day
    )
    free_from, spans = OPENS, []
    for start, end in bookings:
        if start > free_from:
            spans.append((free_from, start))
        free_from = max(free_from, end)
    return [*spans, (free_from, CLOSES)] if free_from < CLOSES else spans


def find_free_rooms(state: State, day: str, start: str, end: str, seats: int) -> list[Item]:
    """Rooms with at least so many seats that are free from start to end."""
    return [
        room
        for room in state["rooms"]
        if room["capacity"] >= seats
        and not find_clashes(state["events"], room["id"], day, start, end)
    ]


def count_unseated(rooms: list[Item], people: int) -> int:
    """The smallest number of people that a search for so many has shown to find no room, given
    the rooms that it has shown."""
    return max((room["capacity"] for room in rooms), default=people - 1) + 1


def find_first_free_hour(state: State, room: str, day: str) -> str | None:
    """Start of the first span of at least 60 minutes; None when there is none."""
    for start, end in list_free_spans(state, room, day):
        if to_minutes(end) - to_minutes(start) >= 60:
            return start
    return None
