"""The calendar's lists of events, in the world of seed 1."""

from __future__ import annotations

from envs.gyms.apps.calendar.app import CALENDAR
from envs.gyms.apps.calendar.data import INVITED
from envs.gyms.apps.calendar.event_lists import show_agenda, show_invitations, show_past_events
from envs.gyms.apps.calendar.rules import list_user_events
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_agenda_and_past_events_are_divided_by_today() -> None:
    request = make_request(CALENDAR, path="/agenda")
    events = list_user_events(request.world, request.state)
    coming = sum(event["date"] >= request.world.today for event in events)
    assert f"{coming} found, sorted by Soonest" in text_of(show_agenda(request))
    past = text_of(show_past_events(make_request(CALENDAR, path="/agenda/past")))
    assert f"{len(events) - coming} found" in past
    assert logged_events(request) == ["calendar:agenda"]


def test_the_agenda_is_searched_by_title_and_organizer() -> None:
    request = make_request(CALENDAR, path="/agenda")
    event = next(
        e
        for e in list_user_events(request.world, request.state)
        if e["date"] >= request.world.today and e["organizer"] != request.world.user.id
    )
    organizer = request.world.person(event["organizer"]).name
    query = {"q": f"{event['title']} {organizer}"}
    text = text_of(show_agenda(make_request(CALENDAR, path="/agenda", query=query)))
    assert event["title"] in text
    assert organizer in text


def test_invitations_are_those_without_an_answer() -> None:
    request = make_request(CALENDAR, path="/invitations")
    open_invitations = [
        event
        for event in list_user_events(request.world, request.state)
        if event["status"] == INVITED and event["date"] >= request.world.today
    ]
    text = text_of(show_invitations(request))
    assert f"{len(open_invitations)} found" in text
    for event in open_invitations:
        event["status"] = "Accepted"
    assert "No events. Try another search" in text_of(show_invitations(request))
