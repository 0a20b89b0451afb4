"""The portal's pages of roles: who holds which, granting and revoking them.

A grant that the rules refuse is noted, so that a task can ask whether it was tried.
"""

from __future__ import annotations

from envs.gyms.gym import Refused
from envs.gyms.kit.frame import page
from envs.gyms.kit.here import Here
from envs.gyms.kit.html import button, confirm, el, link
from envs.gyms.kit.listing import Column, Filter, Item, Listing, Sort
from envs.gyms.kit.records import one
from envs.gyms.pages import Redirect
from envs.gyms.people import rules
from envs.gyms.people.app import PEOPLE
from envs.gyms.people.data import ROLES


@PEOPLE.get("/access")
def access(here: Here) -> str:
    here.note("access")

    def roles_of(person: Item) -> list[str]:
        return [role for role in ROLES if rules.holds(here.state, person["id"], role)]

    listing = Listing(
        columns=(
            Column("Person", lambda p: link(p["name"], here.url(f"/access/{p['id']}"))),
            Column("Department", lambda p: p["department"]),
            Column("Roles", lambda p: ", ".join(roles_of(p)) or "None"),
        ),
        words=lambda p: p["name"],
        sorts=(Sort("Person", lambda p: p["name"]),
               Sort("Most roles", lambda p: (len(roles_of(p)), p["id"]), descending=True)),
        filters=(Filter("role", "Role", tuple(ROLES), lambda p: _ask(here, roles_of(p))),),
    )  # fmt: skip
    return page(here, "Access", listing.show(here, here.state["staff"]))


def _ask(here: Here, roles: list[str]) -> str:
    """The role that is filtered by, if it is among them."""
    asked = here.query.get("role", "")
    return asked if asked in roles else ""


@PEOPLE.get("/access/{key}")
def access_of(here: Here, key: str) -> str:
    found = one(here.state, "staff", key)
    here.note(f"access:{key}")
    rows = []
    for role, what in ROLES.items():
        act = (
            confirm(here, f"revoke-{role.replace(' ', '-')}", f"Revoke {role}",
                    f"{found['name']} loses the role {role}.")
            if rules.holds(here.state, key, role)
            else button(here, "grant", "Grant", f"Grant {role}", role=role)
        )  # fmt: skip
        rows.append(el("tr", el("td", el("b", role), f" {what}"), el("td", act)))
    return page(here, "Roles", el("table", rows), heading=f"Roles of {found['name']}")


@PEOPLE.post("/access/{key}/grant")
def access_grant(here: Here, key: str) -> Redirect:
    role = here.form.get("role", "")
    try:
        rules.grant(here.state, key, role)
    except Refused:
        here.note(f"refused:{key}:{role}")
        raise
    return here.to(f"/access/{key}", f"Role {role} granted")


@PEOPLE.post("/access/{key}/revoke-{role}")
def access_revoke(here: Here, key: str, role: str) -> Redirect:
    rules.revoke(here.state, key, role.replace("-", " "))
    return here.to(f"/access/{key}", f"Role {role.replace('-', ' ')} revoked")
