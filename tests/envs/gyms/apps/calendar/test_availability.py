"""When rooms are booked and free."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.gyms.apps.calendar.availability import (
    find_clashes,
    find_first_free_hour,
    find_free_rooms,
    list_free_spans,
)
from envs.gyms.apps.calendar.data import Item
from envs.gyms.apps.calendar.times import CLOSES, OPENS, to_clock
from envs.gyms.server.gym import State

DAY = "2026-03-05"


def make_state(*spans: tuple[str, str]) -> State:
    """Room r1 (4 seats) is booked at these times, room r2 (8 seats) is free."""
    events = [{"room": "r1", "date": DAY, "start": a, "end": b} for a, b in spans]
    return {
        "events": events,
        "rooms": [{"id": "r1", "capacity": 4}, {"id": "r2", "capacity": 8}],
    }


@pytest.mark.parametrize(
    ("start", "end", "clashes"),
    [("08:00", "09:00", 0), ("08:00", "09:01", 1), ("09:30", "09:45", 1), ("10:00", "11:00", 0)],
)
def test_events_clash_when_they_overlap(start: str, end: str, clashes: int) -> None:
    events: list[Item] = make_state(("09:00", "10:00"))["events"]
    assert len(find_clashes(events, "r1", DAY, start, end)) == clashes
    assert find_clashes(events, "r2", DAY, start, end) == []
    assert find_clashes(events, "r1", "2026-03-06", start, end) == []


def test_free_spans_lie_between_bookings() -> None:
    state = make_state(("10:00", "11:00"), ("08:00", "09:30"), ("11:00", "12:00"))
    assert list_free_spans(state, "r1", DAY) == [("09:30", "10:00"), ("12:00", CLOSES)]
    assert list_free_spans(state, "r2", DAY) == [(OPENS, CLOSES)]
    assert list_free_spans(make_state((OPENS, CLOSES)), "r1", DAY) == []


def test_the_first_free_hour_is_a_whole_one() -> None:
    state = make_state(("08:30", "09:30"), ("10:00", "17:00"))
    assert find_first_free_hour(state, "r1", DAY) == "17:00"
    assert find_first_free_hour(state, "r2", DAY) == OPENS
    assert find_first_free_hour(make_state((OPENS, "17:30")), "r1", DAY) is None


def test_free_rooms_are_large_enough() -> None:
    state = make_state(("09:00", "10:00"))

    def find(start: str, seats: int) -> list[str]:
        return [room["id"] for room in find_free_rooms(state, DAY, start, "11:00", seats)]

    assert find("10:00", 4) == ["r1", "r2"]
    assert find("10:00", 5) == ["r2"]
    assert find("09:30", 4) == ["r2"]
    assert find("09:30", 9) == []


@given(st.lists(st.tuples(st.integers(480, 1080), st.integers(480, 1080)), max_size=6))
def test_free_spans_and_bookings_never_overlap(bookings: list[tuple[int, int]]) -> None:
    spans = [(to_clock(min(b)), to_clock(max(b))) for b in bookings if b[0] != b[1]]
    state = make_state(*spans)
    for start, end in list_free_spans(state, "r1", DAY):
        assert start < end
        assert not find_clashes(state["events"], "r1", DAY, start, end)
