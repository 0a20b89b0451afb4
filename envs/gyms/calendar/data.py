"""What a seed makes of the calendar: 16 rooms, some 180 events, days out of office, settings.

Guarantees: no room is booked twice at a time, nor for more people than it seats; every occurrence
of a series is an event of its own, and they share `series`.
"""

from __future__ import annotations

import random
from calendar import monthrange
from datetime import date, timedelta
from typing import Any

from envs.gyms.gym import State
from envs.gyms.kit.company import Company

Item = dict[str, Any]
OPENS, CLOSES = "08:00", "18:00"
"""Events lie between these."""
NEVER, WEEKLY, MONTHLY = "Never", "Weekly", "Monthly"
REPEATS = (NEVER, WEEKLY, MONTHLY)
INVITED, ACCEPTED, TENTATIVE, DECLINED = "Invited", "Accepted", "Tentative", "Declined"
STATUSES = (INVITED, ACCEPTED, TENTATIVE, DECLINED)
ANSWERS = {"Accept": ACCEPTED, "Maybe": TENTATIVE, "Decline": DECLINED}
REASONS = ("Holiday", "Business trip", "Sick leave", "Training", "Moving house")
REMINDERS = ("None", "5 minutes", "10 minutes", "30 minutes")
FIRST_DAYS = ("Monday", "Sunday")
STARTS = ("07:00", "07:30", "08:00", "08:30", "09:00", "09:30", "10:00")
ENDS = ("15:00", "15:30", "16:00", "16:30", "17:00", "17:30", "18:00", "18:30")
BUILDINGS = ("North House", "South House", "Harbour Wing")
EQUIPMENT = ("Video", "Whiteboard", "Projector", "Phone")
ROOMS = (
    "Danube", "Douro", "Ebro", "Elbe", "Elbe Annex", "Isar", "Lahn", "Loire", "Meuse", "Oder",
    "Rhine", "Rhone", "Seine", "Seine Annex", "Tagus", "Weser",
)  # fmt: skip
SEATS = (2, 3, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 16, 20, 24, 30)
KINDS = (
    "Budget review", "Design review", "Quarterly review", "Roadmap review", "Sprint planning",
    "Budget planning", "Status call", "Sales call", "Contract talk", "Product demo", "Interview",
    "Training session", "Project kickoff", "Retrospective", "Handover",
)  # fmt: skip
NOTES = ("", "", "Bring the figures", "Agenda follows", "Please read the draft first")
SINGLES, WEEKLIES, MONTHLIES = 128, 8, 3


def minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])


def clock(of: int) -> str:
    return f"{of // 60:02d}:{of % 60:02d}"


def occurrences(first: str, repeat: str, times: int) -> list[str]:
    """The days of a series; a month that is too short has its last day."""
    at = date.fromisoformat(first)
    if repeat == WEEKLY:
        return [(at + timedelta(days=7 * index)).isoformat() for index in range(times)]
    if repeat == NEVER:
        return [first]
    days = []
    for index in range(times):
        year, month = at.year + (at.month - 1 + index) // 12, (at.month - 1 + index) % 12 + 1
        days.append(date(year, month, min(at.day, monthrange(year, month)[1])).isoformat())
    return days


def clashes(events: list[Item], room: str, day: str, start: str, end: str) -> list[Item]:
    """What a room is booked for at a time."""
    return [
        e for e in events
        if e["room"] == room and e["date"] == day and e["start"] < end and start < e["end"]
    ]  # fmt: skip


def work_day(world: Company, rng: random.Random, first: int, last: int) -> str:
    """Monday to Friday, so many days from today."""
    while True:
        day = world.day(rng.randint(first, last))
        if date.fromisoformat(day).weekday() < 5:
            return day


def slot(rng: random.Random) -> tuple[str, str]:
    """Start and end."""
    start = rng.randrange(minutes(OPENS), minutes(CLOSES) - 60, 30)
    return clock(start), clock(start + rng.choice((30, 60, 60, 90)))


