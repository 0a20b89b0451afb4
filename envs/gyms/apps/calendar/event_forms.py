"""The calendar's forms of a new event and of one that is changed."""

from __future__ import annotations

from typing import Any

from envs.gyms.apps.calendar import rules
from envs.gyms.apps.calendar.data import Item
from envs.gyms.apps.calendar.labels import parse_address_day
from envs.gyms.apps.calendar.parsing import parse_attendees, parse_clock
from envs.gyms.apps.calendar.times import NEVER, REPEATS, add_minutes
from envs.gyms.kit.html import Field, form, note
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext
from envs.gyms.server.gym import Refused

PAGES = PageGroup()


def _make_fields(request: RequestContext, event: Item, day: str) -> list[Field]:
    """`day` is an ISO date."""
    names = [request.world.person(key).name for key in event["people"]]
    rooms = [("", "No room"), *[(r["id"], r["name"]) for r in request.state["rooms"]]]
    return [
        Field("title", "Title", value=event["title"]),
        Field("day", "Date", kind="date", value=request.locale.format_date(day)),
        Field("start", "Start", value=event["start"]),
        Field("end", "End", value=event["end"]),
        Field("room", "Room", kind="choice", value=event["room"], options=rooms),
        Field("people", "Attendees", value=", ".join(names), hint="full names, with commas"),
        Field("notes", "Notes", value=event["notes"]),
    ]


def _parse_fields(request: RequestContext) -> dict[str, Any]:
    """The form's values, by the names of the rules' arguments. Raises Refused."""
    rooms = ["", *[room["id"] for room in request.state["rooms"]]]
    return {
        "title": request.get_text("title", "Title", 80),
        "day": request.get_date("day", "Date"),
        "start": parse_clock(request.get_text("start", "Start"), "Start"),
        "end": parse_clock(request.get_text("end", "End"), "End"),
        "room": request.get_choice("room", "Room", rooms),
        "people": parse_attendees(request.world, request.form.get("people", "")),
        "notes": " ".join(request.form.get("notes", "").split())[:200],
    }


@PAGES.get("/events/new")
def show_new_event(request: RequestContext) -> str:
    """Form of a new event; day, start, end and room may be given in the address."""
    request.log_event("new")
    query, work_starts = request.query, request.state["settings"]["starts"]
    event: Item = {
        "title": "",
        "start": query.get("start", work_starts),
        "end": query.get("end") or add_minutes(work_starts, 60),
        "room": query.get("room", ""),
        "people": [],
        "notes": "",
    }
    *fields, notes = _make_fields(
        request, event, parse_address_day(query.get("day", request.world.today))
    )
    fields += [
        Field("repeat", "Repeat", kind="choice", value=NEVER, options=REPEATS),
        Field("times", "Times", value="4", hint="counts if it repeats"),
        notes,
    ]
    return render_page(request, "New event", form(request, "create", fields, "Create event", "/"))


@PAGES.post("/events/new/create")
def create_event(request: RequestContext) -> Redirect:
    """Creates the event or series and leads to its first occurrence."""
    values, times = _parse_fields(request), request.form.get("times", "").strip()
    try:
        event = rules.create_event(
            request.world,
            request.state,
            **values,
            repeat=request.form.get("repeat", ""),
            times=int(times) if times.isdecimal() and len(times) < 4 else 0,
        )
    except Refused:
        # The refusal tells whether the room is free, as the pages of rooms do.
        request.log_event(f"rooms-on:{values['day']}")
        raise
    return request.redirect_to(f"/events/{event['id']}", "Event created")


@PAGES.get("/events/{key}/edit")
def show_event_form(request: RequestContext, key: str) -> str:
    """Form of an event that exists."""
    event = get_record(request.state, "events", key)
    hint = note("Only this occurrence of the series changes") if event["series"] else None
    fields = _make_fields(request, event, event["date"])
    edit = form(request, "save", fields, "Save event", f"/events/{key}")
    return render_page(request, "Edit event", hint, edit, heading=f"Edit {event['title']}")


@PAGES.post("/events/{key}/edit/save")
def save_event(request: RequestContext, key: str) -> Redirect:
    """Saves all fields of an event."""
    rules.edit_event(request.world, request.state, key, **_parse_fields(request))
    return request.redirect_to(f"/events/{key}", "Event saved")
