"""The calendar's site tools."""

from __future__ import annotations

from typing import Any

import pytest

from envs.gyms.apps.calendar import tools
from envs.gyms.apps.calendar.app import CALENDAR
from envs.gyms.apps.calendar.rules import list_user_events
from envs.gyms.kit.site_tools import SiteTool, ToolContext
from envs.gyms.server.gym import Refused
from tests.envs.gyms.apps.app_requests import make_tool_context


@pytest.fixture
def context() -> ToolContext:
    return make_tool_context(CALENDAR)


def call(tool: SiteTool, context: ToolContext, **arguments: Any) -> Any:
    return tool.call(context.world, context.state, arguments)


def test_an_event_is_created_found_and_cancelled(context: ToolContext) -> None:
    day = context.world.day(40)
    attendee = next(p for p in context.world.people if p is not context.world.user)
    key = call(
        tools.create_event,
        context,
        title="Bake sale",
        day=day,
        start="9:30",
        end="10:00",
        attendees=attendee.name,
        repeat="Weekly",
        times=2,
    )
    (event,) = call(tools.find_events, context, text="bake", day=day)
    assert event == {
        "id": key,
        "title": "Bake sale",
        "date": day,
        "start": "09:30",
        "end": "10:00",
        "series": "s12",
        "status": "Accepted",
    }
    assert len(call(tools.find_events, context, text="BAKE")) == 2
    assert call(tools.cancel_event, context, event=key, whole_series=True) == "cancelled"
    assert call(tools.find_events, context, text="bake") == []


def test_results_are_limited(context: ToolContext) -> None:
    assert len(call(tools.find_events, context, text="")) == tools.MAX_RESULTS


def test_an_invitation_is_answered(context: ToolContext) -> None:
    user = context.world.user.id
    event = next(
        event
        for event in list_user_events(context.world, context.state)
        if event["date"] > context.world.today and user in event["people"]
    )
    answer = {"event": event["id"], "answer": "Decline", "comment": "Sorry"}
    assert call(tools.answer_invitation, context, **answer) == "answered"
    events = {e["id"]: e for e in context.state["events"]}
    assert events[event["id"]]["status"] == "Declined"


def test_free_rooms_seat_so_many(context: ToolContext) -> None:
    time = {"day": context.world.day(40), "start": "9:00", "end": "10:00"}
    rooms = call(tools.free_rooms, context, **time, people=12)
    assert rooms
    assert all(room["capacity"] >= 12 for room in rooms)
    assert set(rooms[0]) == {"name", "building", "capacity", "equipment"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"day": "soon"}, "A day must be a date"),
        ({"start": "nine"}, "start must be a time"),
        ({"room": "Nowhere"}, "no room Nowhere"),
        ({"attendees": "Nobody Known"}, "nobody called"),
    ],
)
def test_refused_calls_change_nothing(
    context: ToolContext, arguments: dict[str, str], message: str
) -> None:
    count = len(context.state["events"])
    event = {"title": "X", "day": context.world.day(3), "start": "9:00", "end": "10:00"}
    with pytest.raises(Refused, match=message):
        call(tools.create_event, context, **{**event, **arguments})
    assert len(context.state["events"]) == count
