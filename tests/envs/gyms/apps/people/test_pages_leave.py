"""The pages of leave."""

from __future__ import annotations

from envs.gyms.apps.people import pages_leave as pages
from envs.gyms.apps.people.app import PEOPLE
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of

FORM = {"type": "Training", "from": "2099-03-02", "to": "2099-03-03", "half": "yes"}


def test_a_request_is_entered_decided_and_cancelled() -> None:
    request = make_request(PEOPLE, form=FORM | {"reason": "Too many are away"})
    person = request.state["staff"][5]["id"]
    assert "Vacation left" in text_of(pages.show_leave_form(request, person))
    assert pages.create_leave_request(request, person).path == "/people/leave/l121"
    text = text_of(pages.show_leave(request, "l121"))
    assert "Days 1.5" in text
    assert "Approve leave" in text
    pages.approve_leave_request(request, "l121")
    assert "Approve leave" not in text_of(pages.show_leave(request, "l121"))
    pages.cancel_leave(request, "l121")
    assert request.state["leave"][-1]["status"] == "Cancelled"
    assert "people:leave:l121" in logged_events(request)


def test_a_rejection_takes_a_reason() -> None:
    request = make_request(PEOPLE, form={"reason": "Too many are away"})
    leave = next(leave for leave in request.state["leave"] if leave["status"] == "Pending")
    assert "will read it" in text_of(pages.show_rejection_form(request, leave["id"]))
    pages.reject_leave(request, leave["id"])
    assert (leave["status"], leave["reason"]) == ("Rejected", "Too many are away")


def test_requests_are_filtered_by_status() -> None:
    request = make_request(PEOPLE, query={"status": "Pending"})
    pending = sum(leave["status"] == "Pending" for leave in request.state["leave"])
    assert f"{pending} found" in text_of(pages.show_leave_list(request))
