"""The help desk's pages of canned replies: list, new one, form of one.

A text is kept as it was written; its %name% is filled in only where it is inserted.
"""

from __future__ import annotations

from envs.gyms.apps.desk import rules
from envs.gyms.kit.html import Field, el, form, link
from envs.gyms.kit.listing import Column, Listing, Sort
from envs.gyms.kit.page_frame import render_page
from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.records import get_record
from envs.gyms.kit.request import Redirect, RequestContext

PAGES = PageGroup()


@PAGES.get("/canned")
def show_canned_replies(request: RequestContext) -> str:
    """All canned replies."""
    request.log_event("canned")
    listing = Listing(
        columns=(
            Column("Title", lambda c: link(c["title"], request.url(f"/canned/{c['id']}"))),
            Column("Text", lambda c: c["text"]),
        ),
        searchable_text=lambda c: f"{c['title']} {c['text']}",
        sorts=(Sort("Title", lambda c: c["title"]),),
    )
    new = link("New canned reply", request.url("/canned/new"))
    return render_page(
        request, "Canned replies", el("p", new), listing.render(request, request.state["canned"])
    )


def _make_fields(title: str = "", text: str = "") -> tuple[Field, ...]:
    hint = "%name% becomes the customer's first name"
    return (
        Field("title", "Title", value=title),
        Field("text", "Text", kind="long", value=text, hint=hint),
    )


@PAGES.get("/canned/new")
def show_new_canned_reply(request: RequestContext) -> str:
    """Form of a new canned reply."""
    new = form(request, "save", _make_fields(), "Create reply", "/canned")
    return render_page(request, "New canned reply", new)


@PAGES.get("/canned/{key}")
def show_canned_reply(request: RequestContext, key: str) -> str:
    """Form of a canned reply."""
    reply = get_record(request.state, "canned", key)
    fields = _make_fields(reply["title"], reply["text"])
    edit = form(request, "save", fields, "Save reply", "/canned")
    return render_page(request, "Edit canned reply", edit)


@PAGES.post("/canned/{key}/save")
def save_canned_reply(request: RequestContext, key: str) -> Redirect:
    """Saves a canned reply; `key` is "new" for a new one."""
    title, text = request.get_text("title", "Title", 80), request.get_text("text", "Text", 1000)
    rules.save_canned_reply(request.state, None if key == "new" else key, title, text)
    return request.redirect_to("/canned", f"Saved {title}")
