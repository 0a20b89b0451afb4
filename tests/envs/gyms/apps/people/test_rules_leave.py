"""What the portal allows with leave."""

from __future__ import annotations

import pytest

from envs.gyms.apps.people import rules_leave as rules
from envs.gyms.kit.listing import Item
from envs.gyms.server.gym import Refused, State

MONDAY, TUESDAY = "2099-03-02", "2099-03-03"


@pytest.mark.parametrize(("halves", "text"), [(0, "0"), (1, "0.5"), (4, "2"), (5, "2.5")])
def test_days_as_text(halves: int, text: str) -> None:
    assert rules.format_days(halves) == text


def test_requests_take_from_the_balance_until_they_are_rejected(
    portal: State, person: Item
) -> None:
    key = person["id"]
    left = rules.vacation_left(portal, key)
    leave = rules.request_leave(portal, key, "Vacation", MONDAY, TUESDAY, half=True)
    assert (leave["number"], leave["halves"]) == ("LV-1121", 3)
    assert rules.vacation_left(portal, key) == left - 3
    with pytest.raises(Refused, match="Reason is required"):
        rules.decide_leave(portal, leave["id"], "Rejected")
    rules.decide_leave(portal, leave["id"], "Rejected", "Too many are away")
    assert rules.vacation_left(portal, key) == left
    with pytest.raises(Refused, match="rejected already"):
        rules.decide_leave(portal, leave["id"], "Approved")


@pytest.mark.parametrize(
    ("kind", "first", "last", "message"),
    [
        ("Vacation", TUESDAY, MONDAY, "before the first"),
        ("Vacation", "2099-02-28", "2099-03-01", "a working day"),
        ("Training", MONDAY, "2099-08-01", "no more than 90 days"),
        ("Vacation", MONDAY, "2099-05-29", "days of vacation are left"),
        ("Party", MONDAY, TUESDAY, "Choose one: Type"),
    ],
)
def test_what_is_refused_adds_nothing(
    portal: State, person: Item, kind: str, first: str, last: str, message: str
) -> None:
    with pytest.raises(Refused, match=message):
        rules.request_leave(portal, person["id"], kind, first, last)
    assert len(portal["leave"]) == 120


def test_requests_do_not_overlap_and_are_cancelled_ahead(portal: State, person: Item) -> None:
    leave = rules.request_leave(portal, person["id"], "Training", MONDAY, TUESDAY)
    with pytest.raises(Refused, match="overlaps with LV-1121"):
        rules.request_leave(portal, person["id"], "Vacation", TUESDAY, TUESDAY)
    with pytest.raises(Refused, match="It has begun"):
        rules.cancel_leave(portal, leave["id"], MONDAY)
    rules.cancel_leave(portal, leave["id"], "2099-03-01")
    assert leave["status"] == "Cancelled"
    with pytest.raises(Refused, match="cancelled already"):
        rules.cancel_leave(portal, leave["id"], "2099-03-01")
