"""Pages on who may see a file: shares, roles, link access, ownership."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.apps.drive import lookup, rules_sharing
from envs.gyms.apps.drive.page_parts import (
    breadcrumbs,
    format_day,
    link_back,
    list_colleagues,
    person_name,
)
from envs.gyms.apps.drive.vocabulary import LINKS, ROLES, Item
from envs.gyms.kit.html import (
    Child,
    Field,
    confirm_button,
    details,
    el,
    form,
    join,
    link,
    note,
    section,
    select,
)
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.request import Redirect, RequestContext
from envs.gyms.server.gym import NotFound

PAGES = PageGroup()


@PAGES.get("/items/{key}/sharing")
def show_sharing(request: RequestContext, key: str) -> str:
    """GET: who has access to a file; editors can change it here."""
    file = lookup.get_file(request.state, key)
    request.log_event(f"sharing:{key}")
    is_editor = lookup.has_role(file, request.world.user.id, "Editor")

    def name_of(entry: Item) -> Child:
        name = person_name(request, entry["id"])
        return link(name, request.url(f"/items/{key}/sharing/{entry['id']}")) if is_editor else name

    table = el(
        "table",
        el("tr", el("th", "Person"), el("th", "Role")),
        el("tr", el("td", person_name(request, file["owner"])), el("td", lookup.OWNER)),
        [el("tr", el("td", name_of(entry)), el("td", entry["role"])) for entry in file["shares"]],
    )
    return render_page(
        request,
        "Sharing",
        breadcrumbs(request, file),
        table,
        _render_forms(request, file) if is_editor else _render_link_access(request, file),
        link_back(request, key),
        heading=f"Sharing of {file['name']}",
    )


def _render_link_access(request: RequestContext, file: Item) -> Markup:
    access = (("Link access", file["link"]), ("Ends on", format_day(request, file["until"])))
    return join((details(*access), note("Only editors and the owner can change this")))


def _render_forms(request: RequestContext, file: Item) -> Markup:
    colleagues = list_colleagues(request, file)
    until = format_day(request, file["until"]) if file["until"] else ""
    share_fields = (
        Field("person", "Person", kind="choice", options=colleagues),
        Field("role", "Role", kind="choice", options=ROLES),
    )
    link_fields = (
        Field("link", "Link access", kind="choice", value=file["link"], options=LINKS),
        Field("until", "Ends on", kind="date", value=until, hint="leave empty for no end"),
    )
    share_form = form(request, "add", share_fields, "Share")
    link_form = form(request, "link", link_fields, "Save link access")
    return join(
        (
            section("Share with a person", share_form),
            section("Everybody with the link", link_form),
        )
    )


@PAGES.post("/items/{key}/sharing/add")
def add_share(request: RequestContext, key: str) -> Redirect:
    """POST: shares the file with one more person."""
    file = lookup.get_file(request.state, key)
    who = request.get_choice(
        "person", "Person", [colleague for colleague, _ in list_colleagues(request, file)]
    )
    rules_sharing.share(
        request.state, request.world.user.id, key, who, request.form.get("role", "")
    )
    return request.redirect_to(f"/items/{key}/sharing", f"Shared with {person_name(request, who)}")


@PAGES.post("/items/{key}/sharing/link")
def save_link_access(request: RequestContext, key: str) -> Redirect:
    """POST: who may open the link, and until when."""
    until = request.get_date("until", "Ends on") if request.form.get("until", "").strip() else ""
    rules_sharing.set_link_access(
        request.state,
        request.world.user.id,
        key,
        request.form.get("link", ""),
        until,
        request.world.today,
    )
    return request.redirect_to(f"/items/{key}/sharing", "Link access saved")


@PAGES.get("/items/{key}/sharing/{who}")
def show_access(request: RequestContext, key: str, who: str) -> str:
    """GET: the access of one person."""
    file = lookup.get_file(request.state, key)
    share = next((entry for entry in file["shares"] if entry["id"] == who), None)
    if share is None:
        raise NotFound("This file is not shared with that person")
    name = person_name(request, who)
    fields = (Field("role", "Role", kind="choice", value=share["role"], options=ROLES),)
    return render_page(
        request,
        "Access",
        breadcrumbs(request, file),
        details(("Person", name), ("Role now", share["role"])),
        form(request, "save", fields, "Save role", f"/items/{key}/sharing"),
        confirm_button(
            request, "stop", "Stop sharing", f"{name} will no longer see {file['name']}."
        ),
        heading=f"Access of {name}",
    )


@PAGES.post("/items/{key}/sharing/{who}/save")
def save_role(request: RequestContext, key: str, who: str) -> Redirect:
    """POST: changes a person's role."""
    rules_sharing.change_role(
        request.state, request.world.user.id, key, who, request.form.get("role", "")
    )
    return request.redirect_to(f"/items/{key}/sharing", "Role saved")


@PAGES.post("/items/{key}/sharing/{who}/stop")
def stop_access(request: RequestContext, key: str, who: str) -> Redirect:
    """POST: takes a person's access away."""
    rules_sharing.stop_sharing(request.state, request.world.user.id, key, who)
    return request.redirect_to(f"/items/{key}/sharing", "No longer shared")


@PAGES.get("/items/{key}/transfer")
def show_transfer(request: RequestContext, key: str) -> str:
    """GET: chooses the new owner in the address, then asks for confirmation."""
    file = lookup.get_file(request.state, key)
    request.log_event(f"transfer:{key}")
    heading = f"Transfer {file['name']}"
    owner = person_name(request, file["owner"])
    if not lookup.has_role(file, request.world.user.id, lookup.OWNER):
        request.log_event(f"refused:transfer:{key}")
        text = note(f"Only the owner can transfer it: {owner}")
        return render_page(request, "Transfer", text, link_back(request, key), heading=heading)
    people = list_colleagues(request, file)
    # A transfer that was refused leads back here without the address's choice.
    new_owner = request.query.get("to") or request.draft.get("to", "")
    confirmation = None
    if new_owner in [colleague for colleague, _ in people]:
        confirmation = join(
            (
                details(("New owner will be", person_name(request, new_owner))),
                confirm_button(
                    request,
                    "save",
                    "Transfer ownership",
                    "You stay an editor, but cannot take it back.",
                    to=new_owner,
                ),
            )
        )
    chooser = el(
        "form",
        el("label", "New owner ", select("to", people, new_owner)),
        el("button", "Continue"),
        action=request.path,
        class_="listing",
    )
    return render_page(
        request, "Transfer", chooser, confirmation, link_back(request, key), heading=heading
    )


@PAGES.post("/items/{key}/transfer/save")
def save_transfer(request: RequestContext, key: str) -> Redirect:
    """POST: makes somebody else the owner."""
    people = [colleague.id for colleague in request.world.people]
    new_owner = request.get_choice("to", "New owner", people)
    rules_sharing.transfer_ownership(request.state, request.world.user.id, key, new_owner)
    return request.redirect_to(
        f"/items/{key}", f"{person_name(request, new_owner)} is the owner now"
    )
