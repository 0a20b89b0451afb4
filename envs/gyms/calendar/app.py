"""The calendar's pages of time: month, week, day, agenda, invitations, and each event's own."""

from __future__ import annotations

import random
import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from markupsafe import Markup

from envs.gyms.calendar import rules
from envs.gyms.calendar.data import (
    ANSWERS,
    DECLINED,
    FIRST_DAYS,
    INVITED,
    NEVER,
    REMINDERS,
    REPEATS,
    STATUSES,
    Item,
    fresh,
)
from envs.gyms.calendar.tools import TOOLS
from envs.gyms.gym import NotFound, Refused, State
from envs.gyms.kit.frame import page
from envs.gyms.kit.here import App, Here
from envs.gyms.kit.html import (
    Child,
    Field,
    badge,
    button,
    confirm,
    details,
    dragged,
    el,
    form,
    join,
    link,
    menu,
    note,
    section,
)
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.look import MONTHS, Look
from envs.gyms.kit.records import one
from envs.gyms.pages import Redirect

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
IN_CELL = 2
"""Events that a day of the month grid shows."""


def _stray(state: State, rng: random.Random) -> None:
    mine = state["settings"]
    mine["reminder"] = rng.choice([r for r in REMINDERS if r != mine["reminder"]])


CALENDAR = App(
    "calendar",
    "Calendar",
    (("Month", "/"), ("Agenda", "/agenda"), ("Invitations", "/invitations"), ("Rooms", "/rooms"),
     ("Out of office", "/away"), ("Settings", "/settings")),
    fresh,
    _stray,
    TOOLS,
)  # fmt: skip


def month_name(day: str) -> str:
    return f"{MONTHS[int(day[5:7]) - 1]} {day[:4]}"


def in_cell(event: Item) -> str:
    """What the month grid calls an event."""
    return f"{int(event['date'][8:])}: {event['start']} {event['title']}"


def in_list(look: Look, event: Item) -> str:
    """What lists call an event."""
    return f"{event['title']} on {look.date(event['date'])} at {event['start']}"


def event_link(here: Here, event: Item) -> Markup:
    return link(event["title"], here.url(f"/events/{event['id']}"), in_list(here.look, event))


def _iso(text: str) -> str:
    """A day of an address. Raises NotFound."""
    if here_it_is := re.fullmatch(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}", text):
        try:
            return date.fromisoformat(here_it_is[0]).isoformat()
        except ValueError:
            pass
    raise NotFound(f"There is no day {text[:20]}")


def _room_name(here: Here, event: Item) -> str:
    if not event["room"]:
        return "No room"
    return str(one(here.state, "rooms", event["room"])["name"])


def _not_declined(here: Here) -> list[Item]:
    return [e for e in rules.mine(here.world, here.state) if e["status"] != DECLINED]


def _is_away(here: Here, day: str) -> bool:
    return any(a["first"] <= day <= a["last"] for a in here.state["away"])


@CALENDAR.get("/")
def month(here: Here) -> str:
    asked = here.query.get("month", "")
    shown = asked if re.fullmatch(r"20[0-9]{2}-(0[1-9]|1[0-2])", asked) else here.world.today[:7]
    here.note(f"month:{shown}")
    first = date.fromisoformat(f"{shown}-01")
    days = [
        first.replace(day=number).isoformat()
        for number in range(1, monthrange(first.year, first.month)[1] + 1)
    ]
    back, on = first - timedelta(days=1), first + timedelta(days=31)
    start = FIRST_DAYS.index(here.state["settings"]["week"])
    blanks = (first.weekday() + start) % 7
    events = _not_declined(here)
    row = el(
        "div", link("Previous month", here.url(f"/?month={back.isoformat()[:7]}")),
        link("Next month", here.url(f"/?month={on.isoformat()[:7]}")),
        link("This week", here.url(f"/week/{here.world.today}")),
        link("New event", here.url("/events/new")), class_="row",
    )  # fmt: skip
    names = [el("div", WEEKDAYS[(index - start) % 7]) for index in range(7)]
    cells = [_cell(here, day, [e for e in events if e["date"] == day]) for day in days]
    grid = el("div", names, [el("div") for _ in range(blanks)], cells, class_="month")
    return page(here, "Month", row, grid, heading=month_name(shown))


