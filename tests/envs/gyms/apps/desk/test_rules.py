"""The rules of tickets and canned replies, on a desk that a reader can check by hand."""

from __future__ import annotations

import copy

import pytest

from envs.gyms.apps.desk import rules
from envs.gyms.apps.desk.data import CLOSED, NEW, NOTE, OPEN, REPLY, SOLVED, WAITING, Item
from envs.gyms.server.gym import Refused, State


def make_ticket(number: int, status: str, assignee: str | None = "u1", **values: object) -> Item:
    return {
        "id": f"t{number}",
        "number": f"HD-{2000 + number}",
        "customer": "c1",
        "subject": "Web shop is slow",
        "product": "Web shop",
        "status": status,
        "priority": "Normal",
        "assignee": assignee,
        "created": "2026-03-01",
        "due": "2026-03-10",
        "tags": [],
        "parent": None,
        "merged": None,
        "escalated": None,
        "posts": [],
        **values,
    }


@pytest.fixture
def state() -> State:
    """New t1, open t2 with the open sub-ticket t3, waiting t4, closed t5; u2 is on leave."""
    return {
        "agents": [
            {"id": "u1", "name": "Ada", "away": False},
            {"id": "u2", "name": "Bo", "away": True},
        ],
        "customers": [{"id": "c1", "name": "Cleo Roth", "org": "Acme"}],
        "tickets": [
            make_ticket(1, NEW, None),
            make_ticket(2, OPEN),
            make_ticket(3, OPEN, parent="t2"),
            make_ticket(4, WAITING),
            make_ticket(5, CLOSED),
        ],
        "canned": [{"id": "r1", "title": "Hello", "text": "Hello %name%!"}],
    }


def get_ticket(state: State, key: str) -> Item:
    ticket: Item = state["tickets"][int(key[1:]) - 1]
    return ticket


def test_numbers_are_found_in_any_case(state: State) -> None:
    assert rules.get_ticket_by_number(state, " hd-2003 ")["id"] == "t3"
    with pytest.raises(Refused, match="no ticket 'HD-9'"):
        rules.get_ticket_by_number(state, "HD-9")


def test_a_new_ticket_that_gets_an_assignee_is_open(state: State) -> None:
    rules.update_ticket(state, "t1", assignee="u1")
    assert (get_ticket(state, "t1")["status"], get_ticket(state, "t1")["assignee"]) == (OPEN, "u1")
    with pytest.raises(Refused, match="Only a new ticket can be without"):
        rules.update_ticket(state, "t1", assignee="")


@pytest.mark.parametrize(
    ("key", "change", "message"),
    [
        ("t1", {"status": OPEN}, "HD-2001 needs an assignee first"),
        ("t2", {"status": NEW}, "cannot become new again"),
        ("t2", {"status": SOLVED}, "has a sub-ticket that is not solved: HD-2003"),
        ("t3", {"status": CLOSED}, "can be closed only when it waits or is solved"),
        ("t2", {"status": "Lost"}, "Choose one: Status"),
        ("t2", {"priority": "Top"}, "Choose one: Priority"),
        ("t2", {"assignee": "u9"}, "Choose one: Assignee"),
        ("t2", {"assignee": "u2"}, "Bo is away and takes no tickets"),
        ("t5", {"priority": "High"}, "is closed: it cannot be changed any more"),
        ("t3", {"priority": "High", "status": CLOSED}, "can be closed only"),
    ],
)
def test_refused_updates_change_nothing(
    state: State, key: str, change: dict[str, str], message: str
) -> None:
    before = copy.deepcopy(state)
    with pytest.raises(Refused, match=message):
        rules.update_ticket(state, key, **change)
    assert state == before


def test_a_parent_is_solved_after_its_sub_tickets(state: State) -> None:
    assert [t["id"] for t in rules.list_unfinished_children(state, "t2")] == ["t3"]
    rules.update_ticket(state, "t3", SOLVED)
    rules.update_ticket(state, "t2", SOLVED)
    rules.update_ticket(state, "t2", CLOSED)
    assert get_ticket(state, "t2")["status"] == CLOSED


