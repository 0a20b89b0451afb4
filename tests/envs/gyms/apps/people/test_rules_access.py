"""What the portal allows with roles."""

from __future__ import annotations

import pytest

from envs.gyms.apps.people import rules_access as rules
from envs.gyms.kit.listing import Item
from envs.gyms.server.gym import NotFound, Refused, State


def test_roles_are_granted_once_and_revoked(portal: State, person: Item) -> None:
    key = person["id"]
    portal["grants"].clear()
    rules.grant_role(portal, key, "Recruiter")
    assert rules.has_role(portal, key, "Recruiter")
    with pytest.raises(Refused, match="granted already"):
        rules.grant_role(portal, key, "Recruiter")
    rules.revoke_role(portal, key, "Recruiter")
    with pytest.raises(NotFound):
        rules.revoke_role(portal, key, "Recruiter")


def test_nobody_spends_and_approves(portal: State, person: Item) -> None:
    portal["grants"].clear()
    rules.grant_role(portal, person["id"], "Payroll editor")
    with pytest.raises(Refused, match="Nobody may be both"):
        rules.grant_role(portal, person["id"], "Expense approver")
    with pytest.raises(Refused, match="Role"):
        rules.grant_role(portal, person["id"], "King")