def _cell(here: Here, day: str, events: list[Item]) -> Markup:
    number, rest = str(int(day[8:])), len(events) - IN_CELL
    url = here.url(f"/day/{day}")
    more = link(f"+{rest}", url, f"{number}: {rest} more") if rest > 0 else None
    head = el("div", el("b", link(number, url)), " ", more,
              " away" if _is_away(here, day) else None)  # fmt: skip
    entries = [_entry(here, event) for event in events[:IN_CELL]]
    return el("div", head, entries, class_="day", data_drop=day)


def _entry(here: Here, event: Item) -> Markup:
    """The user's own events can be dragged to another day."""
    url = here.url(f"/events/{event['id']}")
    shown = link(f"{event['start']} {event['title']}", url, in_cell(event))
    if event["organizer"] != here.world.user.id or event["date"] < here.world.today:
        return el("div", shown, class_="entry")
    carried = dragged(here, f"{url}/move")
    return el("div", shown, carried, class_="entry", draggable="true", data_card=event["id"])


@CALENDAR.get("/week/{day}")
def week(here: Here, day: str) -> str:
    at = date.fromisoformat(_iso(day))
    start = FIRST_DAYS.index(here.state["settings"]["week"])
    first = at - timedelta(days=(at.weekday() + start) % 7)
    days = [(first + timedelta(days=index)).isoformat() for index in range(7)]
    events = _not_declined(here)
    rows = [
        el("tr", el("td", link(here.look.date(one), here.url(f"/day/{one}"))),
           el("td", [el("div", e["start"], " ", event_link(here, e))
                     for e in events if e["date"] == one]))
        for one in days
    ]  # fmt: skip
    row = el(
        "div", link("Previous week", here.url(f"/week/{(first - timedelta(days=7)).isoformat()}")),
        link("Next week", here.url(f"/week/{(first + timedelta(days=7)).isoformat()}")),
        class_="row",
    )  # fmt: skip
    return page(here, "Week", row, el("table", rows),
                heading=f"Week from {here.look.date(days[0])}")  # fmt: skip


@CALENDAR.get("/day/{day}")
def one_day(here: Here, day: str) -> str:
    here.note(f"day:{_iso(day)}")
    at = date.fromisoformat(day)
    events = [e for e in rules.mine(here.world, here.state) if e["date"] == day]
    rows = [
        el("tr", el("td", f"{e['start']} to {e['end']}"), el("td", event_link(here, e)),
           el("td", _room_name(here, e)), el("td", badge(e["status"])))
        for e in events
    ]  # fmt: skip
    away = [a for a in here.state["away"] if a["first"] <= day <= a["last"]]
    row = el(
        "div", link("Previous day", here.url(f"/day/{(at - timedelta(days=1)).isoformat()}")),
        link("Next day", here.url(f"/day/{(at + timedelta(days=1)).isoformat()}")),
        link("Whole month", here.url(f"/?month={day[:7]}")),
        link("New event on this day", here.url(f"/events/new?day={day}")), class_="row",
    )  # fmt: skip
    return page(
        here, "Day", row,
        details(("Weekday", WEEKDAYS[at.weekday()]),
                *[("Out of office", a["reason"]) for a in away]),
        el("table", rows) if rows else note("Nothing on this day"),
        heading=here.look.date(day),
    )  # fmt: skip


def _listing(here: Here, statuses: Sequence[str] = STATUSES) -> Listing:
    people = {person.id: person.name for person in here.world.people}
    columns = (
        Column("Date", lambda e: here.look.date(e["date"])),
        Column("Time", lambda e: f"{e['start']} to {e['end']}"),
        Column("Event", lambda e: event_link(here, e)),
        Column("Room", lambda e: _room_name(here, e)),
        Column("Organizer", lambda e: people[e["organizer"]]),
        Column("Status", lambda e: badge(e["status"])),
    )
    return Listing(
        columns=columns,
        words=lambda e: f"{e['title']} {_room_name(here, e)} {people[e['organizer']]}",
        sorts=(
            Sort("Soonest", lambda e: (e["date"], e["start"], e["id"])),
            Sort("Latest", lambda e: (e["date"], e["start"], e["id"]), descending=True),
            Sort("Title", lambda e: (e["title"], e["date"], e["start"])),
        ),
        filters=(
            Filter("status", "Status", statuses, lambda e: e["status"]),
            Filter("repeat", "Repeats", REPEATS, lambda e: e["repeat"]),
        ),
        empty="No events. Try another search",
    )


@CALENDAR.get("/agenda")
def agenda(here: Here) -> str:
    here.note("agenda")
    events = [e for e in rules.mine(here.world, here.state) if e["date"] >= here.world.today]
    row = el("div", link("New event", here.url("/events/new")),
             link("Past events", here.url("/agenda/past")), class_="row")  # fmt: skip
    return page(here, "Agenda", row, _listing(here).show(here, events))


