"""The help desk's state of a seed."""

from __future__ import annotations

import pytest

from envs.gyms.apps.desk.data import DEVICES, FINISHED_STATUSES, NEW, SERIAL_PREFIX
from envs.gyms.apps.desk.initial_state import SUB_TICKETS, TICKETS, make_state
from envs.gyms.kit.company import get_company


def test_a_seed_makes_one_state() -> None:
    state = make_state(get_company(1))
    assert state == make_state(get_company(1))
    assert len(state["tickets"]) == TICKETS
    ticket = state["tickets"][0]
    assert ticket["number"] == "HD-2001"
    assert (ticket["subject"], ticket["customer"]) == ("Wrong totals in Label printer", "cf6")
    assert [post["text"] for post in ticket["posts"]] == [
        "It worked last week, and nobody here changed anything.",
        "Serial number: LX-23485",
        "We need some more details from you.",
    ]
    assert [agent["name"] for agent in state["agents"] if agent["away"]] == [
        "Lena Rossi",
        "Ben Berger",
    ]


@pytest.mark.parametrize("seed", range(4))
def test_tickets_agree_with_their_state(seed: int) -> None:
    state = make_state(get_company(seed))
    tickets = {ticket["id"]: ticket for ticket in state["tickets"]}
    days = [ticket["created"] for ticket in state["tickets"]]
    assert days == sorted(days)
    for ticket in tickets.values():
        assert ticket["assignee"] or ticket["status"] == NEW
        texts = [post["text"] for post in ticket["posts"]]
        serials = sum(text.startswith(SERIAL_PREFIX) for text in texts)
        assert serials == (ticket["product"] in DEVICES["train"])
    children = [ticket for ticket in tickets.values() if ticket["parent"]]
    assert len(children) == SUB_TICKETS
    for child in children:
        assert child["status"] not in FINISHED_STATUSES
        assert tickets[child["parent"]]["parent"] is None
