"""What the calendar allows. Each rule changes the app's state, or raises Refused or NotFound."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from envs.gyms.calendar.data import (
    ANSWERS,
    CLOSES,
    DECLINED,
    ENDS,
    FIRST_DAYS,
    NEVER,
    OPENS,
    REASONS,
    REMINDERS,
    REPEATS,
    STARTS,
    Item,
    clashes,
    clock,
    event,
    minutes,
    next_number,
    occurrences,
)
from envs.gyms.gym import Refused, State
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import one

MOST_TIMES = 12


def room_named(state: State, name: str) -> str:
    """The id of a room; none for no name. Raises Refused."""
    for room in state["rooms"]:
        if room["name"] == name:
            return str(room["id"])
    if name:
        raise Refused(f"There is no room {name[:40]}")
    return ""


def mine(world: Company, state: State) -> list[Item]:
    """What stands in the user's calendar, in order of time."""
    me = world.user.id
    found = [
        e for e in state["events"]
        if (e["organizer"] == me or me in e["people"]) and not e["hidden"]
    ]  # fmt: skip
    return sorted(found, key=lambda e: (e["date"], e["start"], int(e["id"][1:])))


def read_clock(text: str, label: str) -> str:
    """ "9:30" as "09:30". Raises Refused."""
    found = re.fullmatch(r"([0-9]{1,2}):([0-9]{2})", text.strip())
    if found is None or int(found[1]) > 23 or int(found[2]) > 59:
        raise Refused(f"{label} must be a time such as 09:30")
    return f"{int(found[1]):02d}:{found[2]}"