@CALENDAR.get("/agenda/past")
def past(here: Here) -> str:
    events = [e for e in rules.mine(here.world, here.state) if e["date"] < here.world.today]
    return page(here, "Past events", _listing(here).show(here, events))


@CALENDAR.get("/invitations")
def invitations(here: Here) -> str:
    here.note("invitations")
    events = [
        e for e in rules.mine(here.world, here.state)
        if e["status"] == INVITED and e["date"] >= here.world.today
    ]  # fmt: skip
    return page(here, "Invitations", note("Not answered yet"),
                _listing(here, (INVITED,)).show(here, events))  # fmt: skip


def _event_fields(here: Here, event: Item, day: str) -> list[Field]:
    people = [here.world.person(key).name for key in event["people"]]
    rooms = [("", "No room"), *[(r["id"], r["name"]) for r in here.state["rooms"]]]
    return [
        Field("title", "Title", value=event["title"]),
        Field("day", "Date", "date", day),
        Field("start", "Start", value=event["start"]),
        Field("end", "End", value=event["end"]),
        Field("room", "Room", "choice", event["room"], rooms),
        Field("people", "Attendees", value=", ".join(people), hint="full names, with commas"),
        Field("notes", "Notes", value=event["notes"]),
    ]


def _sent(here: Here) -> dict[str, Any]:
    """What an event's form says. Raises Refused."""
    rooms = ["", *[room["id"] for room in here.state["rooms"]]]
    return {
        "title": here.required("title", "Title", 80),
        "day": here.day("day", "Date"),
        "start": rules.read_clock(here.required("start", "Start"), "Start"),
        "end": rules.read_clock(here.required("end", "End"), "End"),
        "room": here.choice("room", "Room", rooms),
        "people": rules.read_people(here.world, here.form.get("people", "")),
        "notes": " ".join(here.form.get("notes", "").split())[:200],
    }


@CALENDAR.get("/events/new")
def event_new(here: Here) -> str:
    here.note("new")
    asked, first = here.query, here.state["settings"]["starts"]
    start = asked.get("start", first)
    blank: Item = {"title": "", "start": start, "end": asked.get("end") or rules.later(first, 60),
                   "room": asked.get("room", ""), "people": [], "notes": ""}  # fmt: skip
    day = _iso(asked.get("day", here.world.today))
    fields = _event_fields(here, blank, here.look.date(day))
    fields[-1:-1] = [
        Field("repeat", "Repeat", "choice", NEVER, REPEATS),
        Field("times", "Times", value="4", hint="counts if it repeats"),
    ]
    return page(here, "New event", form(here, "create", fields, "Create event", "/"))


@CALENDAR.post("/events/new/create")
def event_create(here: Here) -> Redirect:
    sent, times = _sent(here), here.form.get("times", "").strip()
    try:
        made = rules.create(
            here.world, here.state, **sent, repeat=here.form.get("repeat", ""),
            times=int(times) if times.isdecimal() and len(times) < 4 else 0,
        )  # fmt: skip
    except Refused:
        here.note(f"rooms-on:{sent['day']}")
        raise
    return here.to(f"/events/{made['id']}", "Event created")


@CALENDAR.get("/events/{key}")
def event(here: Here, key: str) -> str:
    found = one(here.state, "events", key)
    here.note(f"event:{key}")
    me, person = here.world.user.id, here.world.person
    yours, over = found["organizer"] == me, found["date"] < here.world.today
    room: Child = _room_name(here, found)
    if found["room"]:
        room = link(_room_name(here, found), here.url(f"/rooms/{found['room']}"))
    names = ", ".join(person(one).name for one in found["people"]) or "nobody else"
    pairs: list[tuple[str, Child]] = [
        ("Date", here.look.date(found["date"])), ("Time", f"{found['start']} to {found['end']}"),
        ("Room", room), ("Organizer", person(found["organizer"]).name),
        ("Repeats", found["repeat"]), ("Notes", found["notes"] or "none"),
    ]  # fmt: skip
    if not yours and me in found["people"]:
        pairs += [("Your answer", found["status"]), ("Your comment", found["comment"] or "none")]
    actions: list[Child] = [note("This event is over")] if over else []
    if yours and not over:
        actions = [link("Edit event", here.url(f"/events/{key}/edit")),
                   menu("More", *_cancelling(here, found))]  # fmt: skip
    elif not over and me in found["people"]:
        hide = button(here, "hide", "Hide from my calendar")
        answer = link("Answer invitation", here.url(f"/events/{key}/answer"))
        actions = [answer, menu("More", hide)]
    return page(
        here, "Event", details(*pairs), el("p", "Attendees ", names),
        el("div", actions, class_="row"),
        _attending(here, found) if yours and not over else None, heading=found["title"],
    )  # fmt: skip


