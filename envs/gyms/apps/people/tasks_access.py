"""Tasks on roles: pass one on, and ask for one that the portal refuses.

That it cannot be done counts only after the portal has refused it.
"""

from __future__ import annotations

import random

from envs.contract.actions import Tool
from envs.gyms.apps.people import rules_access
from envs.gyms.apps.people.sampling import choose, people_part, person_params, require_allowed
from envs.gyms.apps.people.vocabulary import EXCLUSIVE_ROLES
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

VISITED_ACCESS = ("access", visited_page("people:access:{person}"))


def _sample_role(world: Company, rng: random.Random, state: State) -> Params:
    part = people_part(state)
    grant = rng.choice(part["grants"])
    person = get_record(part, "staff", grant["person"])
    others = [colleague for colleague in part["staff"] if colleague["id"] != person["id"]]
    other, role = rng.choice(others), grant["role"]
    require_allowed(state, lambda part: rules_access.grant_role(part, other["id"], role))
    return person_params(world, person) | {
        "second": other["id"],
        "other": other["name"],
        "role": role,
    }


def _apply_role(world: Company, p: Params, state: State) -> None:
    rules_access.revoke_role(people_part(state), p["person"], p["role"])
    rules_access.grant_role(people_part(state), p["second"], p["role"])


def _open_access(page: Page, name: str) -> navigation.Moves:
    page = yield from navigation.go_to(page, "Access")
    page = yield from navigation.search(page, name)
    return (yield from navigation.open_item(page, name))


def _move_role(page: Page, p: Params) -> Script:
    page = yield from _open_access(page, p["name"])
    page = yield from navigation.confirm(page, f"Revoke {p['role']}")
    page = yield from _open_access(page, p["other"])
    yield from navigation.click(page, "now the other one", f"Grant {p['role']}")
    return None


def _role_calls(p: Params) -> list[Tool]:
    pairs = (("people.revoke_role", p["person"]), ("people.grant_role", p["second"]))
    return [Tool(name=name, arguments={"person": who, "role": p["role"]}) for name, who in pairs]


def _sample_conflict(world: Company, rng: random.Random, state: State) -> Params:
    part = people_part(state)
    exclusive = [grant for grant in part["grants"] if grant["role"] in EXCLUSIVE_ROLES]
    grant = choose(rng, exclusive, "person with a role that excludes another")
    role = next(role for role in EXCLUSIVE_ROLES if role != grant["role"])
    return person_params(world, get_record(part, "staff", grant["person"])) | {"role": role}


def _try_grant(page: Page, p: Params) -> Script:
    page = yield from _open_access(page, p["name"])
    page = yield from navigation.click(page, "see whether it is allowed", f"Grant {p['role']}")
    if page.text_after("Nobody may be both") is not None:
        raise GiveUp("the two roles exclude one another")
    return None


TEMPLATES = (
    Template(
        name="move_role",
        skills=("search", "dialog", "multi-step"),
        oracle_steps=12,
        phrasings=(
            "Take the role {role} from {name} and give it to {other}.",
            "{other} takes over as {role} from {name}: revoke the role of the one and grant it to "
            "the other.",
        ),
        sample_params=_sample_role,
        solve=_move_role,
        milestones=(VISITED_ACCESS, FINISHED),
        apply_expected=_apply_role,
        tool_calls=_role_calls,
    ),
    Template(
        name="role_conflict",
        skills=("search", "refuse"),
        oracle_steps=6,
        phrasings=(
            "Grant {name} the role {role}. If the portal refuses it, say that it cannot be done.",
            "{name} should get the role {role} as well, if the portal's rules allow it.",
        ),
        sample_params=_sample_conflict,
        solve=_try_grant,
        milestones=(VISITED_ACCESS, FINISHED),
        infeasible=True,
        required_events=("people:refused:{person}:{role}",),
        tool_calls=lambda p: [
            Tool(name="people.grant_role", arguments={"person": p["person"], "role": p["role"]})
        ],
    ),
)
