"""The help desk's pages of a new ticket and of one ticket, in the world of seed 1."""

from __future__ import annotations

import pytest

from envs.gyms.apps.desk import tickets
from envs.gyms.apps.desk.app import DESK
from envs.gyms.apps.desk.data import CLOSED, WAITING
from envs.gyms.server.gym import NotFound, Refused
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of

FORM = {
    "customer": "cf1",
    "subject": "Too loud",
    "product": "Card reader",
    "priority": "Urgent",
    "text": "It beeps",
}


def test_a_ticket_shows_facts_and_conversation() -> None:
    request = make_request(DESK, path="/tickets/t1")
    text = text_of(tickets.show_ticket(request, "t1"))
    assert "HD-2001 Wrong totals in Label printer" in text
    assert "Status Waiting Priority High Assignee Lina Vidal Created 13.03.2026" in text
    assert "Due 29.05.2026 Tags returns, spare-part" in text
    assert "Hugo Hansen wrote on 14.03.2026 Serial number: LX-23485" in text
    assert "Lina Vidal replied on 15.03.2026" in text
    assert "Lena Rossi, on leave" in text
    assert logged_events(request) == ["desk:ticket:t1"]
    with pytest.raises(NotFound):
        tickets.show_ticket(request, "t999")


def test_parents_and_sub_tickets_lead_to_each_other() -> None:
    request = make_request(DESK, path="/tickets/t34")
    parent = request.state["tickets"][16]
    text = text_of(tickets.show_ticket(request, "t34"))
    assert f"Parent HD-2017 {parent['status']}" in text
    assert "Sub-ticket HD-2034" in text_of(tickets.show_ticket(request, "t17"))


def test_a_ticket_is_created_with_a_due_day_by_priority() -> None:
    request = make_request(DESK, path="/tickets/new/create", form=FORM)
    assert "Create ticket" in text_of(tickets.show_new_ticket(make_request(DESK)))
    redirect = tickets.create_ticket(request)
    assert (redirect.path, redirect.flash) == ("/desk/tickets/t201", "✓ Created HD-2201")
    assert request.state["tickets"][-1]["due"] == request.world.day(2)
    request.form["customer"] = "f1"
    with pytest.raises(Refused, match="Choose one: Requester"):
        tickets.create_ticket(request)


def test_a_ticket_is_saved_and_closed_for_good() -> None:
    form = {"status": WAITING, "priority": "Low", "assignee": "u39"}
    request = make_request(DESK, path="/tickets/t1/save", form=form)
    tickets.save_ticket(request, "t1")
    assert request.state["tickets"][0]["priority"] == "Low"
    assert tickets.close_ticket(request, "t1").flash == "✓ Ticket closed"
    assert request.state["tickets"][0]["status"] == CLOSED
    text = text_of(tickets.show_ticket(request, "t1"))
    assert "This ticket is closed" in text
    assert "Save ticket" not in text
    with pytest.raises(Refused, match="is closed"):
        tickets.save_ticket(request, "t1")
