"""The pages of roles: who has which, granting and revoking them."""

from __future__ import annotations

from envs.gyms.apps.people import rules_access
from envs.gyms.apps.people.vocabulary import ROLES
from envs.gyms.kit.html import button, confirm_button, el, link
from envs.gyms.kit.listing import Column, Filter, Item, Listing, Sort
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()


@PAGES.get("/access")
def show_access(request: RequestContext) -> str:
    """GET: all people and their roles."""
    request.log_event("access")

    def roles_of(person: Item) -> list[str]:
        return [role for role in ROLES if rules_access.has_role(request.state, person["id"], role)]

    listing = Listing(
        columns=(
            Column("Person", lambda p: link(p["name"], request.url(f"/access/{p['id']}"))),
            Column("Department", lambda p: p["department"]),
            Column("Roles", lambda p: ", ".join(roles_of(p)) or "None"),
        ),
        searchable_text=lambda p: p["name"],
        sorts=(
            Sort("Person", lambda p: p["name"]),
            Sort("Most roles", lambda p: (len(roles_of(p)), p["id"]), descending=True),
        ),
        filters=(
            Filter(
                "role",
                "Role",
                options=tuple(ROLES),
                get_option=lambda p: _get_filtered_role(request, roles_of(p)),
            ),
        ),
    )
    return render_page(request, "Access", listing.render(request, request.state["staff"]))


def _get_filtered_role(request: RequestContext, roles: list[str]) -> str:
    """The role that the list is filtered by, if it is among these; else nothing."""
    role = request.query.get("role", "")
    return role if role in roles else ""


@PAGES.get("/access/{key}")
def show_roles(request: RequestContext, key: str) -> str:
    """GET: the roles of one person."""
    person = get_record(request.state, "staff", key)
    request.log_event(f"access:{key}")
    rows = []
    for role, description in ROLES.items():
        action = (
            confirm_button(
                request,
                f"revoke-{role.replace(' ', '-')}",
                f"Revoke {role}",
                f"{person['name']} loses the role {role}.",
            )
            if rules_access.has_role(request.state, key, role)
            else button(request, "grant", "Grant", f"Grant {role}", role=role)
        )
        rows.append(el("tr", el("td", el("b", role), f" {description}"), el("td", action)))
    return render_page(request, "Roles", el("table", rows), heading=f"Roles of {person['name']}")


@PAGES.post("/access/{key}/grant")
def grant_role(request: RequestContext, key: str) -> Redirect:
    """POST: grants a role."""
    role = request.form.get("role", "")
    rules_access.grant_role(request.state, key, role)
    return request.redirect_to(f"/access/{key}", f"Role {role} granted")


@PAGES.post("/access/{key}/revoke-{role}")
def revoke_role(request: RequestContext, key: str, role: str) -> Redirect:
    """POST: revokes a role."""
    rules_access.revoke_role(request.state, key, role.replace("-", " "))
    return request.redirect_to(f"/access/{key}", f"Role {role.replace('-', ' ')} revoked")
