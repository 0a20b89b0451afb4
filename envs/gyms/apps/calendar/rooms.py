"""The calendar's pages of rooms: list, one room on a day, search for a free one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from urllib.parse import urlencode

from markupsafe import Markup

from envs.gyms.apps.calendar import rules
from envs.gyms.apps.calendar.availability import count_unseated, find_free_rooms, list_free_spans
from envs.gyms.apps.calendar.data import BUILDINGS, EQUIPMENT, Item
from envs.gyms.apps.calendar.parsing import parse_clock
from envs.gyms.apps.calendar.times import CLOSES, OPENS
from envs.gyms.kit.html import Child, Field, details, el, link, note, query_form, section, table_row
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import RequestContext
from envs.gyms.server.gym import Refused

PAGES = PageGroup()
FILTERED_EQUIPMENT = EQUIPMENT[:2]
"""Equipment that the list has a filter for."""


@PAGES.get("/rooms")
def show_rooms(request: RequestContext) -> str:
    """All rooms."""
    request.log_event("rooms")

    def has(thing: str) -> Callable[[Item], str]:
        return lambda room: "Yes" if thing in room["equipment"] else "No"

    listing = Listing(
        columns=(
            Column("Room", lambda r: link(r["name"], request.url(f"/rooms/{r['id']}"))),
            Column("Building", lambda r: r["building"]),
            Column("Seats", lambda r: r["capacity"]),
            Column("Equipment", lambda r: ", ".join(r["equipment"])),
        ),
        searchable_text=lambda r: f"{r['name']} {r['building']} {' '.join(r['equipment'])}",
        sorts=(
            Sort("Name", lambda r: r["name"]),
            Sort("Largest", lambda r: (r["capacity"], r["name"]), descending=True),
            Sort("Smallest", lambda r: (r["capacity"], r["name"])),
        ),
        filters=(
            Filter("building", "Building", options=BUILDINGS, get_option=lambda r: r["building"]),
            *(
                Filter(thing.lower(), thing, options=("Yes", "No"), get_option=has(thing))
                for thing in FILTERED_EQUIPMENT
            ),
        ),
        empty="No rooms. Try another search",
    )
    finder = el("p", link("Find a free room", request.url("/free")))
    return render_page(request, "Rooms", finder, listing.render(request, request.state["rooms"]))


def _get_booking_url(request: RequestContext, room: str, day: str, start: str, end: str) -> str:
    """The form of a new event with these fields filled in."""
    fields = {"day": day, "start": start, "end": end, "room": room}
    return request.url(f"/events/new?{urlencode(fields)}")


@PAGES.get("/rooms/{key}")
def show_room(request: RequestContext, key: str) -> str:
    """One room, and when it is booked and free on a day (?day=), by default today."""
    room = get_record(request.state, "rooms", key)
    locale = request.locale
    day = locale.parse_date(request.query.get("day", "")) or request.world.today
    for event in (f"room:{key}", f"room:{key}:{day}", f"rooms-on:{day}"):
        request.log_event(event)
    at = date.fromisoformat(day)
    steps = []
    for name, other in (("Day before", at - timedelta(1)), ("Day after", at + timedelta(1))):
        query = urlencode({"day": locale.format_date(other.isoformat())})
        steps.append(link(name, f"{request.path}?{query}"))
    day_field = Field("day", "Day", kind="date", value=locale.format_date(day))
    return render_page(
        request,
        "Room",
        details(
            ("Building", room["building"]),
            ("Floor", room["floor"]),
            ("Seats", room["capacity"]),
            ("Equipment", ", ".join(room["equipment"])),
        ),
        query_form(request, [day_field], "Show day"),
        section(
            f"{locale.format_date(day)}, {OPENS} to {CLOSES}",
            el("div", steps, class_="row"),
            _render_timetable(request, key, day),
        ),
        heading=f"Room {room['name']}",
    )


def _render_timetable(request: RequestContext, room: str, day: str) -> Markup:
    """Free and booked spans of a day in order; titles only of events that concern the user."""
    user = request.world.user.id
    spans: list[tuple[str, str, Child]] = []
    for start, end in list_free_spans(request.state, room, day):
        url = _get_booking_url(request, room, day, start, end)
        book = link("Book", url, f"Book {start} to {end}")
        spans.append((start, end, book if day >= request.world.today else "Free"))
    for event in request.state["events"]:
        if event["room"] == room and event["date"] == day:
            organizer = request.world.person(event["organizer"])
            is_visible = user == organizer.id or user in event["people"]
            purpose = event["title"] if is_visible else f"by {organizer.name}"
            spans.append((event["start"], event["end"], f"Booked: {purpose}"))
    spans.sort(key=lambda span: span[:2])
    return el("table", [table_row(f"{start} to {end}", text) for start, end, text in spans])


@PAGES.get("/free")
def show_room_search(request: RequestContext) -> str:
    """Form that looks for free rooms by time and size, and what it finds."""
    today = request.locale.format_date(request.world.today)
    fields = (
        Field("day", "Date", kind="date", value=today),
        Field("start", "From", value="09:00"),
        Field("end", "To", value="10:00"),
        Field("people", "People", value="1"),
    )
    results: Child = note("Say when you need a room, and for how many people")
    if "day" in request.query:
        try:
            results = _render_free_rooms(request)
        except Refused as refusal:
            results = note(str(refusal))
    search = query_form(request, fields, "Find rooms")
    return render_page(request, "Find a free room", search, results)


def _render_free_rooms(request: RequestContext) -> Markup:
    """The rooms that are free, not sorted by size. Raises Refused."""
    query = request.query
    day, people = request.locale.parse_date(query["day"]), query.get("people", "").strip()
    if day is None:
        raise Refused(f"Date must be a date such as {request.locale.date_example}")
    start = parse_clock(query.get("start", ""), "From")
    end = parse_clock(query.get("end", ""), "To")
    rules.check_time(request.world, day, start, end)
    if not (people.isdecimal() and 1 <= int(people[:4]) <= 999):
        raise Refused("People must be a number from 1 to 999")
    request.log_event(f"rooms-on:{day}")
    rooms = find_free_rooms(request.state, day, start, end, int(people[:4]))
    request.log_event(f"no-room:{day}:{start}:{end}:{count_unseated(rooms, int(people[:4]))}")
    if not rooms:
        return note("No room of that size is free then")
    rows = []
    for room in rooms:
        url = _get_booking_url(request, room["id"], day, start, end)
        rows.append(
            table_row(
                link(room["name"], request.url(f"/rooms/{room['id']}")),
                room["building"],
                f"{room['capacity']} seats",
                link("Book", url, f"Book {room['name']}"),
            )
        )
    return el("table", rows)
