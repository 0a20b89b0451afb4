"""The calendar's other pages: rooms and when they are free, days out of office, settings."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from urllib.parse import urlencode

from markupsafe import Markup

from envs.gyms.calendar import rules
from envs.gyms.calendar.app import CALENDAR
from envs.gyms.calendar.data import (
    BUILDINGS,
    CLOSES,
    ENDS,
    EQUIPMENT,
    FIRST_DAYS,
    OPENS,
    REASONS,
    REMINDERS,
    STARTS,
    Item,
)
from envs.gyms.gym import Refused
from envs.gyms.kit.frame import page
from envs.gyms.kit.here import Here
from envs.gyms.kit.html import Child, Field, ask, confirm, details, el, form, link, note, section
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.records import one
from envs.gyms.pages import Redirect

__all__ = ["CALENDAR"]


def _has(thing: str) -> Callable[[Item], str]:
    return lambda room: "Yes" if thing in room["equipment"] else "No"


@CALENDAR.get("/rooms")
def rooms(here: Here) -> str:
    here.note("rooms")
    listing = Listing(
        columns=(
            Column("Room", lambda r: link(r["name"], here.url(f"/rooms/{r['id']}"))),
            Column("Building", lambda r: r["building"]),
            Column("Seats", lambda r: r["capacity"]),
            Column("Equipment", lambda r: ", ".join(r["equipment"])),
        ),
        words=lambda r: f"{r['name']} {r['building']} {' '.join(r['equipment'])}",
        sorts=(
            Sort("Name", lambda r: r["name"]),
            Sort("Largest", lambda r: (r["capacity"], r["name"]), descending=True),
            Sort("Smallest", lambda r: (r["capacity"], r["name"])),
        ),
        filters=(
            Filter("building", "Building", BUILDINGS, lambda r: r["building"]),
            *(Filter(thing.lower(), thing, ("Yes", "No"), _has(thing)) for thing in EQUIPMENT[:2]),
        ),
        empty="No rooms. Try another search",
    )
    finder = el("p", link("Find a free room", here.url("/free")))
    return page(here, "Rooms", finder, listing.show(here, here.state["rooms"]))


def _booking(here: Here, room: str, day: str, start: str, end: str) -> str:
    """The form of a new event, these fields filled in."""
    asked = {"day": day, "start": start, "end": end, "room": room}
    return here.url(f"/events/new?{urlencode(asked)}")


@CALENDAR.get("/rooms/{key}")
def room(here: Here, key: str) -> str:
    found = one(here.state, "rooms", key)
    day = here.look.read_date(here.query.get("day", "")) or here.world.today
    here.note(f"room:{key}")
    here.note(f"room:{key}:{day}")
    here.note(f"rooms-on:{day}")
    at, me = date.fromisoformat(day), here.world.user.id
    spans: list[tuple[str, str, Child]] = []
    for start, end in rules.gaps(here.state, key, day):
        name = f"Book {start} to {end}"
        book = link("Book", _booking(here, key, day, start, end), name)
        spans.append((start, end, book if day >= here.world.today else "Free"))
    for e in here.state["events"]:
        if e["room"] == key and e["date"] == day:
            seen = me == e["organizer"] or me in e["people"]
            what = e["title"] if seen else f"by {here.world.person(e['organizer']).name}"
            spans.append((e["start"], e["end"], f"Booked: {what}"))
    rows = [
        el("tr", el("td", f"{start} to {end}"), el("td", what))
        for start, end, what in sorted(spans, key=lambda span: span[:2])
    ]
    step = [
        link(name, f"{here.path}?{urlencode({'day': here.look.date(other.isoformat())})}")
        for name, other in (("Day before", at - timedelta(1)), ("Day after", at + timedelta(1)))
    ]
    return page(
        here, "Room",
        details(("Building", found["building"]), ("Floor", found["floor"]),
                ("Seats", found["capacity"]), ("Equipment", ", ".join(found["equipment"]))),
        ask(here, [Field("day", "Day", "date", here.look.date(day))], "Show day"),
        section(f"{here.look.date(day)}, {OPENS} to {CLOSES}", el("div", step, class_="row"),
                el("table", rows)),
        heading=f"Room {found['name']}",
    )  # fmt: skip


@CALENDAR.get("/free")
def free(here: Here) -> str:
    fields = (
        Field("day", "Date", "date", here.look.date(here.world.today)),
        Field("start", "From", value="09:00"),
        Field("end", "To", value="10:00"),
        Field("people", "People", value="1"),
    )
    found: Child = note("Say when you need a room, and for how many people")
    if "day" in here.query:
        try:
            found = _found(here)
        except Refused as refusal:
            found = note(str(refusal))
    return page(here, "Find a free room", ask(here, fields, "Find rooms"), found)


def _found(here: Here) -> Markup:
    """The rooms that are free, in no order of size. Raises Refused."""
    query = here.query
    day, people = here.look.read_date(query["day"]), query.get("people", "").strip()
    if day is None:
        raise Refused(f"Date must be a date such as {here.look.date_hint}")
    start = rules.read_clock(query.get("start", ""), "From")
    end = rules.read_clock(query.get("end", ""), "To")
    rules.check_time(here.world, day, start, end)
    if not (people.isdecimal() and 1 <= int(people[:4]) <= 999):
        raise Refused("People must be a number from 1 to 999")
    here.note(f"rooms-on:{day}")
    fit = rules.free_rooms(here.state, day, start, end, int(people[:4]))
    if not fit:
        return note("No room of that size is free then")
    rows = [
        el("tr", el("td", link(r["name"], here.url(f"/rooms/{r['id']}"))), el("td", r["building"]),
           el("td", f"{r['capacity']} seats"),
           el("td", link("Book", _booking(here, r["id"], day, start, end), f"Book {r['name']}")))
        for r in fit
    ]  # fmt: skip
    return el("table", rows)


def _span(here: Here, item: Item) -> str:
    return f"{here.look.date(item['first'])} to {here.look.date(item['last'])}"


@CALENDAR.get("/away")
def away(here: Here) -> str:
    here.note("away")
    rows = [
        el("tr", el("td", link(_span(here, a), here.url(f"/away/{a['id']}"))),
           el("td", a["reason"]))
        for a in sorted(here.state["away"], key=lambda a: a["first"])
    ]  # fmt: skip
    new = el("p", link("Enter days", here.url("/away/new")))
    return page(here, "Out of office", new, el("table", rows) if rows else note("No days yet"))


def _away_fields(first: str, last: str, reason: str) -> list[Field]:
    return [
        Field("first", "First day", "date", first),
        Field("last", "Last day", "date", last),
        Field("reason", "Reason", "choice", reason, REASONS),
    ]


def _away_sent(here: Here) -> tuple[str, str, str]:
    return here.day("first", "First day"), here.day("last", "Last day"), here.form.get("reason", "")


@CALENDAR.get("/away/new")
def away_new(here: Here) -> str:
    today = here.look.date(here.world.today)
    decline = Field("decline", "Decline all invitations of these days", "check")
    fields = [*_away_fields(today, today, REASONS[0]), decline]
    return page(here, "Enter days out of office", form(here, "add", fields, "Save days", "/away"))


@CALENDAR.post("/away/new/add")
def away_add(here: Here) -> Redirect:
    declines = here.form.get("decline") == "yes"
    rules.set_away(here.world, here.state, None, *_away_sent(here), declines=declines)
    return here.to("/away", "Days saved")


@CALENDAR.get("/away/{key}")
def away_one(here: Here, key: str) -> str:
    found = one(here.state, "away", key)
    day = here.look.date
    fields = _away_fields(day(found["first"]), day(found["last"]), found["reason"])
    return page(
        here, "Days out of office", form(here, "save", fields, "Save days", "/away"),
        confirm(here, "remove", "Remove days", "You are in the office then."),
        heading=_span(here, found),
    )  # fmt: skip


@CALENDAR.post("/away/{key}/save")
def away_save(here: Here, key: str) -> Redirect:
    one(here.state, "away", key)
    rules.set_away(here.world, here.state, key, *_away_sent(here))
    return here.to("/away", "Days saved")


@CALENDAR.post("/away/{key}/remove")
def away_remove(here: Here, key: str) -> Redirect:
    rules.drop_away(here.state, key)
    return here.to("/away", "Days removed")


@CALENDAR.get("/settings")
def settings(here: Here) -> str:
    here.note("settings")
    mine = here.state["settings"]
    fields = (
        Field("starts", "Work starts", "choice", mine["starts"], STARTS),
        Field("ends", "Work ends", "choice", mine["ends"], ENDS),
        Field("week", "Week starts on", "choice", mine["week"], FIRST_DAYS),
        Field("reminder", "Reminder", "choice", mine["reminder"], REMINDERS),
    )
    return page(here, "Settings", form(here, "save", fields, "Save settings"))


@CALENDAR.post("/settings/save")
def settings_save(here: Here) -> Redirect:
    sent = [here.form.get(name, "") for name in ("starts", "ends", "week", "reminder")]
    rules.set_settings(here.state, *sent)
    return here.to("/settings", "Settings saved")
