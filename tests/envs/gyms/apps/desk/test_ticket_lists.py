"""The help desk's pages that list tickets, in the world of seed 1."""

from __future__ import annotations

from envs.gyms.apps.desk import ticket_lists
from envs.gyms.apps.desk.app import DESK
from envs.gyms.apps.desk.data import CLOSED, OPEN
from envs.gyms.apps.desk.rules import is_overdue
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_the_overview_counts_by_status() -> None:
    request = make_request(DESK)
    tickets = request.state["tickets"]
    text = text_of(ticket_lists.show_overview(request))
    for status in (OPEN, CLOSED):
        assert f"{status} {sum(t['status'] == status for t in tickets)}" in text
    for ticket in tickets:
        ticket["assignee"] = "u1"
    assert "All tickets have an assignee" in text_of(ticket_lists.show_overview(request))


def test_tickets_are_filtered_and_sorted() -> None:
    query = {"status": OPEN, "priority": "High", "sort": "Due first", "assignee": "Any"}
    request = make_request(DESK, path="/tickets", query=query)
    tickets = [
        (ticket["due"], ticket["number"])
        for ticket in request.state["tickets"]
        if ticket["status"] == OPEN and ticket["priority"] == "High"
    ]
    text = text_of(ticket_lists.show_tickets(request))
    assert f"{len(tickets)} found, sorted by Due first" in text
    numbers = [number for _, number in sorted(tickets)[:10]]
    positions = [text.index(number) for number in numbers]
    assert positions == sorted(positions)
    assert logged_events(request) == ["desk:tickets"]


def test_deadlines_count_overdue_tickets_by_assignee() -> None:
    request = make_request(DESK, path="/deadlines")
    overdue = [t for t in request.state["tickets"] if is_overdue(t, request.world.today)]
    of_agent = sum(ticket["assignee"] == "u39" for ticket in overdue)
    without_agent = sum(ticket["assignee"] is None for ticket in overdue)
    text = text_of(ticket_lists.show_deadlines(request))
    assert f"Today 12.05.2026 Overdue in all {len(overdue)}" in text
    assert f"Lina Vidal {of_agent}" in text
    assert f"Nobody {without_agent} Overdue tickets" in text
