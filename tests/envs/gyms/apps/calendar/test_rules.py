"""The rules of events, on a calendar with one own event and one invitation."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from envs.gyms.apps.calendar import rules
from envs.gyms.apps.calendar.data import ACCEPTED, DECLINED, INVITED, Item, make_event
from envs.gyms.apps.calendar.times import MONTHLY, WEEKLY
from envs.gyms.kit.company import get_company
from envs.gyms.server.gym import NotFound, Refused, State

WORLD = get_company(1)
USER = WORLD.user.id
OTHERS = [person.id for person in WORLD.people if person.id != USER]
TOMORROW = WORLD.day(1)


@pytest.fixture
def state() -> State:
    """e1 is the user's own, e2 an invitation, e3 of others in room r1, e4 is over."""
    events = [
        make_event(1, "Review", TOMORROW, "09:00", "10:00", USER) | {"people": [OTHERS[0]]},
        make_event(2, "Demo", TOMORROW, "08:00", "09:00", OTHERS[0])
        | {"people": [USER], "status": INVITED},
        make_event(3, "Call", TOMORROW, "11:00", "12:00", OTHERS[0]) | {"room": "r1"},
        make_event(4, "Past", WORLD.day(-1), "09:00", "10:00", USER),
    ]
    return {"events": events, "rooms": [{"id": "r1", "name": "Elbe", "capacity": 2}]}


def get_event(state: State, key: str) -> Item:
    event: Item = next(event for event in state["events"] if event["id"] == key)
    return event


def test_user_events_are_in_order_without_hidden_ones(state: State) -> None:
    keys = [event["id"] for event in rules.list_user_events(WORLD, state)]
    assert keys == ["e4", "e2", "e1"]
    rules.hide_invitation(WORLD, state, "e2")
    assert [event["id"] for event in rules.list_user_events(WORLD, state)] == ["e4", "e1"]


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        ("10:00", "10:00", "End must be after Start"),
        ("07:30", "09:00", "between 08:00 and 18:00"),
        ("17:30", "18:30", "between 08:00 and 18:00"),
    ],
)
def test_events_lie_within_opening_hours(start: str, end: str, message: str) -> None:
    with pytest.raises(Refused, match=message):
        rules.check_time(WORLD, TOMORROW, start, end)
    with pytest.raises(Refused, match="must not be in the past"):
        rules.check_time(WORLD, WORLD.day(-1), "09:00", "10:00")
    rules.check_time(WORLD, WORLD.today, "08:00", "18:00")


def test_rooms_are_free_and_large_enough(state: State) -> None:
    def create(start: str, people: list[str]) -> Item:
        return rules.create_event(WORLD, state, "New", TOMORROW, start, "13:00", "r1", people)

    before = copy.deepcopy(state)
    with pytest.raises(Refused, match="Elbe is booked from 11:00 to 12:00"):
        create("11:30", [])
    with pytest.raises(Refused, match="Elbe seats 2, but 3 people attend"):
        create("12:00", OTHERS[:2])
    assert state == before
    assert create("12:00", OTHERS[:1])["id"] == "e5"


def test_a_series_is_created_as_a_whole_or_not_at_all(state: State) -> None:
    def create(room: str = "", **repeat: Any) -> Item:
        return rules.create_event(
            WORLD, state, "Jour fixe", TOMORROW, "11:00", "12:00", room, **repeat
        )

    first = create(repeat=WEEKLY, times=3)
    assert (first["id"], first["series"]) == ("e5", "s1")
    assert [event["date"] for event in state["events"][4:]] == [WORLD.day(d) for d in (1, 8, 15)]
    assert create(repeat=MONTHLY, times=2)["series"] == "s2"
    count = len(state["events"])
    for repeat in ({"repeat": "Daily"}, {"repeat": WEEKLY, "times": 1}, {"repeat": WEEKLY}):
        with pytest.raises(Refused):
            create(**repeat)
    with pytest.raises(Refused, match="is booked"):
        create("r1", repeat=WEEKLY, times=2)
    assert len(state["events"]) == count


def test_only_the_organizer_changes_an_event_to_come(state: State) -> None:
    with pytest.raises(Refused, match="Only the organizer"):
        rules.move_event(WORLD, state, "e2", WORLD.day(2))
    with pytest.raises(Refused, match="is over"):
        rules.move_event(WORLD, state, "e4", WORLD.day(2))
    with pytest.raises(NotFound):
        rules.move_event(WORLD, state, "e9", WORLD.day(2))
    rules.move_event(WORLD, state, "e1", WORLD.day(2))
    assert get_event(state, "e1")["date"] == WORLD.day(2)


def test_an_edit_may_keep_the_event_s_own_room(state: State) -> None:
    def edit(start: str, end: str) -> None:
        rules.edit_event(
            WORLD, state, "e1", "Review 2", TOMORROW, start, end, "r1", OTHERS[:1], "Notes"
        )

    edit("09:00", "10:00")
    edit("09:30", "10:30")
    assert get_event(state, "e1")["title"] == "Review 2"
    with pytest.raises(Refused, match="is booked"):
        edit("10:30", "11:30")
    assert get_event(state, "e1")["start"] == "09:30"


def test_attendees_come_and_go(state: State) -> None:
    rules.set_attendance(WORLD, state, "e1", OTHERS[3], True)
    assert get_event(state, "e1")["people"] == [OTHERS[0], OTHERS[3]]
    rules.set_attendance(WORLD, state, "e1", OTHERS[0], False)
    assert get_event(state, "e1")["people"] == [OTHERS[3]]
    for person, attends in ((OTHERS[3], True), (OTHERS[0], False), (USER, True)):
        with pytest.raises(Refused, match="This person is"):
            rules.set_attendance(WORLD, state, "e1", person, attends)


def test_one_date_or_all_dates_to_come_of_a_series_are_cancelled(state: State) -> None:
    first = rules.create_event(
        WORLD, state, "Weekly", TOMORROW, "14:00", "15:00", repeat=WEEKLY, times=3
    )
    state["events"].append(get_event(state, "e4") | {"id": "e9", "series": first["series"]})
    rules.cancel_event(WORLD, state, "e6")
    assert [event["id"] for event in state["events"]] == ["e1", "e2", "e3", "e4", "e5", "e7", "e9"]
    rules.cancel_event(WORLD, state, "e7", whole_series=True)
    assert [event["id"] for event in state["events"]] == ["e1", "e2", "e3", "e4", "e9"]
    rules.cancel_event(WORLD, state, "e1", whole_series=True)
    assert [event["id"] for event in state["events"]] == ["e2", "e3", "e4", "e9"]


def test_invitations_are_answered(state: State) -> None:
    rules.answer_invitation(WORLD, state, "e2", "Decline", "Sorry")
    assert (get_event(state, "e2")["status"], get_event(state, "e2")["comment"]) == (
        DECLINED,
        "Sorry",
    )
    rules.answer_invitation(WORLD, state, "e2", "Accept", "")
    assert get_event(state, "e2")["status"] == ACCEPTED
    with pytest.raises(Refused, match="Choose one: Answer"):
        rules.answer_invitation(WORLD, state, "e2", "Perhaps", "")
    with pytest.raises(Refused, match="not invited"):
        rules.answer_invitation(WORLD, state, "e3", "Accept", "")
