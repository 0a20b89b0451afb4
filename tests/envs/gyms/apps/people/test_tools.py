"""The portal's API tools."""

from __future__ import annotations

import pytest

from envs.gyms.apps.people import tools
from envs.gyms.apps.people.app import PEOPLE
from envs.gyms.server.gym import Refused
from tests.envs.gyms.apps.app_requests import make_tool_context


def test_finding_people_and_changing_their_contact_data() -> None:
    context = make_tool_context(PEOPLE)
    person = context.state["staff"][3]
    rows = tools.find_people.function(context, person["name"], person["department"])
    assert [row["id"] for row in rows] == [person["id"]]
    assert len(tools.find_people.function(context, "")) == 20
    tools.update_contact.function(context, person["id"], {"street": "9 New Road"})
    assert person["street"] == "9 New Road"
    with pytest.raises(Refused, match="no field 'salary'"):
        tools.update_contact.function(context, person["id"], {"salary": "1"})


def test_leave_by_number_and_roles() -> None:
    context = make_tool_context(PEOPLE)
    key = context.state["staff"][3]["id"]
    reply = tools.create_leave.function(context, key, "Training", "2099-03-02", "2099-03-03")
    assert reply == "requested as LV-1121"
    assert tools.list_leave.function(context, key)[-1]["status"] == "Pending"
    assert tools.approve_leave.function(context, "LV-1121") == "approved LV-1121"
    assert tools.list_leave.function(context, key)[-1]["status"] == "Approved"
    with pytest.raises(Refused, match="ISO dates"):
        tools.create_leave.function(context, key, "Training", "soon", "2099-03-03")
    with pytest.raises(Refused, match="no leave request"):
        tools.approve_leave.function(context, "LV-1")
    context.state["grants"].clear()
    tools.grant_role.function(context, key, "Recruiter")
    tools.revoke_role.function(context, key, "Recruiter")
    assert context.state["grants"] == []