def read_day(text: str) -> str:
    """An ISO date as it is. Raises Refused."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise Refused("A day must be a date such as 2026-03-05") from error


def read_people(world: Company, text: str) -> list[str]:
    """Ids of the people whose names stand in the text, separated by commas. Raises Refused."""
    by_name = {person.name.lower(): person for person in world.people}
    chosen = set()
    for name in (part.strip() for part in text.split(",") if part.strip()):
        person = by_name.get(" ".join(name.lower().split()))
        if person is None:
            raise Refused(f"There is nobody called {name[:40]}")
        if person.id == world.user.id:
            raise Refused("You attend your own events anyway: leave yourself out")
        chosen.add(person.id)
    return [person.id for person in world.people if person.id in chosen]


def check_time(world: Company, day: str, start: str, end: str) -> None:
    if end <= start:
        raise Refused("End must be after Start")
    if start < OPENS or end > CLOSES:
        raise Refused(f"Events lie between {OPENS} and {CLOSES}")
    if day < world.today:
        raise Refused("Date must not be in the past")


def check_room(state: State, one_event: Item) -> None:
    """A room has to be large enough, and free but for this very event."""
    if not one_event["room"]:
        return
    room, heads = one(state, "rooms", one_event["room"]), len(one_event["people"]) + 1
    if room["capacity"] < heads:
        raise Refused(f"{room['name']} seats {room['capacity']}, but {heads} people attend")
    day, start, end = one_event["date"], one_event["start"], one_event["end"]
    for other in clashes(state["events"], one_event["room"], day, start, end):
        if other["id"] != one_event["id"]:
            raise Refused(f"{room['name']} is booked from {other['start']} to {other['end']}")


def own(world: Company, state: State, key: str) -> Item:
    """An event that the user may change. Raises Refused."""
    found = one(state, "events", key)
    if found["organizer"] != world.user.id:
        raise Refused("Only the organizer can change this event")
    if found["date"] < world.today:
        raise Refused("This event is over")
    return found


def create(
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
    """The first one, if it repeats."""
    check_time(world, day, start, end)
    if repeat not in REPEATS:
        raise Refused("Choose one: Repeat")
    if repeat != NEVER and not 2 <= times <= MOST_TIMES:
        raise Refused(f"Times must be from 2 to {MOST_TIMES} for an event that repeats")
    number = next_number(state["events"])
    known = [int(e["series"][1:]) for e in state["events"] if e["series"]]
    series = None if repeat == NEVER else f"s{1 + max(known, default=0)}"
    made = []
    for index, at in enumerate(occurrences(day, repeat, times)):
        item = event(number + index, title, at, start, end, world.user.id)
        item |= {"room": room, "people": list(people), "repeat": repeat, "series": series,
                 "notes": notes}  # fmt: skip
        check_room(state, item)
        made.append(item)
    state["events"] += made
    return made[0]


def edit(
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
    """Of a series, this one occurrence."""
    found = own(world, state, key)
    check_time(world, day, start, end)
    changed = {"title": title, "date": day, "start": start, "end": end, "room": room,
               "people": list(people), "notes": notes}  # fmt: skip
    check_room(state, found | changed)
    found |= changed


def move(world: Company, state: State, key: str, day: str) -> None:
    found = own(world, state, key)
    check_time(world, day, found["start"], found["end"])
    check_room(state, found | {"date": day})
    found["date"] = day


def set_people(world: Company, state: State, key: str, person: str, comes: bool) -> None:
    found = own(world, state, key)
    if (person in found["people"]) == comes or person == world.user.id:
        raise Refused("This person is invited already" if comes else "This person is not invited")
    kept = [p.id for p in world.people if p.id in found["people"] or p.id == person]
    people = kept if comes else [p for p in kept if p != person]
    check_room(state, found | {"people": people})
    found["people"] = people


def cancel(world: Company, state: State, key: str, whole: bool = False) -> None:
    """One event, or all that is to come of its series."""
    found = own(world, state, key)
    state["events"][:] = [
        e for e in state["events"]
        if e is not found
        and not (whole and found["series"] is not None and e["series"] == found["series"]
                 and e["date"] >= world.today)
    ]  # fmt: skip


def answer(world: Company, state: State, key: str, said: str, comment: str) -> None:
    found = guest(world, state, key)
    if said not in ANSWERS:
        raise Refused("Choose one: Answer")
    found |= {"status": ANSWERS[said], "comment": comment}


def hide(world: Company, state: State, key: str) -> None:
    """Takes an invitation out of the calendar; its organizer learns nothing of it."""
    guest(world, state, key)["hidden"] = True


def guest(world: Company, state: State, key: str) -> Item:
    """An event of somebody else that the user is invited to. Raises Refused."""
    found = one(state, "events", key)
    if world.user.id not in found["people"]:
        raise Refused("You are not invited to this event")
    if found["date"] < world.today:
        raise Refused("This event is over")
    return found


def gaps(state: State, room: str, day: str) -> list[tuple[str, str]]:
    """When a room is free."""
    at, found = OPENS, []
    for start, end in sorted(
        (e["start"], e["end"]) for e in state["events"] if e["room"] == room and e["date"] == day
    ):
        if start > at:
            found.append((at, start))
        at = max(at, end)
    return [*found, (at, CLOSES)] if at < CLOSES else found


def free_rooms(state: State, day: str, start: str, end: str, heads: int) -> list[Item]:
    """Rooms that seat so many and are free then."""
    return [
        room for room in state["rooms"]
        if room["capacity"] >= heads and not clashes(state["events"], room["id"], day, start, end)
    ]  # fmt: skip


def first_free_hour(state: State, room: str, day: str) -> str | None:
    found = [a for a, b in gaps(state, room, day) if minutes(b) - minutes(a) >= 60]
    return found[0] if found else None


def later(start: str, by: int) -> str:
    return min(clock(minutes(start) + by), CLOSES)


def set_away(
    world: Company, state: State, key: str | None, first: str, last: str, reason: str,
    declines: bool = False,
) -> Item:  # fmt: skip
    """Enters days out of office, or changes those of `key`. `declines`: the invitations of these
    days too."""
    if last < first:
        raise Refused("Last day must not be before First day")
    if first < world.today:
        raise Refused("First day must not be in the past")
    if reason not in REASONS:
        raise Refused("Choose one: Reason")
    if any(a["first"] <= last and first <= a["last"] and a["id"] != key for a in state["away"]):
        raise Refused("You are out of office on some of these days already")
    if key is None:
        item: Item = {"id": f"a{next_number(state['away'])}"}
        state["away"].append(item)
    else:
        item = one(state, "away", key)
    item |= {"first": first, "last": last, "reason": reason}
    for found in mine(world, state) if declines else ():
        if first <= found["date"] <= last and found["organizer"] != world.user.id:
            found["status"] = DECLINED
    return item


def drop_away(state: State, key: str) -> None:
    state["away"].remove(one(state, "away", key))


def set_settings(state: State, starts: str, ends: str, week: str, reminder: str) -> None:
    for value, options in ((starts, STARTS), (ends, ENDS), (week, FIRST_DAYS),
                           (reminder, REMINDERS)):  # fmt: skip
        if value not in options:
            raise Refused("Choose one of the options")
    state["settings"] |= {"starts": starts, "ends": ends, "week": week, "reminder": reminder}
