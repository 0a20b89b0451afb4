"""The calendar's pages of time: month, week and day."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta

from markupsafe import Markup

from envs.gyms.apps.calendar.data import DECLINED, FIRST_DAYS, Item
from envs.gyms.apps.calendar.labels import (
    get_cell_label,
    get_month_name,
    get_room_name,
    link_event,
    parse_address_day,
)
from envs.gyms.apps.calendar.rules import list_user_events
from envs.gyms.apps.calendar.time_grid import place_events, render_time_grid
from envs.gyms.kit.html import badge, details, drag_form, el, link, note
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.request import RequestContext

PAGES = PageGroup()
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
EVENTS_PER_CELL = 2
"""Events that a day of the month grid shows."""


def _list_events(request: RequestContext) -> list[Item]:
    """The user's events without those that the user declined."""
    events = list_user_events(request.world, request.state)
    return [event for event in events if event["status"] != DECLINED]


def _get_week_shift(request: RequestContext) -> int:
    """Days between the week's first day in the settings and the Monday after it."""
    return FIRST_DAYS.index(request.state["settings"]["week"])


@PAGES.get("/")
def show_month(request: RequestContext) -> str:
    """A grid of the days of a month (?month=2026-03), by default the present one."""
    month = request.query.get("month", "")
    if not re.fullmatch(r"20[0-9]{2}-(0[1-9]|1[0-2])", month):
        month = request.world.today[:7]
    request.log_event(f"month:{month}")
    first = date.fromisoformat(f"{month}-01")
    length = monthrange(first.year, first.month)[1]
    days = [first.replace(day=number).isoformat() for number in range(1, length + 1)]
    previous_month, next_month = first - timedelta(days=1), first + timedelta(days=31)
    shift = _get_week_shift(request)
    blanks = (first.weekday() + shift) % 7
    links = el(
        "div",
        link("Previous month", request.url(f"/?month={previous_month.isoformat()[:7]}")),
        link("Next month", request.url(f"/?month={next_month.isoformat()[:7]}")),
        link("This week", request.url(f"/week/{request.world.today}")),
        link("New event", request.url("/events/new")),
        class_="row",
    )
    events = _list_events(request)
    names = [el("div", WEEKDAYS[(index - shift) % 7]) for index in range(7)]
    cells = [_render_cell(request, day, [e for e in events if e["date"] == day]) for day in days]
    grid = el("div", names, [el("div") for _ in range(blanks)], cells, class_="month")
    return render_page(request, "Month", links, grid, heading=get_month_name(month))


def _render_cell(request: RequestContext, day: str, events: list[Item]) -> Markup:
    number, hidden = str(int(day[8:])), len(events) - EVENTS_PER_CELL
    url = request.url(f"/day/{day}")
    more = link(f"+{hidden}", url, f"{number}: {hidden} more") if hidden > 0 else None
    is_away = any(a["first"] <= day <= a["last"] for a in request.state["away"])
    head = el("div", el("b", link(number, url)), " ", more, " away" if is_away else None)
    entries = [_render_entry(request, event) for event in events[:EVENTS_PER_CELL]]
    is_today = day == request.world.today
    return el("div", head, entries, class_="day today" if is_today else "day", data_drop=day)


def _render_entry(request: RequestContext, event: Item) -> Markup:
    """The user's own events can be dragged to another day."""
    url = request.url(f"/events/{event['id']}")
    name = link(f"{event['start']} {event['title']}", url, get_cell_label(event))
    if event["organizer"] != request.world.user.id or event["date"] < request.world.today:
        return el("div", name, class_=f"entry{_mark_others(request, event)}")
    move = drag_form(request, f"{url}/move")
    return el("div", name, move, class_="entry", draggable="true", data_card=event["id"])


def _mark_others(request: RequestContext, event: Item) -> str:
    """A class besides for what somebody else called."""
    return "" if event["organizer"] == request.world.user.id else " others"


@PAGES.get("/week/{day}")
def show_week(request: RequestContext, day: str) -> str:
    """The seven days of the week that a day lies in."""
    start = date.fromisoformat(parse_address_day(day))
    first = start - timedelta(days=(start.weekday() + _get_week_shift(request)) % 7)
    days = [(first + timedelta(days=index)).isoformat() for index in range(7)]
    events = _list_events(request)
    rows = []
    for week_day in days:
        name = link(request.locale.format_date(week_day), request.url(f"/day/{week_day}"))
        of_day = [event for event in events if event["date"] == week_day]
        entries = [
            el(
                "div",
                event["start"],
                " ",
                link_event(request, event),
                class_=f"event{_mark_others(request, event)}",
                style=place,
            )
            for event, place in zip(of_day, place_events(of_day), strict=True)
        ]
        today = "today" if week_day == request.world.today else None
        rows.append(el("tr", el("td", name), el("td", entries, class_="plan"), class_=today))
    previous_week, next_week = first - timedelta(days=7), first + timedelta(days=7)
    links = el(
        "div",
        link("Previous week", request.url(f"/week/{previous_week.isoformat()}")),
        link("Next week", request.url(f"/week/{next_week.isoformat()}")),
        class_="row",
    )
    heading = f"Week from {request.locale.format_date(days[0])}"
    grid = render_time_grid(el("table", rows), "weekgrid")
    return render_page(request, "Week", links, grid, heading=heading)


@PAGES.get("/day/{day}")
def show_day(request: RequestContext, day: str) -> str:
    """All events of a day, declined ones too."""
    request.log_event(f"day:{parse_address_day(day)}")
    at = date.fromisoformat(day)
    events = [e for e in list_user_events(request.world, request.state) if e["date"] == day]
    rows = [
        el(
            "tr",
            el("td", f"{event['start']} to {event['end']}"),
            el("td", link_event(request, event)),
            el("td", get_room_name(request, event)),
            el("td", badge(event["status"])),
            class_=f"event{_mark_others(request, event)}",
            style=place,
        )
        for event, place in zip(events, place_events(events), strict=True)
    ]
    plan = render_time_grid(el("table", rows, class_="plan"), "daygrid")
    absences = [a for a in request.state["away"] if a["first"] <= day <= a["last"]]
    previous_day, next_day = at - timedelta(days=1), at + timedelta(days=1)
    links = el(
        "div",
        link("Previous day", request.url(f"/day/{previous_day.isoformat()}")),
        link("Next day", request.url(f"/day/{next_day.isoformat()}")),
        link("Whole month", request.url(f"/?month={day[:7]}")),
        link("New event on this day", request.url(f"/events/new?day={day}")),
        class_="row",
    )
    return render_page(
        request,
        "Day",
        links,
        details(
            ("Weekday", WEEKDAYS[at.weekday()]),
            *[("Out of office", absence["reason"]) for absence in absences],
        ),
        plan if rows else note("Nothing on this day"),
        heading=request.locale.format_date(day),
    )
