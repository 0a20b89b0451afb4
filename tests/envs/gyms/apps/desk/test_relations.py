"""The rules that relate tickets, on a desk that a reader can check by hand."""

from __future__ import annotations

import copy

import pytest

from envs.gyms.apps.desk.data import CLOSED, OPEN, SOLVED, Item
from envs.gyms.apps.desk.relations import find_merge_problem, merge_tickets, set_parent
from envs.gyms.server.gym import Refused, State


def make_ticket(number: int, status: str = OPEN, **values: object) -> Item:
    return {
        "id": f"t{number}",
        "number": f"HD-{2000 + number}",
        "subject": f"Subject {number}",
        "customer": "c1",
        "status": status,
        "assignee": "u1",
        "parent": None,
        "merged": None,
        "posts": [],
        **values,
    }


@pytest.fixture
def state() -> State:
    """t3 is a sub-ticket of t2, t4 is another customer's, t5 is closed."""
    return {
        "tickets": [
            make_ticket(1),
            make_ticket(2),
            make_ticket(3, parent="t2"),
            make_ticket(4, customer="c2"),
            make_ticket(5, CLOSED),
        ]
    }


@pytest.mark.parametrize(
    ("key", "into", "problem"),
    [
        (1, 1, "A ticket cannot be merged into itself"),
        (1, 4, "Tickets of different customers cannot be merged"),
        (1, 5, "HD-2005 is closed: it cannot be merged"),
        (5, 1, "HD-2005 is closed: it cannot be merged"),
        (2, 1, "HD-2002 has a sub-ticket that is not solved: it cannot be merged"),
        (1, 2, None),
        (3, 2, None),
    ],
)
def test_what_can_be_merged(state: State, key: int, into: int, problem: str | None) -> None:
    tickets, before = state["tickets"], copy.deepcopy(state)
    assert find_merge_problem(state, tickets[key - 1], tickets[into - 1]) == problem
    if problem:
        with pytest.raises(Refused, match=problem):
            merge_tickets(state, f"t{key}", f"t{into}", "Ada", "2026-03-02")
        assert state == before


def test_a_merge_closes_one_ticket_and_leaves_a_note_on_the_other(state: State) -> None:
    merge_tickets(state, "t1", "t2", "Ada", "2026-03-02")
    merged, into = state["tickets"][:2]
    assert (merged["status"], merged["merged"]) == (CLOSED, "t2")
    assert into["posts"] == [
        {
            "id": "t2-1",
            "kind": "note",
            "author": "Ada",
            "day": "2026-03-02",
            "text": "Merged from HD-2001: Subject 1",
        }
    ]


def test_a_solved_sub_ticket_does_not_stand_in_the_way(state: State) -> None:
    state["tickets"][2]["status"] = SOLVED
    merge_tickets(state, "t2", "t1", "Ada", "2026-03-02")
    assert state["tickets"][1]["status"] == CLOSED


@pytest.mark.parametrize(
    ("key", "parent", "message"),
    [
        ("t1", "t1", "cannot be its own parent"),
        ("t1", "t3", "HD-2003 is a sub-ticket itself"),
        ("t2", "t1", "HD-2002 has sub-tickets of its own"),
        ("t1", "t5", "is closed"),
        ("t5", "t1", "is closed"),
    ],
)
def test_sub_tickets_are_one_level_deep(state: State, key: str, parent: str, message: str) -> None:
    with pytest.raises(Refused, match=message):
        set_parent(state, key, parent)


def test_a_parent_is_set_and_taken_away(state: State) -> None:
    set_parent(state, "t1", "t2")
    assert state["tickets"][0]["parent"] == "t2"
    set_parent(state, "t1", None)
    assert state["tickets"][0]["parent"] is None
