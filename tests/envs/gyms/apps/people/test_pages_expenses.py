"""The pages of expense reports."""

from __future__ import annotations

from envs.gyms.apps.people import pages_expenses as pages
from envs.gyms.apps.people.app import PEOPLE
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_a_report_is_written_and_sent_back() -> None:
    request = make_request(PEOPLE, form={"person": "u1", "purpose": "Trade fair"})
    assert "Create report" in text_of(pages.show_report_form(request))
    assert pages.create_report(request).path == "/people/expenses/e61"
    assert "No lines yet" in text_of(pages.show_report(request, "e61"))
    line = {"category": "Taxi", "date": request.world.today, "amount": "60", "receipt": ""}
    request.form.update(line)
    assert "Save line" in text_of(pages.show_line_form(request, "e61"))
    pages.add_line(request, "e61")
    assert "Missing" in text_of(pages.show_report(request, "e61"))
    pages.submit_report(request, "e61")
    assert "Approve report" in text_of(pages.show_report(request, "e61"))
    assert "Send report back" in text_of(pages.show_return_form(request, "e61"))
    request.form["reason"] = "A receipt is missing"
    pages.send_report_back(request, "e61")
    request.form["line"] = "e61-1"
    pages.remove_line(request, "e61")
    assert request.state["reports"][-1]["lines"] == []
    assert "people:report:e61" in logged_events(request)


def test_the_largest_report_comes_first() -> None:
    request = make_request(PEOPLE, query={"sort": "Largest", "status": "Submitted"})
    reports = [report for report in request.state["reports"] if report["status"] == "Submitted"]
    total = max(sum(line["amount"] for line in report["lines"]) for report in reports)
    text = text_of(pages.show_reports(request))
    assert f"{len(reports)} found, sorted by Largest" in text
    assert request.locale.format_money(total) in text


def test_approval() -> None:
    request = make_request(PEOPLE)
    report = next(
        report
        for report in request.state["reports"]
        if report["status"] == "Submitted" and all(line["receipt"] for line in report["lines"])
    )
    pages.approve_report(request, report["id"])
    assert report["status"] == "Approved"
