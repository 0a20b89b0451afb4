"""The calendar as a gym: its templates, in order, with their levels."""

from __future__ import annotations

from envs.gyms.apps.calendar.gym import GYM

LEVELS = {
    "count_day": 1,
    "busier_day": 4,
    "room_seats": 2,
    "answer_invitation": 3,
    "sick_day": 5,
    "create_event": 3,
    "create_series": 3,
    "follow_up": 4,
    "drag_event": 1,
    "reschedule": 4,
    "cancel_event": 3,
    "cancel_occurrence": 3,
    "cancel_series": 3,
    "swap_attendee": 3,
    "first_free_hour": 2,
    "largest_room": 3,
    "book_smallest": 4,
    "no_room": 3,
    "out_of_office": 3,
    "longer_away": 2,
    "working_hours": 2,
}


def test_templates_and_their_levels() -> None:
    assert {name: GYM.level(name) for name in GYM.templates} == LEVELS
    assert list(GYM.templates) == list(LEVELS)
