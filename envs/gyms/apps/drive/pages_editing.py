"""Forms that rename, move, copy and describe an item or create a folder."""

from __future__ import annotations

from envs.gyms.apps.drive import lookup, rules
from envs.gyms.apps.drive.page_parts import link_back
from envs.gyms.kit.html import Field, form, note
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.request import Redirect, RequestContext
from envs.gyms.server.gym import Refused

PAGES = PageGroup()


@PAGES.get("/items/{key}/rename")
def show_rename_form(request: RequestContext, key: str) -> str:
    """GET: the form for a new name."""
    item = lookup.get_item(request.state, key)
    heading = f"Rename {item['name']}"
    try:
        rules.require_role(item, request.world.user.id, "Editor", "rename this")
    except Refused as refusal:
        request.log_event(f"refused:rename:{key}")
        reason = (note(str(refusal)), link_back(request, key))
        return render_page(request, "Rename", *reason, heading=heading)
    fields = (Field("name", "Name", value=item["name"]),)
    return render_page(
        request,
        "Rename",
        form(request, "save", fields, "Save name", f"/items/{key}"),
        heading=heading,
    )


@PAGES.post("/items/{key}/rename/save")
def save_name(request: RequestContext, key: str) -> Redirect:
    """POST: gives an item its new name."""
    rules.rename(request.state, request.world.user.id, key, request.get_text("name", "Name"))
    return request.redirect_to(f"/items/{key}", "Renamed")


def _folder_field(request: RequestContext, chosen: str) -> Field:
    active = [
        folder
        for folder in request.state["folders"]
        if not lookup.is_in_trash(request.state, folder)
    ]
    options = [(folder["id"], lookup.folder_path(request.state, folder["id"])) for folder in active]
    return Field(
        "folder",
        "Folder",
        kind="choice",
        value=chosen,
        options=sorted(options, key=lambda pair: pair[1]),
    )


@PAGES.get("/items/{key}/move")
def show_move_form(request: RequestContext, key: str) -> str:
    """GET: the form for another folder."""
    item = lookup.get_item(request.state, key)
    fields = (_folder_field(request, lookup.parent_id(item)),)
    return render_page(
        request,
        "Move",
        form(request, "save", fields, "Move here", f"/items/{key}"),
        heading=f"Move {item['name']}",
    )


@PAGES.post("/items/{key}/move/save")
def save_move(request: RequestContext, key: str) -> Redirect:
    """POST: moves an item to the chosen folder."""
    rules.move(request.state, request.world.user.id, key, request.form.get("folder", ""))
    return request.redirect_to(f"/items/{key}", "Moved")


@PAGES.get("/items/{key}/copy")
def show_copy_form(request: RequestContext, key: str) -> str:
    """GET: the form for a copy's name and folder."""
    file = lookup.get_file(request.state, key)
    fields = (
        Field("name", "Name of the copy", value=f"{file['name']} - copy"),
        _folder_field(request, file["folder"]),
    )
    return render_page(
        request,
        "Copy",
        form(request, "save", fields, "Create copy", f"/items/{key}"),
        heading=f"Copy {file['name']}",
    )


@PAGES.post("/items/{key}/copy/save")
def create_copy(request: RequestContext, key: str) -> Redirect:
    """POST: leads to the copy."""
    copied = rules.copy_file(
        request.state,
        request.world.user.id,
        key,
        request.get_text("name", "Name of the copy"),
        request.form.get("folder", ""),
        request.world.today,
    )
    return request.redirect_to(f"/items/{copied['id']}", f"Created {copied['name']}")


@PAGES.get("/items/{key}/description")
def show_description_form(request: RequestContext, key: str) -> str:
    """GET: the form for a file's description."""
    file = lookup.get_file(request.state, key)
    fields = (Field("text", "Description", kind="long", value=file["description"]),)
    return render_page(
        request,
        "Description",
        form(request, "save", fields, "Save description", f"/items/{key}"),
        heading=f"Description of {file['name']}",
    )


@PAGES.post("/items/{key}/description/save")
def save_description(request: RequestContext, key: str) -> Redirect:
    """POST: describes a file; the text may be empty."""
    text = " ".join(request.form.get("text", "").split())
    rules.set_description(request.state, request.world.user.id, key, text)
    return request.redirect_to(f"/items/{key}", "Description saved")


@PAGES.get("/items/{key}/new")
def show_folder_form(request: RequestContext, key: str) -> str:
    """GET: the form for a new folder in this one."""
    parent = lookup.get_folder(request.state, key)
    return render_page(
        request,
        "New folder",
        form(request, "create", (Field("name", "Name"),), "Create folder", f"/items/{key}"),
        heading=f"New folder in {parent['name']}",
    )


@PAGES.post("/items/{key}/new/create")
def create_folder(request: RequestContext, key: str) -> Redirect:
    """POST: leads to the new folder."""
    name = request.get_text("name", "Name")
    folder = rules.create_folder(request.state, request.world.user.id, name, key)
    return request.redirect_to(f"/items/{folder['id']}", f"Created {name}")
