"""Tasks on rooms, days out of office and settings."""

from __future__ import annotations

import random

from envs.actions import Tool
from envs.gyms.calendar import rules
from envs.gyms.calendar.data import (
    BUILDINGS,
    ENDS,
    REASONS,
    STARTS,
    Item,
    event,
    minutes,
    next_number,
    slot,
    work_day,
)
from envs.gyms.calendar.drawing import creates, expect_created, mine
from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template, saw
from envs.gyms.view import Page

ROOMS = ("rooms", saw("calendar:rooms"))
AWAY = ("away", saw("calendar:away"))
VISITS = ("Plant tour", "Customer visit", "Board visit", "Student visit", "Open house")


def _book(part: State, by: str, room: str, day: str, start: str, end: str) -> None:
    """A room's booking by somebody else."""
    made = event(next_number(part["events"]), "Town hall", day, start, end, by)
    part["events"].append(made | {"room": room})


def _somebody(world: Company) -> str:
    return next(person.id for person in world.people if person.id != world.user.id)


# Rooms.


def _is_puzzling(part: State, room: Item, day: str) -> bool:
    """The room's first gap is too short for an hour, and a later one is not."""
    found = rules.gaps(part, room["id"], day)
    return bool(
        found
        and minutes(found[0][1]) - minutes(found[0][0]) < 60
        and rules.first_free_hour(part, room["id"], day)
    )


def _prepare_gaps(world: Company, rng: random.Random, state: State) -> None:
    part, day = mine(state), work_day(world, rng, 2, 30)
    booked = {e["room"] for e in part["events"] if e["date"] == day}
    room = rng.choice([r["id"] for r in part["rooms"] if r["id"] not in booked])
    first = rng.choice(("08:00", "08:30"))
    _book(part, _somebody(world), room, day, first, "09:30")
    _book(part, _somebody(world), room, day, "10:00", rng.choice(("11:00", "11:30", "12:00")))


def _draw_gap(world: Company, rng: random.Random, state: State) -> Params:
    part, days = mine(state), [world.day(offset) for offset in range(1, 32)]
    fits = [(r, day) for r in part["rooms"] for day in days if _is_puzzling(part, r, day)]
    room, day = rng.choice(fits)
    return {"room": room["id"], "name": room["name"], "day": day, "date": world.look.date(day)}


def _first_hour(world: Company, p: Params, before: State) -> str:
    return rules.first_free_hour(mine(before), p["room"], p["day"]) or ""


