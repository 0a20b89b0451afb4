"""What the calendar's templates draw, and the ways to an event and to a day that they share."""

from __future__ import annotations

import random
from collections.abc import Callable

from envs.actions import Tool
from envs.gyms.calendar import rules
from envs.gyms.calendar.app import in_list, month_name
from envs.gyms.calendar.data import DECLINED, Item, clashes, slot, work_day
from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.template import Params, Redraw, saw
from envs.gyms.view import Page

AGENDA = ("agenda", saw("calendar:agenda"))
EVENT = ("event", saw("calendar:event:{event}"))
MOST_HITS = 16
"""What an event's title finds fits two pages of a list."""


def mine(state: State) -> State:
    part: State = state["calendar"]
    return part


def coming(world: Company, state: State) -> list[Item]:
    """The user's events from tomorrow on that nothing else of the calendar is mistaken for."""
    events = [e for e in rules.mine(world, mine(state)) if e["date"] >= world.today]
    keys = [(e["title"], e["date"]) for e in events]
    titles = [e["title"].lower() for e in events]

    def hits(title: str) -> int:
        return sum(all(word in t for word in title.lower().split()) for t in titles)

    return [
        e
        for e, key in zip(events, keys, strict=True)
        if keys.count(key) == 1 and e["date"] > world.today and hits(e["title"]) <= MOST_HITS
    ]


def an_event(
    world: Company, rng: random.Random, state: State, fits: Callable[[Item], bool]
) -> Item:
    found = [e for e in coming(world, state) if fits(e)]
    if not found:
        raise Redraw("no event fits")
    return rng.choice(found)


def own(world: Company) -> Callable[[Item], bool]:
    return lambda e: bool(e["organizer"] == world.user.id)


def event_params(world: Company, event: Item) -> Params:
    return {
        "event": event["id"], "title": event["title"], "day": event["date"],
        "date": world.look.date(event["date"]), "label": in_list(world.look, event),
    }  # fmt: skip


def free_slot(world: Company, rng: random.Random, state: State, heads: int) -> Params:
    """A time, and a room that is free then and large enough."""
    day, (start, end) = work_day(world, rng, 2, 40), slot(rng)
    room = rng.choice([r for r in mine(state)["rooms"] if r["capacity"] >= heads])
    if clashes(mine(state)["events"], room["id"], day, start, end):
        raise Redraw("the room is booked then")
    return {
        "to_day": day, "to_date": world.look.date(day), "start": start, "end": end,
        "room": room["id"], "room_name": room["name"],
    }  # fmt: skip


def some_people(world: Company, rng: random.Random, count: int) -> Params:
    others = [person for person in world.people if person.id != world.user.id]
    chosen = rng.sample(others, count)
    ids = [person.id for person in world.people if person in chosen]
    return {"people": ids, "names": ", ".join(person.name for person in chosen)}


def meetings(world: Company, state: State, day: str) -> int:
    """How many the user has on a day and did not decline."""
    events = rules.mine(world, mine(state))
    return sum(e["date"] == day and e["status"] != DECLINED for e in events)


def days_with_meetings(world: Company, state: State, least: int) -> list[str]:
    """Days of this and the next month."""
    days = [world.day(offset) for offset in range(28)]
    return [day for day in days if meetings(world, state, day) >= least]


def day_params(world: Company, key: str, day: str) -> Params:
    return {key: day, f"{key}_date": world.look.date(day), f"{key}_month": month_name(day),
            f"{key}_number": str(int(day[8:]))}  # fmt: skip


def to_event(page: Page, p: Params) -> ways.Way:
    page = yield from ways.go(page, "Agenda")
    page = yield from ways.search(page, p["title"])
    return (yield from ways.open_item(page, p["label"]))


def to_month(page: Page, name: str) -> ways.Way:
    for _ in range(4):
        if page.heading(name):
            break
        page = yield from ways.open_link(page, f"I look for {name}", "Next month")
    return page


def to_day(page: Page, p: Params, key: str) -> ways.Way:
    page = yield from to_month(page, p[f"{key}_month"])
    return (yield from ways.open_link(page, f"see {p[f'{key}_date']}", p[f"{key}_number"]))


def count_shown(page: Page, date: str) -> int:
    """Meetings on a day's page."""
    shown = [line for line in page.of("link") if f" on {date} at " in line.name]
    out = [line for line in page.lines if line.ref is None and line.name == DECLINED]
    return len(shown) - len(out)


def creates(p: Params) -> list[Tool]:
    arguments = {
        "title": p["new_title"], "day": p["to_day"], "start": p["start"], "end": p["end"],
        "room": p["room_name"], "attendees": p.get("names", ""),
        "repeat": p.get("repeat", "Never"), "times": p.get("times", 1),
    }  # fmt: skip
    return [Tool(name="calendar.create_event", arguments=arguments)]


def expect_created(world: Company, p: Params, state: State) -> None:
    rules.create(
        world, mine(state), p["new_title"], p["to_day"], p["start"], p["end"], p["room"],
        p.get("people", ()), p.get("repeat", "Never"), p.get("times", 1),
    )  # fmt: skip
