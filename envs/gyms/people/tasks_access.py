"""Tasks on roles: pass one on, and ask for one that the portal refuses.

That it cannot be done counts only after the portal has refused it.
"""

from __future__ import annotations

import random

from envs.actions import Tool
from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import one
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Template, saw
from envs.gyms.people import rules
from envs.gyms.people.data import EXCLUDE
from envs.gyms.people.drawing import allowed, part_of, plain, some
from envs.gyms.view import Page

ACCESS = ("access", saw("people:access:{person}"))


def _draw_role(world: Company, rng: random.Random, state: State) -> Params:
    part = part_of(state)
    found = rng.choice(part["grants"])
    person = one(part, "staff", found["person"])
    near = [x for x in part["staff"] if x["id"] != person["id"]]
    other, role = rng.choice(near), found["role"]
    allowed(state, lambda part: rules.grant(part, other["id"], role))
    return plain(world, person) | {"second": other["id"], "other": other["name"], "role": role}


def _expect_role(world: Company, p: Params, state: State) -> None:
    rules.revoke(part_of(state), p["person"], p["role"])
    rules.grant(part_of(state), p["second"], p["role"])


def _to_access(page: Page, name: str) -> ways.Way:
    page = yield from ways.go(page, "Access")
    page = yield from ways.search(page, name)
    return (yield from ways.open_item(page, name))


def _move_role(page: Page, p: Params) -> Script:
    page = yield from _to_access(page, p["name"])
    page = yield from ways.sure(page, f"Revoke {p['role']}")
    page = yield from _to_access(page, p["other"])
    yield from ways.press(page, "now the other one", f"Grant {p['role']}")
    return None


def _role_calls(p: Params) -> list[Tool]:
    pairs = (("people.revoke_role", p["person"]), ("people.grant_role", p["second"]))
    return [Tool(name=name, arguments={"person": who, "role": p["role"]}) for name, who in pairs]


def _draw_conflict(world: Company, rng: random.Random, state: State) -> Params:
    part = part_of(state)
    fits = [x for x in part["grants"] if x["role"] in EXCLUDE]
    found = some(rng, fits, "person with a role that excludes another")
    role = next(role for role in EXCLUDE if role != found["role"])
    return plain(world, one(part, "staff", found["person"])) | {"role": role}


def _try_grant(page: Page, p: Params) -> Script:
    page = yield from _to_access(page, p["name"])
    page = yield from ways.press(page, "see whether it is allowed", f"Grant {p['role']}")
    if page.says("Nobody may be both") is not None:
        raise GiveUp("the two roles exclude one another")
    return None


TEMPLATES = (
    Template(
        "move_role", ("search", "dialog", "multi-step"), 12,
        ("Take the role {role} from {name} and give it to {other}.",
         "{other} takes over as {role} from {name}: revoke the role of the one and grant it to the "
         "other."),
        _draw_role, _move_role, (ACCESS, FINISHED), _expect_role, calls=_role_calls,
    ),
    Template(
        "role_conflict", ("search", "refuse"), 6,
        ("Grant {name} the role {role}. If the portal refuses it, say that it cannot be done.",
         "{name} should get the role {role} as well, if the portal's rules allow it."),
        _draw_conflict, _try_grant, (ACCESS, FINISHED), infeasible=True,
        must_see=("people:refused:{person}:{role}",),
    ),
)  # fmt: skip
