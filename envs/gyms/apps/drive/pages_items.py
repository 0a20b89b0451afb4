"""The pages of one folder and of one file, and the actions of their buttons."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.apps.drive import lookup, rules
from envs.gyms.apps.drive.page_parts import (
    breadcrumbs,
    format_size,
    make_listing,
    person_name,
    render_preview,
)
from envs.gyms.apps.drive.vocabulary import ROOT
from envs.gyms.kit.html import button, confirm_button, details, el, join, link, menu, note
from envs.gyms.kit.listing import Item
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()


@PAGES.get("/")
def show_my_drive(request: RequestContext) -> str:
    """GET: the top folder."""
    return _render_folder(request, lookup.get_folder(request.state, ROOT))


@PAGES.get("/items/{key}")
def show_item(request: RequestContext, key: str) -> str:
    """GET: a file or a folder."""
    item = lookup.get_item(request.state, key)
    return _render_file(request, item) if lookup.is_file(item) else _render_folder(request, item)


def _render_folder(request: RequestContext, folder: Item) -> str:
    key = folder["id"]
    request.log_event(f"folder:{key}")
    below = f"/items/{key}"
    items = lookup.list_children(request.state, key)
    content = join(
        (
            el(
                "div",
                link("New folder", request.url(f"{below}/new")),
                _render_folder_menu(request, folder) if key != ROOT else None,
                class_="row",
            ),
            note("Drag a name onto a folder to move it") if items else None,
            make_listing(request, items, empty="Nothing is in this folder", draggable=True).render(
                request, items
            ),
        )
    )
    return render_page(
        request,
        "Folder",
        breadcrumbs(request, folder) if key != ROOT else None,
        _render_trash_actions(request, folder) if folder["trashed"] else content,
        heading=folder["name"],
    )


def _render_folder_menu(request: RequestContext, folder: Item) -> Markup:
    below = f"/items/{folder['id']}"
    if not lookup.has_role(folder, request.world.user.id, lookup.OWNER):
        return el("span", f"This folder belongs to {person_name(request, folder['owner'])}")
    return menu(
        "More",
        link("Rename", request.url(f"{below}/rename")),
        link("Move", request.url(f"{below}/move")),
        confirm_button(
            request, "trash", "Move to trash", "All that is in this folder goes with it."
        ),
    )


def _render_trash_actions(request: RequestContext, item: Item) -> Markup:
    """What can be done with something in the trash."""
    since = note(f"In the trash since {request.locale.format_date(item['trashed'])}")
    if not lookup.has_role(item, request.world.user.id, lookup.OWNER):
        return since
    question = f"{item['name']} can then not be restored any more."
    return join(
        (
            since,
            button(request, "restore", "Restore"),
            confirm_button(request, "delete", "Delete for good", question),
        )
    )


def _render_file(request: RequestContext, file: Item) -> str:
    key, user = file["id"], request.world.user.id
    request.log_event(f"file:{key}")
    where = lookup.folder_path(request.state, file["folder"])
    open_comments = sum(not comment["resolved"] for comment in file["comments"])
    return render_page(
        request,
        "File",
        breadcrumbs(request, file),
        render_preview(file),
        details(
            ("Kind", file["kind"]),
            ("Owner", person_name(request, file["owner"])),
            ("Your role", lookup.get_role(file, user)),
            ("Size", format_size(file)),
            ("Modified", request.locale.format_date(file["modified"])),
            ("Folder", where),
            ("Starred", "Yes" if file["starred"] else "No"),
            ("Link access", file["link"]),
            ("Open comments", open_comments),
        ),
        el("p", f"Description {file['description'] or '-'}"),
        _render_trash_actions(request, file)
        if file["trashed"]
        else _render_file_actions(request, file),
        heading=file["name"],
    )


def _render_file_actions(request: RequestContext, file: Item) -> Markup:
    key, user = file["id"], request.world.user.id
    below = request.url(f"/items/{key}")
    is_editor = lookup.has_role(file, user, "Editor")
    star_button = (
        button(request, "unstar", "Unstar") if file["starred"] else button(request, "star", "Star")
    )
    question = f"{file['name']} stays in the trash until you delete it for good."
    more = menu(
        "More",
        link("Make a copy", f"{below}/copy"),
        link("Edit description", f"{below}/description") if is_editor else None,
        link("Transfer ownership", f"{below}/transfer"),
        confirm_button(request, "trash", "Move to trash", question)
        if lookup.has_role(file, user, lookup.OWNER)
        else None,
    )
    return el(
        "div",
        star_button,
        link("Rename", f"{below}/rename"),
        link("Move", f"{below}/move") if is_editor else None,
        link("Sharing", f"{below}/sharing"),
        link("Versions", f"{below}/versions"),
        link("Comments", f"{below}/comments"),
        more,
        class_="row",
    )


@PAGES.post("/items/{key}/star")
def star_item(request: RequestContext, key: str) -> Redirect:
    """POST: stars a file."""
    rules.set_star(request.state, key, True)
    return request.redirect_to(f"/items/{key}", "Starred")


@PAGES.post("/items/{key}/unstar")
def unstar_item(request: RequestContext, key: str) -> Redirect:
    """POST: takes the star away."""
    rules.set_star(request.state, key, False)
    return request.redirect_to(f"/items/{key}", "No longer starred")


@PAGES.post("/items/{key}/trash")
def trash_item(request: RequestContext, key: str) -> Redirect:
    """POST: leads to the folder that it was in."""
    place = lookup.parent_id(lookup.get_item(request.state, key))
    rules.move_to_trash(request.state, request.world.user.id, key, request.world.today)
    return request.redirect_to(f"/items/{place}", "Moved to the trash")


@PAGES.post("/items/{key}/restore")
def restore_item(request: RequestContext, key: str) -> Redirect:
    """POST: takes an item out of the trash."""
    rules.restore_from_trash(request.state, request.world.user.id, key)
    return request.redirect_to(f"/items/{key}", "Restored")


@PAGES.post("/items/{key}/delete")
def delete_item(request: RequestContext, key: str) -> Redirect:
    """POST: deletes an item in the trash for good."""
    rules.delete_for_good(request.state, request.world.user.id, key)
    return request.redirect_to("/trash", "Deleted for good")


@PAGES.post("/items/{key}/drop")
def drop_item(request: RequestContext, key: str) -> Redirect:
    """POST: an item was dragged onto a folder."""
    place = lookup.parent_id(lookup.get_item(request.state, key))
    rules.move(request.state, request.world.user.id, key, request.form.get("to", ""))
    return request.redirect_to(f"/items/{place}", "Moved")
