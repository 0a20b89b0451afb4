"""The pages of all folders: the overview, a new folder, deleting and emptying."""

from __future__ import annotations

from envs.gyms.apps.mail import rules_folders, rules_messages
from envs.gyms.apps.mail.vocabulary import TRASH
from envs.gyms.kit.html import Field, details, el, form, link
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()


@PAGES.get("/")
def show_folders(request: RequestContext) -> str:
    """GET: all folders, with how many messages they hold."""
    rows = []
    for folder in request.state["folders"]:
        messages = [m for m in request.state["messages"] if m["folder"] == folder["id"]]
        name = folder["name"]
        rows.append(
            el(
                "tr",
                el("td", link(name, request.url(f"/folders/{folder['id']}"), f"Folder {name}")),
                el("td", len(messages)),
                el("td", sum(m["unread"] for m in messages)),
            )
        )
    head = el("tr", [el("th", title) for title in ("Folder", "Messages", "Unread")])
    new = link("New folder", request.url("/new-folder"))
    today = details(("Today", request.locale.format_date(request.world.today)))
    return render_page(request, "Folders", today, el("p", new), el("table", head, rows))


@PAGES.get("/new-folder")
def show_folder_form(request: RequestContext) -> str:
    """GET: the form for a new folder."""
    return render_page(
        request,
        "New folder",
        form(request, "create", [Field("name", "Name")], "Create folder", "/"),
    )


@PAGES.post("/new-folder/create")
def create_folder(request: RequestContext) -> Redirect:
    """POST: creates a folder."""
    folder = rules_folders.create_folder(request.state, request.get_text("name", "Name"))
    return request.redirect_to("/", f"Created folder {folder['name']}")


@PAGES.post("/folders/{key}/empty")
def empty_trash(request: RequestContext, key: str) -> Redirect:
    """POST: deletes all that is in Trash."""
    get_record(request.state, "folders", key)
    rules_messages.empty_trash(request.state)
    return request.redirect_to(f"/folders/{TRASH}", "Trash is empty now")


@PAGES.post("/folders/{key}/delete")
def delete_folder(request: RequestContext, key: str) -> Redirect:
    """POST: deletes one of the user's own folders."""
    rules_folders.delete_folder(request.state, key)
    return request.redirect_to("/", "Folder deleted")
