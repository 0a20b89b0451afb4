"""The calendar's forms of events, in the world of seed 1."""

from __future__ import annotations

import pytest

from envs.gyms.apps.calendar.app import CALENDAR
from envs.gyms.apps.calendar.event_forms import (
    create_event,
    save_event,
    show_event_form,
    show_new_event,
)
from envs.gyms.server.gym import NotFound, Refused
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of

FORM = {
    "title": "Team  dinner",
    "day": "20.06.2026",
    "start": "9:30",
    "end": "10:30",
    "room": "",
    "people": "",
    "notes": "",
    "repeat": "Weekly",
    "times": "2",
}


def test_a_new_event_begins_with_working_hours_or_with_the_address() -> None:
    page = show_new_event(make_request(CALENDAR, path="/events/new"))
    assert 'name="start" value="09:30"' in page
    assert 'name="end" value="10:30"' in page
    query = {"day": "2026-06-20", "start": "11:00", "end": "12:00", "room": "r2"}
    page = show_new_event(make_request(CALENDAR, path="/events/new", query=query))
    assert 'value="20.06.2026"' in page
    assert 'value="11:00"' in page
    assert '<option value="r2" selected>Douro</option>' in page
    with pytest.raises(NotFound):
        show_new_event(make_request(CALENDAR, path="/events/new", query={"day": "soon"}))


def test_a_series_is_created_from_the_form() -> None:
    request = make_request(CALENDAR, path="/events/new/create", form=FORM)
    count = len(request.state["events"])
    redirect = create_event(request)
    first, second = request.state["events"][count:]
    assert redirect.path == f"/calendar/events/{first['id']}"
    assert (first["title"], first["start"]) == ("Team dinner", "09:30")
    assert (first["date"], second["date"]) == ("2026-06-20", "2026-06-27")


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("title", "", "Title is required"),
        ("day", "20.13.2026", "Date must be a date such as 05.03.2026"),
        ("start", "nine", "Start must be a time"),
        ("room", "r99", "Choose one: Room"),
        ("people", "Nobody Known", "nobody called"),
        ("times", "1000", "Times must be from 2 to 12"),
    ],
)
def test_forms_with_bad_values_are_refused(field: str, value: str, message: str) -> None:
    request = make_request(CALENDAR, path="/events/new/create", form=FORM | {field: value})
    with pytest.raises(Refused, match=message):
        create_event(request)


def test_a_refusal_shows_that_the_rooms_of_a_day_were_looked_at() -> None:
    request = make_request(CALENDAR, path="/events/new/create", form=FORM | {"end": "09:00"})
    with pytest.raises(Refused):
        create_event(request)
    assert logged_events(request) == ["calendar:rooms-on:2026-06-20"]


def test_an_own_event_is_edited() -> None:
    request = make_request(CALENDAR, path="/events/new/create", form=FORM)
    key = create_event(request).path.rpartition("/")[2]
    edit = make_request(CALENDAR, path=f"/events/{key}/edit", state=request.state)
    text = text_of(show_event_form(edit, key))
    assert "Only this occurrence of the series changes" in text
    form = FORM | {"title": "Lunch"}
    save = make_request(CALENDAR, path="/x", form=form, state=request.state)
    assert save_event(save, key).flash == "✓ Event saved"
    titles = [event["title"] for event in request.state["events"][-2:]]
    assert titles == ["Lunch", "Team dinner"]
