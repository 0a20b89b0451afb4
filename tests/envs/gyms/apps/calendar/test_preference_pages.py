"""The calendar's pages of days out of office and of settings, in the world of seed 1."""

from __future__ import annotations

import pytest

from envs.gyms.apps.calendar import preference_pages as pages
from envs.gyms.apps.calendar.app import CALENDAR
from envs.gyms.server.gym import NotFound, Refused
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of

FORM = {"first": "14.05.2026", "last": "15.05.2026", "reason": "Training"}


def test_days_out_of_office_are_listed_in_order() -> None:
    request = make_request(CALENDAR, path="/away")
    text = text_of(pages.show_absences(request))
    past = "23.04.2026 to 27.04.2026 Sick leave"
    assert f"{past} 25.05.2026 to 29.05.2026 Business trip" in text
    assert logged_events(request) == ["calendar:away"]
    request.state["away"].clear()
    assert "No days yet" in text_of(pages.show_absences(request))


def test_days_are_entered_changed_and_removed() -> None:
    request = make_request(CALENDAR, path="/away/new/add", form=FORM)
    assert "Decline all invitations" in text_of(pages.show_new_absence(make_request(CALENDAR)))
    assert pages.add_absence(request).path == "/calendar/away"
    absence = request.state["away"][-1]
    assert (absence["id"], absence["first"], absence["last"]) == (
        "a4",
        "2026-05-14",
        "2026-05-15",
    )
    request.form["last"] = "16.05.2026"
    pages.save_absence(request, "a4")
    page = make_request(CALENDAR, path="/away/a4", state=request.state)
    assert "14.05.2026 to 16.05.2026" in text_of(pages.show_absence(page, "a4"))
    pages.remove_absence(request, "a4")
    with pytest.raises(NotFound):
        pages.save_absence(request, "a4")


def test_ticking_the_box_declines_the_invitations_of_these_days() -> None:
    form = FORM | {"last": "24.05.2026", "decline": "yes"}
    request = make_request(CALENDAR, path="/away/new/add", form=form)
    pages.add_absence(request)
    user = request.world.user.id
    invitations = [
        event
        for event in request.state["events"]
        if user in event["people"] and "2026-05-14" <= event["date"] <= "2026-05-24"
    ]
    assert invitations
    assert {event["status"] for event in invitations} == {"Declined"}


def test_settings_are_shown_and_saved() -> None:
    form = {"starts": "08:00", "ends": "17:00", "week": "Monday", "reminder": "None"}
    request = make_request(CALENDAR, path="/settings", form=form)
    assert '<option value="09:30" selected>' in pages.show_settings(request)
    assert pages.save_settings(request).flash == "✓ Settings saved"
    assert request.state["settings"] == form
    request.form["week"] = ""
    with pytest.raises(Refused):
        pages.save_settings(request)
