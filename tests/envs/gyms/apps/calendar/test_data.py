"""Records of the calendar."""

from __future__ import annotations

from envs.gyms.apps.calendar.data import ANSWERS, STATUSES, get_next_number, make_event


def test_numbers_go_on_after_the_largest() -> None:
    assert get_next_number([]) == 1
    assert get_next_number([{"id": "e9"}, {"id": "e10"}, {"id": "e2"}]) == 11


def test_a_new_event_is_single_and_has_no_attendees() -> None:
    event = make_event(7, "Lunch", "2026-03-05", "12:00", "13:00", "u1")
    assert event["id"] == "e7"
    assert (event["series"], event["people"], event["room"]) == (None, [], "")
    assert event["people"] is not make_event(8, "", "", "", "", "")["people"]


def test_every_answer_is_a_status() -> None:
    assert set(ANSWERS.values()) < set(STATUSES)
