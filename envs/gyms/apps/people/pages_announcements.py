"""The pages of announcements: the list, a new one, pinning and deleting one.

Only deleting asks for confirmation.
"""

from __future__ import annotations

from envs.gyms.apps.people import rules_announcements
from envs.gyms.apps.people.vocabulary import AUDIENCES
from envs.gyms.kit.html import Field, badge, button, confirm_button, details, el, form, link, menu
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()


@PAGES.get("/announcements")
def show_announcements(request: RequestContext) -> str:
    """GET: all announcements."""
    request.log_event("announcements")
    listing = Listing(
        columns=(
            Column("Title", lambda a: link(a["title"], request.url(f"/announcements/{a['id']}"))),
            Column("For", lambda a: a["audience"]),
            Column("Date", lambda a: request.locale.format_date(a["date"])),
            Column("", lambda a: badge("Pinned") if a["pinned"] else None),
        ),
        searchable_text=lambda a: f"{a['title']} {a['text']}",
        sorts=(
            Sort("Newest", lambda a: (a["date"], a["id"]), descending=True),
            Sort("Title", lambda a: a["title"]),
        ),
        filters=(Filter("audience", "For", options=AUDIENCES, get_option=lambda a: a["audience"]),),
    )
    new = el("p", link("New announcement", request.url("/announcements/new")))
    return render_page(
        request, "Announcements", new, listing.render(request, request.state["announcements"])
    )


@PAGES.get("/announcements/new")
def show_announcement_form(request: RequestContext) -> str:
    """GET: the form for a new announcement."""
    fields = (
        Field("title", "Title"),
        Field("text", "Text", kind="long"),
        Field("audience", "Audience", kind="choice", options=AUDIENCES),
        Field("until", "Shown until", kind="date"),
        Field("pinned", "Pin it to the overview", kind="check"),
    )
    return render_page(
        request, "New announcement", form(request, "create", fields, "Publish", "/announcements")
    )


@PAGES.post("/announcements/new/create")
def publish_announcement(request: RequestContext) -> Redirect:
    """POST: publishes an announcement."""
    rules_announcements.publish_announcement(
        request.state,
        request.get_text("title", "Title", 80),
        request.get_text("text", "Text", 600),
        request.form.get("audience", ""),
        request.get_date("until", "Shown until"),
        request.form.get("pinned") == "yes",
        request.world.today,
    )
    return request.redirect_to("/announcements", "Announcement published")


@PAGES.get("/announcements/{key}")
def show_announcement(request: RequestContext, key: str) -> str:
    """GET: one announcement."""
    announcement = get_record(request.state, "announcements", key)
    request.log_event(f"announcement:{key}")
    pin = button(request, "pin", "Unpin" if announcement["pinned"] else "Pin")
    drop = confirm_button(request, "delete", "Delete announcement", "Nobody will see it any more.")
    return render_page(
        request,
        "Announcement",
        details(
            ("For", announcement["audience"]),
            ("Date", request.locale.format_date(announcement["date"])),
            ("Shown until", request.locale.format_date(announcement["until"])),
        ),
        el("p", announcement["text"]),
        el("div", pin, menu("More", drop), class_="row"),
        heading=announcement["title"],
    )


@PAGES.post("/announcements/{key}/pin")
def toggle_pin(request: RequestContext, key: str) -> Redirect:
    """POST: pins or unpins it."""
    announcement = get_record(request.state, "announcements", key)
    announcement["pinned"] = not announcement["pinned"]
    return request.redirect_to(
        f"/announcements/{key}", "Pinned" if announcement["pinned"] else "Not pinned any more"
    )


@PAGES.post("/announcements/{key}/delete")
def delete_announcement(request: RequestContext, key: str) -> Redirect:
    """POST: deletes it."""
    rules_announcements.delete_announcement(request.state, key)
    return request.redirect_to("/announcements", "Announcement deleted")
