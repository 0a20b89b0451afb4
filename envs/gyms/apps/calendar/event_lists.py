"""The calendar's lists of events: agenda, past events, open invitations."""

from __future__ import annotations

from collections.abc import Sequence

from envs.gyms.apps.calendar.data import INVITED, STATUSES
from envs.gyms.apps.calendar.labels import get_room_name, link_event
from envs.gyms.apps.calendar.rules import list_user_events
from envs.gyms.apps.calendar.times import REPEATS
from envs.gyms.kit.html import badge, el, link, note
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.request import RequestContext

PAGES = PageGroup()


def _make_listing(request: RequestContext, statuses: Sequence[str] = STATUSES) -> Listing:
    names = {person.id: person.name for person in request.world.people}
    return Listing(
        columns=(
            Column("Date", lambda e: request.locale.format_date(e["date"])),
            Column("Time", lambda e: f"{e['start']} to {e['end']}"),
            Column("Event", lambda e: link_event(request, e)),
            Column("Room", lambda e: get_room_name(request, e)),
            Column("Organizer", lambda e: names[e["organizer"]]),
            Column("Status", lambda e: badge(e["status"])),
        ),
        searchable_text=lambda e: (
            f"{e['title']} {get_room_name(request, e)} {names[e['organizer']]}"
        ),
        sorts=(
            Sort("Soonest", lambda e: (e["date"], e["start"], e["id"])),
            Sort("Latest", lambda e: (e["date"], e["start"], e["id"]), descending=True),
            Sort("Title", lambda e: (e["title"], e["date"], e["start"])),
        ),
        filters=(
            Filter("status", "Status", options=statuses, get_option=lambda e: e["status"]),
            Filter("repeat", "Repeats", options=REPEATS, get_option=lambda e: e["repeat"]),
        ),
        empty="No events. Try another search",
    )


@PAGES.get("/agenda")
def show_agenda(request: RequestContext) -> str:
    """The user's events from today on."""
    request.log_event("agenda")
    events = list_user_events(request.world, request.state)
    coming = [event for event in events if event["date"] >= request.world.today]
    links = el(
        "div",
        link("New event", request.url("/events/new")),
        link("Past events", request.url("/agenda/past")),
        class_="row",
    )
    return render_page(request, "Agenda", links, _make_listing(request).render(request, coming))


@PAGES.get("/agenda/past")
def show_past_events(request: RequestContext) -> str:
    """The user's events before today."""
    events = list_user_events(request.world, request.state)
    past = [event for event in events if event["date"] < request.world.today]
    return render_page(request, "Past events", _make_listing(request).render(request, past))


@PAGES.get("/invitations")
def show_invitations(request: RequestContext) -> str:
    """Events to come whose invitation the user has not answered."""
    request.log_event("invitations")
    invitations = [
        event
        for event in list_user_events(request.world, request.state)
        if event["status"] == INVITED and event["date"] >= request.world.today
    ]
    listing = _make_listing(request, (INVITED,))
    return render_page(
        request, "Invitations", note("Not answered yet"), listing.render(request, invitations)
    )
