"""The help desk's site tools."""

from __future__ import annotations

from typing import Any

import pytest

from envs.gyms.apps.desk import tools
from envs.gyms.apps.desk.app import DESK
from envs.gyms.apps.desk.data import OPEN, WAITING, Item
from envs.gyms.kit.site_tools import SiteTool, ToolContext
from envs.gyms.server.gym import Refused
from tests.envs.gyms.apps.app_requests import make_tool_context


@pytest.fixture
def context() -> ToolContext:
    return make_tool_context(DESK)


def call(tool: SiteTool, context: ToolContext, **arguments: Any) -> Any:
    return tool.call(context.world, context.state, arguments)


def get_ticket(context: ToolContext, number: str) -> Item:
    tickets: list[Item] = context.state["tickets"]
    return next(ticket for ticket in tickets if ticket["number"] == number)


def test_tickets_are_found_by_text_and_status(context: ToolContext) -> None:
    (ticket,) = call(tools.find_tickets, context, text="hd-2001")
    assert ticket["subject"] == "Wrong totals in Label printer"
    assert (ticket["status"], ticket["assignee"], ticket["due"]) == (
        WAITING,
        "Lina Vidal",
        "2026-05-29",
    )
    assert call(tools.find_tickets, context, text="hd-2001", status=OPEN) == []
    assert len(call(tools.find_tickets, context, text="")) == tools.MAX_RESULTS


def test_a_ticket_is_assigned_answered_and_changed(context: ToolContext) -> None:
    number = "HD-2001"
    assert call(tools.assign, context, number=number, agent="Oscar Ruiz") == (
        "assigned HD-2001 to Oscar Ruiz"
    )
    assert call(tools.reply, context, number=number, text="Hello") == "replied to HD-2001"
    note = call(tools.reply, context, number=number, text="Psst", internal=True)
    assert note == "noted on HD-2001"
    assert call(tools.set_status, context, number=number, status=OPEN) == "HD-2001 is Open"
    assert call(tools.set_priority, context, number=number, priority="Low") == "HD-2001 is Low"
    ticket = get_ticket(context, number)
    assert (ticket["status"], ticket["priority"]) == (OPEN, "Low")
    assert [(post["kind"], post["text"]) for post in ticket["posts"][-2:]] == [
        ("reply", "Hello"),
        ("note", "Psst"),
    ]


@pytest.mark.parametrize(
    ("number", "agent", "message"),
    [
        ("HD-2001", "Nobody Known", "there is no agent 'Nobody Known'"),
        ("HD-2001", "Lena Rossi", "Lena Rossi is away"),
        ("HD-1", "Oscar Ruiz", "There is no ticket 'HD-1'"),
    ],
)
def test_wrong_assignments_are_refused(
    context: ToolContext, number: str, agent: str, message: str
) -> None:
    with pytest.raises(Refused, match=message):
        call(tools.assign, context, number=number, agent=agent)
