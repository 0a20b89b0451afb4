"""The calendar state of a seed."""

from __future__ import annotations

import random

import pytest

from envs.gyms.apps.calendar.availability import find_clashes
from envs.gyms.apps.calendar.initial_state import OWN_SERIES, make_state, sample_title
from envs.gyms.kit.company import get_company


def test_a_seed_makes_one_state() -> None:
    state = make_state(get_company(1))
    assert state == make_state(get_company(1))
    assert state["settings"] == {
        "starts": "09:30",
        "ends": "15:30",
        "week": "Sunday",
        "reminder": "30 minutes",
    }
    assert state["rooms"][0] == {
        "id": "r1",
        "name": "Danube",
        "building": "Harbour Wing",
        "floor": 4,
        "capacity": 4,
        "equipment": ["Whiteboard"],
    }
    assert len(state["events"]) == 192


@pytest.mark.parametrize("seed", range(4))
def test_rooms_are_large_enough_and_never_booked_twice(seed: int) -> None:
    state = make_state(get_company(seed))
    seats = {room["id"]: room["capacity"] for room in state["rooms"]}
    for event in state["events"]:
        if event["room"]:
            assert len(event["people"]) < seats[event["room"]]
            day, start, end = event["date"], event["start"], event["end"]
            assert find_clashes(state["events"], event["room"], day, start, end) == [event]


@pytest.mark.parametrize("seed", range(4))
def test_the_user_organizes_some_series_and_is_away_before_and_after_today(seed: int) -> None:
    world = get_company(seed)
    state = make_state(world)
    for event in state["events"]:
        if event["series"] in OWN_SERIES:
            assert event["organizer"] == world.user.id
    past, *coming = sorted(state["away"], key=lambda absence: absence["first"])
    assert past["last"] < world.today < coming[0]["first"]


def test_titles_name_a_department_a_firm_or_nothing() -> None:
    world, rng = get_company(1), random.Random(3)
    titles = [sample_title(world, rng) for _ in range(100)]
    firms = [title.partition(" with ")[2] for title in titles if " with " in title]
    assert 20 < len(firms) < 60
    assert set(firms) <= {firm.name for firm in world.firms}
