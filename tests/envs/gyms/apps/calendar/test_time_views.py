"""The calendar's pages of time, in the world of seed 1: today is Tuesday, 12 May 2026."""

from __future__ import annotations

import pytest

from envs.gyms.apps.calendar.app import CALENDAR
from envs.gyms.apps.calendar.data import DECLINED
from envs.gyms.apps.calendar.rules import list_user_events
from envs.gyms.apps.calendar.time_views import show_day, show_month, show_week
from envs.gyms.server.gym import NotFound
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_a_month_has_its_days_and_leads_to_its_neighbours() -> None:
    request = make_request(CALENDAR, query={"month": "2026-12"})
    page = show_month(request)
    assert "December 2026" in page
    assert page.count('class="day"') == 31
    assert "/calendar/?month=2026-11" in page
    assert "/calendar/?month=2027-01" in page
    assert logged_events(request) == ["calendar:month:2026-12"]


@pytest.mark.parametrize("month", ["", "2026-13", "1999-01", "soon"])
def test_another_month_than_a_real_one_is_the_present_one(month: str) -> None:
    assert "May 2026" in show_month(make_request(CALENDAR, query={"month": month}))


def test_the_grid_begins_with_the_first_day_of_the_settings() -> None:
    request = make_request(CALENDAR)
    names = "Mon Tue Wed Thu Fri Sat Sun"
    assert f"Sun {names[:-4]}" in text_of(show_month(request))
    request.state["settings"]["week"] = "Monday"
    assert names in text_of(show_month(request))


def test_only_own_events_to_come_can_be_dragged() -> None:
    request = make_request(CALENDAR)
    page = show_month(request)
    for event in list_user_events(request.world, request.state):
        if f'data-card="{event["id"]}"' in page:
            assert event["organizer"] == request.world.user.id
            assert event["date"] >= request.world.today


def test_a_week_has_seven_days_from_the_settings_first_day_on() -> None:
    text = text_of(show_week(make_request(CALENDAR, path="/week/2026-05-12"), "2026-05-12"))
    assert "Week from 10.05.2026" in text
    assert "16.05.2026" in text
    assert "17.05.2026" not in text
    with pytest.raises(NotFound):
        show_week(make_request(CALENDAR), "2026-05-32")


def test_a_day_shows_declined_events_which_a_week_does_not() -> None:
    request = make_request(CALENDAR)
    events = list_user_events(request.world, request.state)
    event = next(event for event in events if event["date"] >= request.world.today)
    event |= {"title": "Quite unique", "status": DECLINED}
    day = event["date"]
    text = text_of(show_day(request, day))
    assert "Quite unique" in text
    assert "Declined" in text
    assert "Quite unique" not in text_of(show_week(request, day))
    assert logged_events(request) == [f"calendar:day:{day}"]


def test_a_day_out_of_office_says_why() -> None:
    text = text_of(show_day(make_request(CALENDAR), "2026-05-26"))
    assert "Weekday Tue Out of office Business trip" in text
