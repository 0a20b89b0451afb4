"""The calendar's page of one event, in the world of seed 1."""

from __future__ import annotations

from collections.abc import Callable

from envs.gyms.apps.calendar import events
from envs.gyms.apps.calendar.app import CALENDAR
from envs.gyms.apps.calendar.data import Item
from envs.gyms.kit.request import RequestContext
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def find_event(request: RequestContext, fits: Callable[[Item], bool]) -> Item:
    """An event to come that fits."""
    rows: list[Item] = request.state["events"]
    return next(e for e in rows if e["date"] > request.world.today and fits(e))


def test_an_own_event_can_be_edited_and_cancelled() -> None:
    request = make_request(CALENDAR, path="/events/x")
    user = request.world.user.id
    event = find_event(request, lambda e: e["organizer"] == user and e["series"] is None)
    text = text_of(events.show_event(request, event["id"]))
    assert "Edit event" in text
    assert "Cancel event" in text
    assert "Who comes" in text
    assert "Answer invitation" not in text
    assert logged_events(request) == [f"calendar:event:{event['id']}"]
    events.cancel_event(request, event["id"])
    assert event not in request.state["events"]


def test_a_series_can_be_cancelled_as_a_whole() -> None:
    request = make_request(CALENDAR, path="/events/x")
    event = find_event(request, lambda e: e["series"] == "s1")
    text = text_of(events.show_event(request, event["id"]))
    assert "Cancel whole series" in text
    assert "Cancel this occurrence" in text
    events.cancel_series(request, event["id"])
    left = [e for e in request.state["events"] if e["series"] == "s1"]
    assert all(e["date"] < request.world.today for e in left)


def test_an_invitation_is_answered_or_hidden() -> None:
    form = {"answer": "Maybe", "comment": "  I   ask "}
    request = make_request(CALENDAR, path="/events/x", form=form)
    user = request.world.user.id
    event = find_event(request, lambda e: user in e["people"] and e["organizer"] != user)
    text = text_of(events.show_event(request, event["id"]))
    assert "Answer invitation" in text
    assert "Edit event" not in text
    assert "Send answer" in text_of(events.show_answer_form(request, event["id"]))
    events.answer_invitation(request, event["id"])
    assert (event["status"], event["comment"]) == ("Tentative", "I ask")
    assert "Your answer Tentative" in text_of(events.show_event(request, event["id"]))
    events.hide_invitation(request, event["id"])
    assert event["hidden"] is True


def test_attendees_are_added_and_removed() -> None:
    request = make_request(CALENDAR, path="/events/x", form={})
    user = request.world.user.id
    event = find_event(request, lambda e: e["organizer"] == user and not e["room"])
    person = next(p for p in request.world.people if p.id not in [*event["people"], user])
    request.form["person"] = person.id
    assert events.add_attendee(request, event["id"]).flash == "✓ Person added"
    assert f"Remove {person.name}" in events.show_event(request, event["id"])
    assert events.remove_attendee(request, event["id"]).flash == "✓ Person removed"
    assert person.id not in event["people"]


def test_a_dragged_event_leads_to_the_month_it_is_in_now() -> None:
    request = make_request(CALENDAR, path="/events/x", form={"to": "2026-06-28"})
    user = request.world.user.id
    event = find_event(request, lambda e: e["organizer"] == user and not e["room"])
    redirect = events.move_event(request, event["id"])
    assert (redirect.path, redirect.flash) == (
        "/calendar/?month=2026-06",
        "✓ Moved to 28.06.2026",
    )
    assert event["date"] == "2026-06-28"


def test_an_event_that_is_over_has_no_actions() -> None:
    request = make_request(CALENDAR, path="/events/x")
    past = next(e for e in request.state["events"] if e["date"] < request.world.today)
    text = text_of(events.show_event(request, past["id"]))
    assert "This event is over" in text
    assert "Edit event" not in text
