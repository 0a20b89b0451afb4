"""The pages of roles."""

from __future__ import annotations

import pytest

from envs.gyms.apps.people import pages_access as pages
from envs.gyms.apps.people.app import PEOPLE
from envs.gyms.server.gym import Refused
from tests.envs.gyms.apps.app_requests import make_request, text_of


def test_roles_are_granted_revoked_and_filtered_by() -> None:
    request = make_request(PEOPLE, form={"role": "Payroll editor"})
    request.state["grants"].clear()
    pages.grant_role(request, "u1")
    assert "Revoke Payroll editor" in text_of(pages.show_roles(request, "u1"))
    request.query["role"] = "Payroll editor"
    assert "1 found" in text_of(pages.show_access(request))
    pages.revoke_role(request, "u1", "Payroll-editor")
    assert request.state["grants"] == []


def test_a_refused_grant_names_its_event() -> None:
    request = make_request(PEOPLE, form={"role": "Payroll editor"})
    request.state["grants"].clear()
    pages.grant_role(request, "u1")
    request.form["role"] = "Expense approver"
    with pytest.raises(Refused, match="Nobody may be both") as refusal:
        pages.grant_role(request, "u1")
    assert refusal.value.event == "refused:u1:Expense approver"
