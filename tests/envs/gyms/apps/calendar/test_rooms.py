"""The calendar's pages of rooms, in the world of seed 1."""

from __future__ import annotations

import pytest

from envs.gyms.apps.calendar.app import CALENDAR
from envs.gyms.apps.calendar.availability import find_free_rooms
from envs.gyms.apps.calendar.data import make_event
from envs.gyms.apps.calendar.rooms import show_room, show_room_search, show_rooms
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of

SEARCH = {"day": "20.06.2026", "start": "9:00", "end": "10:00", "people": "10"}


def test_rooms_are_filtered_by_equipment() -> None:
    request = make_request(CALENDAR, path="/rooms", query={"video": "Yes", "sort": "Largest"})
    count = sum("Video" in room["equipment"] for room in request.state["rooms"])
    assert f"{count} found, sorted by Largest" in text_of(show_rooms(request))


def test_a_room_s_timetable_names_only_events_of_the_user() -> None:
    request = make_request(CALENDAR, path="/rooms/r1", query={"day": "20.06.2026"})
    user, day = request.world.user.id, "2026-06-20"
    request.state["events"] += [
        make_event(901, "Secret", day, "09:00", "10:00", "u1") | {"room": "r1"},
        make_event(902, "Mine", day, "10:00", "11:00", user) | {"room": "r1"},
    ]
    text = text_of(show_room(request, "r1"))
    organizer = request.world.person("u1").name
    assert "Room Danube" in text
    assert "20.06.2026, 08:00 to 18:00 Day before Day after 08:00 to 09:00 Book" in text
    assert f"09:00 to 10:00 Booked: by {organizer} 10:00 to 11:00 Booked: Mine" in text
    assert "Secret" not in text
    assert logged_events(request) == [
        "calendar:room:r1",
        "calendar:room:r1:2026-06-20",
        "calendar:rooms-on:2026-06-20",
    ]


def test_days_that_are_over_cannot_be_booked() -> None:
    request = make_request(CALENDAR, path="/rooms/r1", query={"day": "2026-05-09"})
    text = text_of(show_room(request, "r1"))
    assert "08:00 to 18:00 Free" in text
    assert "Book" not in text


def test_the_search_lists_free_rooms_with_a_link_to_book_them() -> None:
    request = make_request(CALENDAR, path="/free", query=SEARCH)
    page = show_room_search(request)
    rooms = find_free_rooms(request.state, "2026-06-20", "09:00", "10:00", 10)
    assert rooms
    for room in rooms:
        assert f"Book {room['name']}" in page
    assert "/calendar/events/new?day=2026-06-20&amp;start=09%3A00&amp;end=10%3A00" in page
    largest = max(room["capacity"] for room in rooms)
    assert logged_events(request) == [
        "calendar:rooms-on:2026-06-20",
        f"calendar:no-room:2026-06-20:09:00:10:00:{largest + 1}",
    ]


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("day", "soon", "Date must be a date"),
        ("start", "9", "From must be a time"),
        ("end", "08:30", "End must be after Start"),
        ("people", "none", "People must be a number from 1 to 999"),
        ("people", "31", "No room of that size is free then"),
    ],
)
def test_a_search_that_finds_nothing_says_why(field: str, value: str, message: str) -> None:
    request = make_request(CALENDAR, path="/free", query=SEARCH | {field: value})
    assert message in text_of(show_room_search(request))
    assert "Say when you need a room" in text_of(show_room_search(make_request(CALENDAR)))
