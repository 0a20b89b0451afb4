"""What the portal allows with roles.

Each rule changes the app's state, or raises Refused or NotFound and changes nothing.
"""

from __future__ import annotations

from envs.gyms.apps.people.records import make_grant
from envs.gyms.apps.people.rules_fields import check_choice
from envs.gyms.apps.people.vocabulary import EXCLUSIVE_ROLES, ROLES
from envs.gyms.kit.records import get_record
from envs.gyms.server.gym import Refused, State


def has_role(state: State, person: str, role: str) -> bool:
    """Whether the person has the role."""
    return any(grant["id"] == f"{person}:{role}" for grant in state["grants"])


def grant_role(state: State, person: str, role: str) -> None:
    """Refused for a second role of EXCLUSIVE_ROLES."""
    get_record(state, "staff", person)
    check_choice(role, ROLES, "Role")
    if has_role(state, person, role):
        raise Refused(f"The role {role} is granted already")
    if role in EXCLUSIVE_ROLES and any(has_role(state, person, other) for other in EXCLUSIVE_ROLES):
        raise Refused(
            f"Nobody may be both {EXCLUSIVE_ROLES[0]} and {EXCLUSIVE_ROLES[1]}",
            event=f"refused:{person}:{role}",
        )
    state["grants"].append(make_grant(person, role))


def revoke_role(state: State, person: str, role: str) -> None:
    """Raises NotFound if the person does not have the role."""
    state["grants"].remove(get_record(state, "grants", f"{person}:{role}"))
