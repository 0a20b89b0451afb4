"""The help desk's forms on a ticket, in the world of seed 1."""

from __future__ import annotations

import pytest

from envs.gyms.apps.desk import ticket_forms
from envs.gyms.apps.desk.app import DESK
from envs.gyms.apps.desk.data import NOTE, REPLY, SOLVED, WAITING
from envs.gyms.server.gym import Refused
from tests.envs.gyms.apps.app_requests import make_request, text_of


def test_a_canned_reply_is_inserted_with_the_customer_s_first_name() -> None:
    request = make_request(DESK, path="/tickets/t1/write", query={"canned": "r9"})
    page = ticket_forms.show_message_form(request, "t1")
    assert "Hello Hugo, we have approved your refund." in page
    assert '<option value="r9" selected>Refund approved</option>' in page
    empty = ticket_forms.show_message_form(make_request(DESK, path="/tickets/t1/write"), "t1")
    assert "Hello Hugo" not in empty


def test_a_reply_and_its_status_are_one_message() -> None:
    form = {"text": "All done", "kind": REPLY, "then": SOLVED}
    request = make_request(DESK, path="/tickets/t1/write/send", form=form)
    assert ticket_forms.send_message(request, "t1").flash == "✓ Reply sent"
    ticket = request.state["tickets"][0]
    assert (ticket["status"], ticket["posts"][-1]["text"]) == (SOLVED, "All done")
    request.form.update(kind=NOTE, then=ticket_forms.KEEP_STATUS)
    assert ticket_forms.send_message(request, "t1").flash == "✓ Note saved"
    assert ticket["status"] == SOLVED
    for field, value in (("text", ""), ("kind", "message"), ("then", "Closed")):
        bad = make_request(DESK, form={**form, field: value})
        with pytest.raises(Refused):
            ticket_forms.send_message(bad, "t1")


def test_details_are_saved() -> None:
    page = ticket_forms.show_details_form(make_request(DESK), "t1")
    assert 'value="returns, spare-part"' in page
    assert 'value="29.05.2026"' in page
    form = {"subject": "X", "product": "Mobile app", "due": "1.6.2026", "tags": "vip"}
    request = make_request(DESK, path="/tickets/t1/details/save", form=form)
    assert ticket_forms.save_details(request, "t1").path == "/desk/tickets/t1"
    ticket = request.state["tickets"][0]
    assert (ticket["due"], ticket["tags"], ticket["status"]) == ("2026-06-01", ["vip"], WAITING)


def test_a_ticket_is_escalated_with_a_reason() -> None:
    assert "Escalate HD-2001" in text_of(
        ticket_forms.show_escalation_form(make_request(DESK), "t1")
    )
    form = {"team": "Supplier", "reason": "The part is missing"}
    request = make_request(DESK, path="/tickets/t1/escalate/send", form=form)
    assert ticket_forms.escalate_ticket(request, "t1").flash == "✓ Ticket escalated"
    assert request.state["tickets"][0]["escalated"] == "Supplier"
    with pytest.raises(Refused, match="Reason is required"):
        ticket_forms.escalate_ticket(make_request(DESK, form={"team": "Supplier"}), "t1")
