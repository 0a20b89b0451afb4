"""Reads what people and agents write into the calendar's forms and tools. Raises Refused."""

from __future__ import annotations

import re
from datetime import date

from envs.gyms.kit.company import Company
from envs.gyms.kit.locale import FIRST_YEAR, LAST_YEAR
from envs.gyms.server.gym import Refused, State

DAY_EXAMPLE = "A day must be a date such as 2026-03-05"


def parse_clock(text: str, label: str) -> str:
    """ "9:30" as "09:30"."""
    match = re.fullmatch(r"([0-9]{1,2}):([0-9]{2})", text.strip())
    if match is None or int(match[1]) > 23 or int(match[2]) > 59:
        raise Refused(f"{label} must be a time such as 09:30")
    return f"{int(match[1]):02d}:{match[2]}"


def parse_day(text: str) -> str:
    """An ISO date as it is."""
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise Refused(DAY_EXAMPLE) from error
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise Refused(DAY_EXAMPLE)
    return day.isoformat()


def parse_attendees(world: Company, text: str) -> list[str]:
    """Ids of the people whose names stand in the text, separated by commas; not the user's."""
    people_by_name = {person.name.lower(): person for person in world.people}
    ids = set()
    for name in (part.strip() for part in text.split(",") if part.strip()):
        person = people_by_name.get(" ".join(name.lower().split()))
        if person is None:
            raise Refused(f"There is nobody called {name[:40]}")
        if person.id == world.user.id:
            raise Refused("You attend your own events anyway: leave yourself out")
        ids.add(person.id)
    return [person.id for person in world.people if person.id in ids]


def parse_room(state: State, name: str) -> str:
    """The id of the room with this name; "" for no name."""
    for room in state["rooms"]:
        if room["name"] == name:
            return str(room["id"])
    if name:
        raise Refused(f"There is no room {name[:40]}")
    return ""
