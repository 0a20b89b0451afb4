"""The rules of events. Each one changes the calendar's state, or raises Refused or NotFound.

`state` is the calendar's part of a session's state; days are ISO dates, times such as "09:30".
Only organizers change an event, and nobody changes one that is over.
"""

from __future__ import annotations

from collections.abc import Sequence

from envs.gyms.apps.calendar.availability import find_clashes
from envs.gyms.apps.calendar.data import ANSWERS, Item, get_next_number, make_event
from envs.gyms.apps.calendar.times import CLOSES, NEVER, OPENS, REPEATS, list_occurrences
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.server.gym import Refused, State

MAX_TIMES = 12
"""Occurrences of a series."""


def list_user_events(world: Company, state: State) -> list[Item]:
    """What the user organizes or is invited to and has not hidden, in order of time."""
    user = world.user.id
    events = [
        event
        for event in state["events"]
        if (event["organizer"] == user or user in event["people"]) and not event["hidden"]
    ]
    return sorted(events, key=lambda event: (event["date"], event["start"], int(event["id"][1:])))


def check_time(world: Company, day: str, start: str, end: str) -> None:
    """Raises Refused when no event can take place then."""
    if end <= start:
        raise Refused("End must be after Start")
    if start < OPENS or end > CLOSES:
        raise Refused(f"Events lie between {OPENS} and {CLOSES}")
    if day < world.today:
        raise Refused("Date must not be in the past")


def check_room(state: State, event: Item) -> None:
    """Raises Refused when the event's room is too small, or booked by another event."""
    if not event["room"]:
        return
    room, heads = get_record(state, "rooms", event["room"]), len(event["people"]) + 1
    if room["capacity"] < heads:
        raise Refused(f"{room['name']} seats {room['capacity']}, but {heads} people attend")
    day, start, end = event["date"], event["start"], event["end"]
    for other in find_clashes(state["events"], event["room"], day, start, end):
        if other["id"] != event["id"]:
            raise Refused(f"{room['name']} is booked from {other['start']} to {other['end']}")


def get_own_event(world: Company, state: State, key: str) -> Item:
    """An event that the user may change. Raises Refused."""
    event = get_record(state, "events", key)
    if event["organizer"] != world.user.id:
        raise Refused("Only the organizer can change this event")
    if event["date"] < world.today:
        raise Refused("This event is over")
    return event


def get_invitation(world: Company, state: State, key: str) -> Item:
    """An event to come that the user is invited to. Raises Refused."""
    event = get_record(state, "events", key)
    if world.user.id not in event["people"]:
        raise Refused("You are not invited to this event")
    if event["date"] < world.today:
        raise Refused("This event is over")
    return event


def create_event(
    world: Company,
    state: State,
    title: str,
    day: str,
    start: str,
    end: str,
    room: str = "",
    people: Sequence[str] = (),
    repeat: str = NEVER,
    times: int = 1,
    notes: str = "",
) -> Item:
    """Creates an event or a whole series, and returns the first occurrence."""
    check_time(world, day, start, end)
    if repeat not in REPEATS:
        raise Refused("Choose one: Repeat")
    if repeat != NEVER and not 2 <= times <= MAX_TIMES:
        raise Refused(f"Times must be from 2 to {MAX_TIMES} for an event that repeats")
    number = get_next_number(state["events"])
    series_numbers = [int(event["series"][1:]) for event in state["events"] if event["series"]]
    series = None if repeat == NEVER else f"s{1 + max(series_numbers, default=0)}"
    occurrences = []
    for index, occurrence_day in enumerate(list_occurrences(day, repeat, times)):
        event = make_event(number + index, title, occurrence_day, start, end, world.user.id)
        event |= {
            "room": room,
            "people": list(people),
            "repeat": repeat,
            "series": series,
            "notes": notes,
        }
        check_room(state, event)
        occurrences.append(event)
    state["events"] += occurrences
    return occurrences[0]


def edit_event(
    world: Company,
    state: State,
    key: str,
    title: str,
    day: str,
    start: str,
    end: str,
    room: str,
    people: Sequence[str],
    notes: str,
) -> None:
    """Changes an event; of a series, this one occurrence."""
    event = get_own_event(world, state, key)
    check_time(world, day, start, end)
    changes = {
        "title": title,
        "date": day,
        "start": start,
        "end": end,
        "room": room,
        "people": list(people),
        "notes": notes,
    }
    check_room(state, event | changes)
    event |= changes


def move_event(world: Company, state: State, key: str, day: str) -> None:
    """Moves an event to another day, at the same time."""
    event = get_own_event(world, state, key)
    check_time(world, day, event["start"], event["end"])
    check_room(state, event | {"date": day})
    event["date"] = day


def set_attendance(world: Company, state: State, key: str, person: str, attends: bool) -> None:
    """Invites a person to an event, or takes the person off it."""
    event = get_own_event(world, state, key)
    if (person in event["people"]) == attends or person == world.user.id:
        raise Refused("This person is invited already" if attends else "This person is not invited")
    if attends:
        people = [p.id for p in world.people if p.id in event["people"] or p.id == person]
    else:
        people = [p.id for p in world.people if p.id in event["people"] and p.id != person]
    check_room(state, event | {"people": people})
    event["people"] = people


def cancel_event(world: Company, state: State, key: str, whole_series: bool = False) -> None:
    """Removes one event, or all that is to come of its series."""
    event = get_own_event(world, state, key)

    def is_cancelled(other: Item) -> bool:
        same_series = event["series"] is not None and other["series"] == event["series"]
        return other is event or (whole_series and same_series and other["date"] >= world.today)

    state["events"][:] = [other for other in state["events"] if not is_cancelled(other)]


def answer_invitation(world: Company, state: State, key: str, answer: str, comment: str) -> None:
    """Answers with one of ANSWERS."""
    invitation = get_invitation(world, state, key)
    if answer not in ANSWERS:
        raise Refused("Choose one: Answer")
    invitation |= {"status": ANSWERS[answer], "comment": comment}


def hide_invitation(world: Company, state: State, key: str) -> None:
    """Takes an invitation out of the user's calendar; the event itself stays as it is."""
    get_invitation(world, state, key)["hidden"] = True