def next_number(items: list[Item]) -> int:
    """Of a new item's id, which is a letter and a number."""
    return 1 + max((int(item["id"][1:]) for item in items), default=0)


def event(number: int, title: str, day: str, start: str, end: str, organizer: str) -> Item:
    """One that has nothing yet but a time and who calls it."""
    return {
        "id": f"e{number}", "title": title, "date": day, "start": start, "end": end, "room": "",
        "organizer": organizer, "people": [], "repeat": NEVER, "series": None, "notes": "",
        "status": ACCEPTED, "comment": "", "hidden": False,
    }  # fmt: skip


def fresh(world: Company) -> State:
    rng = world.rng("calendar")
    seats = list(SEATS)
    rng.shuffle(seats)
    rooms: list[Item] = [
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
    events: list[Item] = []
    for index in range(WEEKLIES + MONTHLIES):
        repeat, times = (WEEKLY, rng.randint(5, 8)) if index < WEEKLIES else (MONTHLY, 3)
        day = work_day(world, rng, -16, 9)
        _add(world, rng, rooms, events, occurrences(day, repeat, times), repeat, f"s{index + 1}")
    for _ in range(SINGLES):
        _add(world, rng, rooms, events, [work_day(world, rng, -24, 60)], NEVER, None)
    return {
        "events": events,
        "rooms": rooms,
        "away": _away(world, rng),
        "settings": {
            "starts": rng.choice(STARTS[1:-1]),
            "ends": rng.choice(ENDS[1:-1]),
            "week": rng.choice(FIRST_DAYS),
            "reminder": rng.choice(REMINDERS),
        },
    }


def _add(
    world: Company,
    rng: random.Random,
    rooms: list[Item],
    events: list[Item],
    days: list[str],
    repeat: str,
    series: str | None,
) -> None:
    """A single event or a whole series: the user's own, one the user is invited to, or only a
    room's booking by others."""
    me = world.user.id
    start, end = slot(rng)
    kind = rng.choices(("own", "guest", "other"), (5, 4, 0 if series else 3))[0]
    if series in ("s1", "s2"):
        kind = "own"  # every world has series that the user can cancel
    others = [person.id for person in world.people if person.id != me]
    chosen = rng.sample(others, rng.randint(2, 5))
    people = chosen[1:] if kind == "other" else chosen if kind == "own" else [me, *chosen[1:]]
    people = [person.id for person in world.people if person.id in people]
    big = [room["id"] for room in rooms if room["capacity"] > len(people)]
    room = "" if rng.random() < 0.15 else rng.choice(big)
    if any(clashes(events, room, day, start, end) for day in days):
        room = ""
    title, text = title_of(world, rng), rng.choice(NOTES)
    status = ACCEPTED
    if kind == "guest" and series is None:
        coming = days[0] >= world.today
        status = rng.choices(STATUSES, (5 if coming else 0, 5, 2, 2))[0]
    for day in days:
        made = event(len(events) + 1, title, day, start, end, me if kind == "own" else chosen[0])
        made |= {"room": room, "people": list(people), "repeat": repeat, "series": series,
                 "notes": text, "status": status}  # fmt: skip
        events.append(made)


def title_of(world: Company, rng: random.Random) -> str:
    kind, form = rng.choice(KINDS), rng.random()
    if form < 0.25:
        return kind
    if form < 0.6:
        return f"{kind} {rng.choice(world.people).department}"
    return f"{kind} with {rng.choice(world.firms).name}"


def _away(world: Company, rng: random.Random) -> list[Item]:
    spans = ((-20, -16), (12, 16), (70, 81))
    return [
        {
            "id": f"a{index + 1}",
            "first": world.day(first + shift),
            "last": world.day(last + shift),
            "reason": rng.choice(REASONS),
        }
        for index, (first, last) in enumerate(spans)
        for shift in (rng.randint(0, 4),)
    ]
