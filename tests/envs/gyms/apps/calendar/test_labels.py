"""What the calendar's pages call days, events and rooms."""

from __future__ import annotations

import pytest

from envs.gyms.apps.calendar.app import CALENDAR
from envs.gyms.apps.calendar.labels import (
    get_cell_label,
    get_list_label,
    get_month_name,
    get_room_name,
    link_event,
    parse_address_day,
)
from envs.gyms.kit.locale import Locale
from envs.gyms.server.gym import NotFound
from tests.envs.gyms.apps.app_requests import make_request

EVENT = {"id": "e5", "title": "Demo & talk", "date": "2026-03-05", "start": "09:30", "room": "r1"}


def test_labels_of_an_event() -> None:
    assert get_month_name("2026-03-05") == "March 2026"
    assert get_cell_label(EVENT) == "5: 09:30 Demo & talk"
    assert get_list_label(Locale("us"), EVENT) == "Demo & talk on Mar 5, 2026 at 09:30"
    link = link_event(make_request(CALENDAR), EVENT)
    label = "Demo &amp; talk on 05.03.2026 at 09:30"
    assert link == f'<a href="/calendar/events/e5" aria-label="{label}">Demo &amp; talk</a>'


def test_names_of_rooms() -> None:
    request = make_request(CALENDAR)
    assert get_room_name(request, EVENT) == "Danube"
    assert get_room_name(request, EVENT | {"room": ""}) == "No room"


def test_days_in_addresses() -> None:
    assert parse_address_day("2026-03-05") == "2026-03-05"
    for text in ("2026-02-30", "1999-01-01", "20260305", "2026-03-05x", ""):
        with pytest.raises(NotFound):
            parse_address_day(text)
