"""Pages that list files: all, shared, starred, in the trash, by storage."""

from __future__ import annotations

from envs.gyms.apps.drive import lookup, rules
from envs.gyms.apps.drive.page_parts import WITH_ME, make_listing, sharing_of
from envs.gyms.apps.drive.vocabulary import KINDS
from envs.gyms.kit.html import confirm_button, details, section
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()


@PAGES.get("/files")
def show_files(request: RequestContext) -> str:
    """GET: all files and folders outside of the trash."""
    request.log_event("files")
    items = lookup.list_active_items(request.state)
    return render_page(request, "All files", make_listing(request, items).render(request, items))


@PAGES.get("/shared")
def show_shared(request: RequestContext) -> str:
    """GET: what others own."""
    request.log_event("shared")
    items = [
        item
        for item in lookup.list_active_items(request.state)
        if sharing_of(request, item) == WITH_ME
    ]
    listing = make_listing(request, items, "Last modified", "Nobody has shared anything with you")
    return render_page(request, "Shared with me", listing.render(request, items))


@PAGES.get("/starred")
def show_starred(request: RequestContext) -> str:
    """GET: starred files."""
    request.log_event("starred")
    items = [item for item in lookup.list_active_items(request.state) if item.get("starred")]
    listing = make_listing(request, items, empty="Nothing is starred")
    return render_page(request, "Starred", listing.render(request, items))


@PAGES.get("/trash")
def show_trash(request: RequestContext) -> str:
    """GET: what is in the trash."""
    request.log_event("trash")
    items = lookup.list_trash(request.state)
    listing = make_listing(request, items, empty="The trash is empty")
    question = "Everything of yours in the trash is then gone for good."
    empty = confirm_button(request, "empty", "Empty trash", question) if items else None
    return render_page(request, "Trash", listing.render(request, items), empty)


@PAGES.post("/trash/empty")
def empty_trash(request: RequestContext) -> Redirect:
    """POST: deletes the user's items in the trash."""
    rules.empty_trash(request.state, request.world.user.id)
    return request.redirect_to("/trash", "The trash was emptied")


@PAGES.get("/storage")
def show_storage(request: RequestContext) -> str:
    """GET: how much the user's files take up, by kind, and the largest ones."""
    request.log_event("storage")
    own_files = [file for file in request.state["files"] if file["owner"] == request.world.user.id]
    trashed = [file for file in own_files if lookup.is_in_trash(request.state, file)]
    items = [file for file in own_files if file not in trashed]
    kinds = [(kind, f"{sum(i['size'] for i in items if i['kind'] == kind)} KB") for kind in KINDS]
    return render_page(
        request,
        "Storage",
        details(
            ("Used by your files", f"{sum(file['size'] for file in items)} KB"),
            ("Files you own", len(items)),
            ("Still in the trash", f"{sum(file['size'] for file in trashed)} KB"),
            *kinds,
        ),
        section("Your files", make_listing(request, items, "Largest").render(request, items)),
    )
