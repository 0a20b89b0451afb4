"""What people and agents write into the calendar's forms and tools."""

from __future__ import annotations

import pytest

from envs.gyms.apps.calendar.parsing import parse_attendees, parse_clock, parse_day, parse_room
from envs.gyms.kit.company import get_company
from envs.gyms.server.gym import Refused


@pytest.mark.parametrize(("text", "clock"), [("9:30", "09:30"), (" 09:30 ", "09:30")])
def test_clock_times(text: str, clock: str) -> None:
    assert parse_clock(text, "Start") == clock


@pytest.mark.parametrize("text", ["", "9", "24:00", "9:60", "9:5", "nine", "09:30:00"])
def test_what_is_no_time_is_refused_with_the_field_s_name(text: str) -> None:
    with pytest.raises(Refused, match="Start must be a time such as 09:30"):
        parse_clock(text, "Start")


def test_days_are_iso_dates() -> None:
    assert parse_day("2026-03-05") == "2026-03-05"
    for text in ("5 March", "2026-02-30", ""):
        with pytest.raises(Refused, match="A day must be a date"):
            parse_day(text)


def test_attendees_are_named_in_any_order_and_case() -> None:
    world = get_company(1)
    first, second = [person for person in world.people if person is not world.user][:2]
    text = f" {second.name.upper()} ,{first.name},, {first.name.replace(' ', '  ')}"
    assert parse_attendees(world, text) == [first.id, second.id]
    assert parse_attendees(world, "") == []
    with pytest.raises(Refused, match="nobody called Nobody Known"):
        parse_attendees(world, "Nobody Known")
    with pytest.raises(Refused, match="leave yourself out"):
        parse_attendees(world, world.user.name)


def test_rooms_are_named_exactly() -> None:
    state = {"rooms": [{"id": "r1", "name": "Elbe"}, {"id": "r2", "name": "Elbe Annex"}]}
    assert parse_room(state, "Elbe Annex") == "r2"
    assert parse_room(state, "") == ""
    with pytest.raises(Refused, match="no room elbe"):
        parse_room(state, "elbe")
