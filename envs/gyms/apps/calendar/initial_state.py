"""The calendar state of a seed: 16 rooms, some 180 events, days out of office, settings.

Guarantees: no room is booked twice at a time, nor for more people than it seats. The order of
random draws is fixed, since it decides what the world of a seed looks like.
"""

from __future__ import annotations

import random

from envs.gyms.apps.calendar.availability import find_clashes
from envs.gyms.apps.calendar.data import (
    ACCEPTED,
    BUILDINGS,
    ENDS,
    EQUIPMENT,
    FIRST_DAYS,
    KINDS,
    NOTES,
    REASONS,
    REMINDERS,
    ROOMS,
    SEATS,
    STARTS,
    STATUSES,
    Item,
    make_event,
)
from envs.gyms.apps.calendar.times import (
    MONTHLY,
    NEVER,
    WEEKLY,
    list_occurrences,
    sample_time_span,
    sample_work_day,
)
from envs.gyms.kit.company import Company
from envs.gyms.server.gym import State

SINGLES, WEEKLIES, MONTHLIES = 128, 8, 3
"""How many single events and series of each kind a calendar has."""
OWN_SERIES = ("s1", "s2")
"""Series that the user organizes, so that every world has some to cancel."""


def make_state(world: Company) -> State:
    """The calendar's part of the state in the world of a seed."""
    rng = world.rng("calendar")
    rooms = _make_rooms(rng)
    events: list[Item] = []
    for index in range(WEEKLIES + MONTHLIES):
        repeat, times = (WEEKLY, rng.randint(5, 8)) if index < WEEKLIES else (MONTHLY, 3)
        days = list_occurrences(sample_work_day(world, rng, -16, 9), repeat, times)
        events += _make_events(world, rng, rooms, events, days, repeat, f"s{index + 1}")
    for _ in range(SINGLES):
        days = [sample_work_day(world, rng, -24, 60)]
        events += _make_events(world, rng, rooms, events, days, NEVER, None)
    return {
        "events": events,
        "rooms": rooms,
        "away": _make_absences(world, rng),
        "settings": {
            "starts": rng.choice(STARTS[1:-1]),
            "ends": rng.choice(ENDS[1:-1]),
            "week": rng.choice(FIRST_DAYS),
            "reminder": rng.choice(REMINDERS),
        },
    }


def sample_title(world: Company, rng: random.Random) -> str:
    """A title of an event: a kind of meeting, perhaps of a department or with a firm."""
    kind, form = rng.choice(KINDS), rng.random()
    if form < 0.25:
        return kind
    if form < 0.6:
        return f"{kind} {rng.choice(world.people).department}"
    return f"{kind} with {rng.choice(world.firms).name}"


def _make_rooms(rng: random.Random) -> list[Item]:
    seats = list(SEATS)
    rng.shuffle(seats)
    return [
        {
            "id": f"r{index + 1}",
            "name": name,
            "building": rng.choice(BUILDINGS),
            "floor": rng.randint(0, 4),
            "capacity": seats[index],
            "equipment": sorted(rng.sample(EQUIPMENT, rng.randint(1, 3))),
        }
        for index, name in enumerate(ROOMS)
    ]


def _make_events(
    world: Company,
    rng: random.Random,
    rooms: list[Item],
    events: list[Item],
    days: list[str],
    repeat: str,
    series: str | None,
) -> list[Item]:
    """A single event or a whole series, on rooms that are free beside `events`.

    It is the user's own, one the user is invited to, or only a room's booking by others."""
    user = world.user.id
    start, end = sample_time_span(rng)
    kind = rng.choices(("own", "guest", "other"), (5, 4, 0 if series else 3))[0]
    if series in OWN_SERIES:
        kind = "own"
    others = [person.id for person in world.people if person.id != user]
    chosen = rng.sample(others, rng.randint(2, 5))
    attendees = {"own": chosen, "guest": [user, *chosen[1:]], "other": chosen[1:]}[kind]
    attendees = [person.id for person in world.people if person.id in attendees]
    large_rooms = [room["id"] for room in rooms if room["capacity"] > len(attendees)]
    room = "" if rng.random() < 0.15 else rng.choice(large_rooms)
    if any(find_clashes(events, room, day, start, end) for day in days):
        room = ""
    title, notes = sample_title(world, rng), rng.choice(NOTES)
    status = ACCEPTED
    if kind == "guest" and series is None:
        is_future = days[0] >= world.today
        status = rng.choices(STATUSES, (5 if is_future else 0, 5, 2, 2))[0]
    organizer = user if kind == "own" else chosen[0]
    return [
        make_event(len(events) + index + 1, title, day, start, end, organizer)
        | {
            "room": room,
            "people": list(attendees),
            "repeat": repeat,
            "series": series,
            "notes": notes,
            "status": status,
        }
        for index, day in enumerate(days)
    ]


def _make_absences(world: Company, rng: random.Random) -> list[Item]:
    """Days out of office: one span in the past, two to come."""
    absences = []
    for index, (first, last) in enumerate(((-20, -16), (12, 16), (70, 81))):
        shift = rng.randint(0, 4)
        absences.append(
            {
                "id": f"a{index + 1}",
                "first": world.day(first + shift),
                "last": world.day(last + shift),
                "reason": rng.choice(REASONS),
            }
        )
    return absences