def test_only_new_and_open_tickets_are_overdue(state: State) -> None:
    overdue = [t["id"] for t in state["tickets"] if rules.is_overdue(t, "2026-03-11")]
    assert overdue == ["t1", "t2", "t3"]
    assert not rules.is_overdue(state["tickets"][0], "2026-03-10")


def test_a_reply_opens_a_new_ticket_with_an_assignee_and_a_note_does_not(state: State) -> None:
    get_ticket(state, "t1")["assignee"] = "u1"
    rules.add_post(state, "t1", NOTE, "Seen", "Ada", "2026-03-02")
    assert get_ticket(state, "t1")["status"] == NEW
    rules.add_post(state, "t1", REPLY, "Hello", "Ada", "2026-03-03")
    assert get_ticket(state, "t1")["status"] == OPEN
    assert get_ticket(state, "t1")["posts"][1] == {
        "id": "t1-2",
        "kind": REPLY,
        "author": "Ada",
        "day": "2026-03-03",
        "text": "Hello",
    }
    with pytest.raises(Refused, match="Send as"):
        rules.add_post(state, "t1", "message", "Hello", "Ada", "2026-03-03")


def test_a_ticket_is_escalated_once_with_a_reason(state: State) -> None:
    with pytest.raises(Refused, match="at least 10 letters"):
        rules.escalate_ticket(state, "t2", "Supplier", "Too short", "Ada", "2026-03-02")
    with pytest.raises(Refused, match="Escalate to"):
        rules.escalate_ticket(state, "t2", "Nobody", "Long enough", "Ada", "2026-03-02")
    rules.escalate_ticket(state, "t2", "Supplier", "Long enough", "Ada", "2026-03-02")
    ticket = get_ticket(state, "t2")
    assert (ticket["escalated"], ticket["priority"]) == ("Supplier", "High")
    assert ticket["posts"][-1]["text"] == "Escalated to Supplier: Long enough"
    with pytest.raises(Refused, match="escalated already"):
        rules.escalate_ticket(state, "t2", "Management", "Long enough", "Ada", "2026-03-02")


def test_tags_are_sorted_lower_case_and_unique(state: State) -> None:
    rules.edit_ticket(state, "t2", "New", "Web shop", "2026-03-01", " VIP, how-to,,vip ")
    assert get_ticket(state, "t2")["tags"] == ["how-to", "vip"]
    for product, due, tags, message in (
        ("Toaster", "2026-03-01", "", "Product"),
        ("Web shop", "2026-02-28", "", "must not be before"),
        ("Web shop", "2026-03-01", "v i p", "A tag is letters"),
    ):
        with pytest.raises(Refused, match=message):
            rules.edit_ticket(state, "t2", "Newer", product, due, tags)
    assert get_ticket(state, "t2")["subject"] == "New"


def test_a_new_ticket_has_the_customer_s_message(state: State) -> None:
    ticket = rules.create_ticket(
        state, "c1", "Help", "Web shop", "Low", "It is slow", "2026-03-05", "2026-03-25"
    )
    assert (ticket["id"], ticket["number"], ticket["status"]) == ("t6", "HD-2006", NEW)
    assert ticket["posts"] == [
        {
            "id": "t6-1",
            "kind": "message",
            "author": "Cleo Roth",
            "day": "2026-03-05",
            "text": "It is slow",
        }
    ]
    with pytest.raises(Refused, match="product and a priority"):
        rules.create_ticket(state, "c1", "Help", "Web shop", "Top", "x", "2026-03-05", "2026-03-25")


def test_canned_replies_have_titles_of_their_own(state: State) -> None:
    assert rules.save_canned_reply(state, None, "Bye", "Bye %name%")["id"] == "r2"
    rules.save_canned_reply(state, "r2", "BYE", "So long")
    assert state["canned"][1] == {"id": "r2", "title": "BYE", "text": "So long"}
    for key in (None, "r2"):
        with pytest.raises(Refused, match="There is a canned reply 'hello' already"):
            rules.save_canned_reply(state, key, "hello", "x")
    assert len(state["canned"]) == 2


def test_a_canned_reply_is_filled_with_the_first_name(state: State) -> None:
    text = rules.fill_canned_reply(state["canned"][0], state["customers"][0])
    assert text == "Hello Cleo!"
