"""What the calendar's templates share."""

from __future__ import annotations

import random

import pytest

from envs.gyms.apps.calendar import sampling
from envs.gyms.apps.calendar.initial_state import make_state
from envs.gyms.kit.company import get_company
from envs.gyms.kit.template import Resample
from envs.gyms.server.gym import State

WORLD = get_company(1)


@pytest.fixture
def state() -> State:
    return {"calendar": make_state(WORLD)}


def test_distinct_events_are_told_apart_by_title_and_date(state: State) -> None:
    events = sampling.list_distinct_events(WORLD, state)
    keys = [(event["title"], event["date"]) for event in events]
    assert len(set(keys)) == len(keys)
    assert all(event["date"] > WORLD.today for event in events)
    with pytest.raises(Resample, match="no event fits"):
        sampling.sample_event(WORLD, random.Random(1), state, lambda event: False)


def test_params_of_an_event_have_its_label_in_lists(state: State) -> None:
    event = sampling.sample_event(
        WORLD, random.Random(1), state, sampling.is_organized_by_user(WORLD)
    )
    assert event["organizer"] == WORLD.user.id
    params = sampling.make_event_params(WORLD, event)
    assert params["label"] == f"{event['title']} on {params['date']} at {event['start']}"


def test_days_and_their_place_in_the_month_grid() -> None:
    assert sampling.make_day_params(WORLD, "to", "2026-06-03") == {
        "to": "2026-06-03",
        "to_date": "03.06.2026",
        "to_month": "June 2026",
        "to_number": "3",
    }


def test_attendees_are_other_people_in_the_company_s_order() -> None:
    params = sampling.sample_attendees(WORLD, random.Random(5), 4)
    assert WORLD.user.id not in params["people"]
    assert params["people"] == [p.id for p in WORLD.people if p.id in params["people"]]
    assert sorted(params["names"].split(", ")) == sorted(
        WORLD.person(key).name for key in params["people"]
    )


def test_a_sampled_room_is_free_and_a_booking_takes_it(state: State) -> None:
    for seed in range(200):
        try:
            slot = sampling.sample_free_slot(WORLD, random.Random(seed), state, 5)
        except Resample:
            continue
        room, day = slot["room"], slot["to_day"]
        calendar = sampling.calendar_state(state)
        sampling.add_booking(WORLD, calendar, room, day, slot["start"], slot["end"])
        with pytest.raises(Resample, match="booked"):
            sampling.sample_free_slot(WORLD, random.Random(seed), state, 5)
        return
    raise AssertionError("no free slot in 200 samples")


def test_busy_days_have_meetings_that_are_not_declined(state: State) -> None:
    (day, *_) = sampling.list_busy_days(WORLD, state, 2)
    count = sampling.count_meetings(WORLD, state, day)
    assert count >= 2
    event = next(e for e in sampling.list_distinct_events(WORLD, state) if e["date"] == day)
    event["status"] = "Declined"
    assert sampling.count_meetings(WORLD, state, day) == count - 1
