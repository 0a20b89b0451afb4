"""The rules of days out of office and of settings."""

from __future__ import annotations

import copy

import pytest

from envs.gyms.apps.calendar.data import DECLINED, INVITED, make_event
from envs.gyms.apps.calendar.preferences import (
    is_free_of_absences,
    remove_away,
    save_away,
    save_settings,
)
from envs.gyms.kit.company import get_company
from envs.gyms.server.gym import NotFound, Refused, State

WORLD = get_company(1)
USER = WORLD.user.id


@pytest.fixture
def state() -> State:
    """Out of office from the 10th to the 12th day; an invitation and an own event on day 5."""
    invitation = make_event(1, "Demo", WORLD.day(5), "09:00", "10:00", "u9")
    own = make_event(2, "Review", WORLD.day(5), "11:00", "12:00", USER)
    return {
        "events": [invitation | {"people": [USER], "status": INVITED}, own],
        "away": [{"id": "a1", "first": WORLD.day(10), "last": WORLD.day(12), "reason": "Holiday"}],
        "settings": {},
    }


def test_absences_do_not_overlap(state: State) -> None:
    assert is_free_of_absences(state, WORLD.day(1), WORLD.day(9))
    assert not is_free_of_absences(state, WORLD.day(12), WORLD.day(13))
    assert is_free_of_absences(state, WORLD.day(12), WORLD.day(13), except_key="a1")
    with pytest.raises(Refused, match="already"):
        save_away(WORLD, state, None, WORLD.day(8), WORLD.day(10), "Holiday")
    save_away(WORLD, state, "a1", WORLD.day(11), WORLD.day(14), "Training")
    assert state["away"][0]["last"] == WORLD.day(14)


def test_invitations_are_declined_only_where_asked_for(state: State) -> None:
    before = copy.deepcopy(state)
    assert save_away(WORLD, before, None, WORLD.day(4), WORLD.day(5), "Holiday")["id"] == "a2"
    assert before["events"] == state["events"]
    save_away(WORLD, state, None, WORLD.day(4), WORLD.day(5), "Holiday", declines=True)
    assert [event["status"] for event in state["events"]] == [DECLINED, "Accepted"]


@pytest.mark.parametrize(
    ("first", "last", "reason", "message"),
    [
        (3, 2, "Holiday", "Last day must not be before First day"),
        (-1, 2, "Holiday", "must not be in the past"),
        (1, 2, "Fun", "Choose one: Reason"),
    ],
)
def test_wrong_absences_are_refused(
    state: State, first: int, last: int, reason: str, message: str
) -> None:
    with pytest.raises(Refused, match=message):
        save_away(WORLD, state, None, WORLD.day(first), WORLD.day(last), reason)
    assert len(state["away"]) == 1


def test_absences_are_removed(state: State) -> None:
    remove_away(state, "a1")
    assert state["away"] == []
    with pytest.raises(NotFound):
        remove_away(state, "a1")


def test_settings_have_options(state: State) -> None:
    save_settings(state, "09:00", "17:00", "Monday", "None")
    assert state["settings"]["week"] == "Monday"
    with pytest.raises(Refused):
        save_settings(state, "09:05", "17:00", "Monday", "None")
    with pytest.raises(Refused):
        save_settings(state, "09:00", "17:00", "Friday", "None")
