"""What the help desk's templates share."""

from __future__ import annotations

import random

import pytest

from envs.contract.observations import Observation, Tree
from envs.gyms.apps.desk import sampling
from envs.gyms.apps.desk.data import OPEN
from envs.gyms.apps.desk.initial_state import make_state
from envs.gyms.kit.company import get_company
from envs.gyms.kit.template import Resample
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


@pytest.fixture
def state() -> State:
    return {"desk": make_state(get_company(1))}


def test_tickets_are_sampled_among_those_that_fit(state: State) -> None:
    ticket = sampling.sample_ticket(random.Random(1), state, sampling.is_in_progress)
    assert ticket["assignee"]
    with pytest.raises(Resample, match="no such ticket"):
        sampling.sample_ticket(random.Random(1), state, lambda ticket: False)


def test_parents_of_unfinished_tickets_are_not_closable(state: State) -> None:
    desk = sampling.desk_state(state)
    parent, child = desk["tickets"][16], desk["tickets"][33]
    assert child["parent"] == parent["id"]
    assert sampling.is_in_progress(parent)
    assert not sampling.is_closable(desk, parent)
    assert sampling.is_closable(desk, child)


def test_agents_on_leave_and_excluded_ones_are_not_sampled(state: State) -> None:
    agents = sampling.desk_state(state)["agents"]
    present = [agent["id"] for agent in agents if not agent["away"]]
    chosen = {
        sampling.sample_agent(random.Random(seed), state, present[0])["agent"] for seed in range(99)
    }
    assert chosen == set(present[1:])


def test_tickets_of_an_agent(state: State) -> None:
    tickets = sampling.list_tickets_of_agent(state, "Lina Vidal", OPEN)
    assert tickets
    assert {(ticket["assignee"], ticket["status"]) for ticket in tickets} == {("u39", OPEN)}


def test_rows_of_a_list_are_read_with_their_texts() -> None:
    lines = (
        "link New ticket #1",
        "text 2 found, sorted by Newest",
        "link HD-2002 #2",
        "text Error 42 on Web shop",
        "text Open",
        "link HD-2001 #3",
        "text Error 24 on Web shop",
        "link Next page #4",
        "text The end",
    )
    tree = Tree(id=1, text="\n".join(lines))
    page = Page(Observation(hash="", url="/desk/tickets", title="Tickets", tree=tree))
    assert sampling.read_rows(page) == [
        ("HD-2002", ["Error 42 on Web shop", "Open"]),
        ("HD-2001", ["Error 24 on Web shop"]),
    ]
