"""Billing's pages of recurring invoices, in the world of seed 1."""

from __future__ import annotations

import pytest

from envs.gyms.apps.billing import schedules
from envs.gyms.apps.billing.app import BILLING
from envs.gyms.server.gym import Refused
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_schedules_are_called_by_customer_and_service() -> None:
    assert schedules.get_schedule_name({"text": "Hosting"}, {"name": "Acme"}) == "Acme: Hosting"


def test_the_list_filters_by_interval() -> None:
    request = make_request(BILLING, path="/schedules", query={"every": "Yearly"})
    yearly = sum(schedule["every"] == "Yearly" for schedule in request.state["schedules"])
    assert f"{yearly} found, sorted by Next" in text_of(schedules.show_schedules(request))


def test_a_schedule_s_page_pauses_and_resumes_it() -> None:
    request = make_request(BILLING, path="/schedules/s1")
    page = schedules.show_schedule(request, "s1")
    assert 'value="1.175,00 €"' in page
    assert 'value="21.07.2026"' in page
    assert "Pause schedule" in page
    assert logged_events(request) == ["billing:schedule:s1"]
    schedules.pause_schedule(request, "s1")
    assert "Resume schedule" in schedules.show_schedule(request, "s1")
    schedules.resume_schedule(request, "s1")
    assert request.state["schedules"][0]["active"] is True


def test_a_schedule_is_saved_with_a_day_to_come() -> None:
    form = {"amount": "99,00", "every": "Yearly", "next": "01.08.2026"}
    request = make_request(BILLING, path="/schedules/s1/save", form=form)
    assert schedules.save_schedule(request, "s1").path == "/billing/schedules/s1"
    schedule = request.state["schedules"][0]
    assert (schedule["amount"], schedule["next"]) == (9900, "2026-08-01")
    form["next"] = "12.05.2026"
    with pytest.raises(Refused, match="must be in the future"):
        schedules.save_schedule(request, "s1")