def _cancelling(here: Here, found: Item) -> list[Markup]:
    if found["series"] is None:
        return [confirm(here, "cancel", "Cancel event", "All attendees are told.")]
    return [
        confirm(here, "cancel-series", "Cancel whole series", "All that is to come is cancelled."),
        confirm(here, "cancel", "Cancel this occurrence", "The others of the series stay."),
    ]


def _attending(here: Here, found: Item) -> Markup:
    person = here.world.person
    out = [button(here, "drop", "Remove", f"Remove {person(key).name}", person=key)
           for key in found["people"]]  # fmt: skip
    rows = [el("div", person(key).name, " ", one, class_="row")
            for key, one in zip(found["people"], out, strict=True)]  # fmt: skip
    others = sorted(
        (p.name, p.id) for p in here.world.people
        if p.id not in found["people"] and p.id != here.world.user.id
    )  # fmt: skip
    options = [(key, name) for name, key in others]
    add = form(here, "add", [Field("person", "Person", "choice", options=options)], "Add person")
    return section("Who comes", join(rows), add)


@CALENDAR.post("/events/{key}/add")
def event_add(here: Here, key: str) -> Redirect:
    person = here.choice("person", "Person", [p.id for p in here.world.people])
    rules.set_people(here.world, here.state, key, person, True)
    return here.to(f"/events/{key}", "Person added")


@CALENDAR.post("/events/{key}/drop")
def event_drop(here: Here, key: str) -> Redirect:
    rules.set_people(here.world, here.state, key, here.form.get("person", ""), False)
    return here.to(f"/events/{key}", "Person removed")


@CALENDAR.post("/events/{key}/cancel")
def event_cancel(here: Here, key: str) -> Redirect:
    rules.cancel(here.world, here.state, key)
    return here.to("/agenda", "Event cancelled")


@CALENDAR.post("/events/{key}/cancel-series")
def event_cancel_series(here: Here, key: str) -> Redirect:
    rules.cancel(here.world, here.state, key, whole=True)
    return here.to("/agenda", "Series cancelled")


@CALENDAR.post("/events/{key}/hide")
def event_hide(here: Here, key: str) -> Redirect:
    rules.hide(here.world, here.state, key)
    return here.to("/agenda", "Event hidden")


@CALENDAR.post("/events/{key}/move")
def event_move(here: Here, key: str) -> Redirect:
    day = here.day("to", "Date")
    rules.move(here.world, here.state, key, day)
    return here.to(f"/?month={day[:7]}", f"Moved to {here.look.date(day)}")


@CALENDAR.get("/events/{key}/edit")
def event_edit(here: Here, key: str) -> str:
    found = one(here.state, "events", key)
    fields = _event_fields(here, found, here.look.date(found["date"]))
    only = note("Only this occurrence of the series changes") if found["series"] else None
    edit = form(here, "save", fields, "Save event", f"/events/{key}")
    return page(here, "Edit event", only, edit, heading=f"Edit {found['title']}")


@CALENDAR.post("/events/{key}/edit/save")
def event_save(here: Here, key: str) -> Redirect:
    rules.edit(here.world, here.state, key, **_sent(here))
    return here.to(f"/events/{key}", "Event saved")


@CALENDAR.get("/events/{key}/answer")
def event_answer(here: Here, key: str) -> str:
    found = one(here.state, "events", key)
    fields = (
        Field("answer", "Answer", "choice", options=tuple(ANSWERS)),
        Field("comment", "Comment", value=found["comment"], hint="the organizer reads it"),
    )
    answer = form(here, "send", fields, "Send answer", f"/events/{key}")
    return page(
        here, "Answer", note(in_list(here.look, found)), answer, heading="Answer invitation"
    )


@CALENDAR.post("/events/{key}/answer/send")
def event_answered(here: Here, key: str) -> Redirect:
    said = here.form.get("answer", "")
    comment = " ".join(here.form.get("comment", "").split())[:200]
    rules.answer(here.world, here.state, key, said, comment)
    return here.to(f"/events/{key}", "Answer sent")