def _find_hour(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Rooms")
    page = yield from ways.search(page, p["name"])
    page = yield from ways.open_item(page, p["name"])
    page = yield from ways.fill(page, {"Day": p["date"]})
    page = yield from ways.press(page, "that day", "Show day")
    for line in page.of("link"):
        start, between, end = line.name.removeprefix("Book ").partition(" to ")
        if line.name.startswith("Book ") and between and minutes(end) - minutes(start) >= 60:
            return start
    return None


def _largest(part: State, building: str) -> list[Item]:
    """Rooms with video, the largest first."""
    fits = [r for r in part["rooms"] if r["building"] == building and "Video" in r["equipment"]]
    return sorted(fits, key=lambda r: int(r["capacity"]), reverse=True)


def _prepare_largest(world: Company, rng: random.Random, state: State) -> None:
    """In one building two rooms of different size have video."""
    rooms: list[Item] = sorted(mine(state)["rooms"], key=lambda r: r["capacity"])
    for room in (rooms[3], rooms[-1]):
        room |= {"building": BUILDINGS[0], "equipment": ["Phone", "Video"]}


def _draw_largest(world: Company, rng: random.Random, state: State) -> Params:
    building = rng.choice(BUILDINGS)
    found = _largest(mine(state), building)
    if len(found) < 2 or found[0]["capacity"] == found[1]["capacity"]:
        raise Redraw("no building has one largest room with video")
    return {"building": building, "names": sorted(room["name"] for room in found)}


def _find_largest(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Rooms")
    page = yield from ways.narrow(page, "Building", p["building"])
    page = yield from ways.narrow(page, "Video", "Yes")
    page = yield from ways.narrow(page, "Sort", "Largest", "the largest first")
    return next(line.name for line in page.of("link") if line.name in p["names"])


def _visit(world: Company, rng: random.Random, day: str, start: str, end: str) -> Params:
    return {"new_title": rng.choice(VISITS), "to_day": day, "to_date": world.look.date(day),
            "start": start, "end": end}  # fmt: skip


def _draw_smallest(world: Company, rng: random.Random, state: State) -> Params:
    day, (start, end) = work_day(world, rng, 2, 40), slot(rng)
    heads = rng.choice((3, 5, 7, 9, 11, 13, 15))
    fits = rules.free_rooms(mine(state), day, start, end, heads)
    fits.sort(key=lambda room: room["capacity"])
    if len(fits) < 2 or fits[0]["capacity"] == fits[1]["capacity"]:
        raise Redraw("no time has one smallest free room")
    return _visit(world, rng, day, start, end) | {
        "heads": heads, "room": fits[0]["id"], "room_name": fits[0]["name"],
    }  # fmt: skip


def _full_time(world: Company) -> tuple[str, str, str, int]:
    """When all rooms that seat so many are booked."""
    rng = world.rng("calendar full")
    day, (start, end) = work_day(world, rng, 2, 40), slot(rng)
    return day, start, end, rng.choice((13, 15, 18, 22))


def _prepare_full(world: Company, rng: random.Random, state: State) -> None:
    day, start, end, heads = _full_time(world)
    for room in rules.free_rooms(mine(state), day, start, end, heads):
        _book(mine(state), _somebody(world), room["id"], day, start, end)


def _draw_full(world: Company, rng: random.Random, state: State) -> Params:
    day, start, end, heads = _full_time(world)
    return _visit(world, rng, day, start, end) | {"heads": heads}


def _book_smallest(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Rooms")
    page = yield from ways.open_link(page, "by time and size", "Find a free room")
    fields = {"Date": p["to_date"], "From": p["start"], "To": p["end"], "People": str(p["heads"])}
    page = yield from ways.fill(page, fields)
    page = yield from ways.press(page, "which ones are free", "Find rooms")
    if page.says("No room of that size") is not None:
        raise GiveUp("no room of that size is free then")
    page = yield from ways.open_link(page, "the smallest one", f"Book {p['room_name']}")
    page = yield from ways.fill(page, {"Title": p["new_title"]})
    yield from ways.press(page, "book it", "Create event")
    return None


def _book_calls(p: Params) -> list[Tool]:
    asked = {"day": p["to_day"], "start": p["start"], "end": p["end"], "people": p["heads"]}
    return [Tool(name="calendar.free_rooms", arguments=asked), *creates(p)]


BOOKING = (
    "Book the smallest free room that seats {heads} on {to_date} from {start} to {end} and call "
    'the event "{new_title}", without attendees. If there is none, say that it cannot be done.',
    '{heads} visitors come on {to_date}, {start} to {end}. Make an event "{new_title}" then in '
    "the smallest room that is free and large enough; invite nobody. Tell me if none is.",
    'I need a room for {heads} people on {to_date} from {start} to {end}, the smallest that fits. '
    'Book it as "{new_title}" with no attendees, or say that no such room is free.',
)  # fmt: skip


# Days out of office, settings.


def _is_free(part: State, first: str, last: str, but: str = "") -> bool:
    return not any(
        a["first"] <= last and first <= a["last"] and a["id"] != but for a in part["away"]
    )


def _draw_away(world: Company, rng: random.Random, state: State) -> Params:
    first = rng.randint(2, 50)
    last = first + rng.randint(1, 6)
    if not _is_free(mine(state), world.day(first), world.day(last)):
        raise Redraw("all days are out of office already")
    return {
        "first": world.day(first), "last": world.day(last), "reason": rng.choice(REASONS[1:]),
        "first_date": world.look.date(world.day(first)),
        "last_date": world.look.date(world.day(last)),
    }  # fmt: skip


def _go_away(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Out of office")
    page = yield from ways.open_link(page, "a new entry", "Enter days")
    page = yield from ways.fill(page, {
        "First day": p["first_date"], "Last day": p["last_date"], "Reason": p["reason"],
        "Decline all invitations of these days": True,
    })  # fmt: skip
    yield from ways.press(page, "save it", "Save days")
    return None


def _draw_longer(world: Company, rng: random.Random, state: State) -> Params:
    part = mine(state)
    found = rng.choice([a for a in part["away"] if a["first"] > world.today])
    days = [world.day(offset) for offset in range(3, 110)]
    later = [d for d in days if d > found["last"] and _is_free(part, found["first"], d,
                                                               found["id"])]  # fmt: skip
    last, day = rng.choice(later[:9]), world.look.date
    return {
        "away": found["id"], "first": found["first"], "last": last, "reason": found["reason"],
        "first_date": day(found["first"]), "old_date": day(found["last"]), "last_date": day(last),
    }  # fmt: skip


def _stay_longer(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Out of office")
    page = yield from ways.open_item(page, f"{p['first_date']} to {p['old_date']}")
    page = yield from ways.fill(page, {"Last day": p["last_date"]})
    yield from ways.press(page, "save it", "Save days")
    return None


def _draw_hours(world: Company, rng: random.Random, state: State) -> Params:
    now = mine(state)["settings"]
    return {
        "starts": rng.choice([at for at in STARTS if at != now["starts"]]),
        "ends": rng.choice([at for at in ENDS if at != now["ends"]]),
        "week": now["week"], "reminder": now["reminder"],
    }  # fmt: skip


def _set_hours(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Settings")
    page = yield from ways.fill(page, {"Work starts": p["starts"], "Work ends": p["ends"]})
    yield from ways.press(page, "save it", "Save settings")
    return None


PLACE_TEMPLATES = (
    Template(
        "first_free_hour", ("search", "date", "compare", "answer"), 7,
        ("From what time on is the room {name} free for a whole hour on {date}? Give the earliest "
         "time, such as 09:30.",
         "When does the first free hour of the room {name} begin on {date}? Answer like 09:30.",
         "Find the earliest time on {date} at which {name} is free for 60 minutes (as 09:30)."),
        _draw_gap, _find_hour, (ROOMS, ("day", saw("calendar:room:{room}:{day}")), FINISHED),
        answer=_first_hour, prepare=_prepare_gaps,
    ),
    Template(
        "largest_room", ("filter", "sort", "compare", "answer"), 9,
        ("Which room with video in {building} has the most seats?",
         "Name the largest room of {building} that has video.",
         "In {building}, which of the rooms with video seats the most people?"),
        _draw_largest, _find_largest, (ROOMS, FINISHED),
        answer=lambda world, p, before: str(_largest(mine(before), p["building"])[0]["name"]),
        prepare=_prepare_largest,
    ),
    Template(
        "book_smallest", ("compare", "form", "date", "multi-step"), 12, BOOKING,
        _draw_smallest, _book_smallest,
        (ROOMS, ("free rooms", saw("calendar:rooms-on:{to_day}")), FINISHED), expect_created,
        calls=_book_calls,
    ),
    Template(
        "no_room", ("form", "date", "refuse"), 9, BOOKING, _draw_full, _book_smallest,
        (ROOMS, ("free rooms", saw("calendar:rooms-on:{to_day}")), FINISHED),
        prepare=_prepare_full, infeasible=True, must_see=("calendar:rooms-on:{to_day}",),
    ),
    Template(
        "out_of_office", ("form", "date"), 9,
        ("Enter {first_date} to {last_date} as out of office ({reason}) and have all invitations "
         "of these days declined.",
         "I am out of office from {first_date} to {last_date}, reason {reason}. Enter it so that "
         "all invitations of these days are declined.",
         "Out of office, {reason}: {first_date} until {last_date}. Enter these days, and let the "
         "calendar decline all invitations of these days."),
        _draw_away, _go_away, (AWAY, FINISHED),
        lambda world, p, state: rules.set_away(
            world, mine(state), None, p["first"], p["last"], p["reason"], declines=True
        ),
    ),
    Template(
        "longer_away", ("date", "form"), 6,
        ("My days out of office from {first_date} to {old_date} last until {last_date}. Change the "
         "entry.",
         "Extend the out-of-office days that begin on {first_date} to {last_date}.",
         "The entry out of office from {first_date} to {old_date} is too short: its last day is "
         "{last_date}."),
        _draw_longer, _stay_longer, (AWAY, FINISHED),
        lambda world, p, state: rules.set_away(
            world, mine(state), p["away"], p["first"], p["last"], p["reason"]
        ),
    ),
    Template(
        "working_hours", ("form",), 6,
        ("Set my working hours to {starts} until {ends}.",
         "From now on I work from {starts} to {ends}. Change the settings.",
         "Change the settings: work starts at {starts} and ends at {ends}."),
        _draw_hours, _set_hours, (("settings", saw("calendar:settings")), FINISHED),
        lambda world, p, state: rules.set_settings(
            mine(state), p["starts"], p["ends"], p["week"], p["reminder"]
        ),
    ),
)  # fmt: skip
