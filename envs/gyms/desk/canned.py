"""Pages of the canned replies: the list, a new one, changing one.

A text is kept as it was written; its %name% is filled in only where it is inserted.
"""

from __future__ import annotations

from envs.gyms.desk import rules
from envs.gyms.desk.app import DESK
from envs.gyms.kit.frame import page
from envs.gyms.kit.here import Here
from envs.gyms.kit.html import Field, el, form, link
from envs.gyms.kit.listing import Column, Listing, Sort
from envs.gyms.kit.records import one
from envs.gyms.pages import Redirect


@DESK.get("/canned")
def canned(here: Here) -> str:
    here.note("canned")
    listing = Listing(
        columns=(
            Column("Title", lambda c: link(c["title"], here.url(f"/canned/{c['id']}"))),
            Column("Text", lambda c: c["text"]),
        ),
        words=lambda c: f"{c['title']} {c['text']}",
        sorts=(Sort("Title", lambda c: c["title"]),),
    )
    new = link("New canned reply", here.url("/canned/new"))
    return page(here, "Canned replies", el("p", new), listing.show(here, here.state["canned"]))


def _canned_fields(title: str, text: str) -> tuple[Field, ...]:
    hint = "%name% becomes the customer's first name"
    return Field("title", "Title", value=title), Field("text", "Text", "long", text, hint=hint)


@DESK.get("/canned/new")
def canned_new(here: Here) -> str:
    fields = _canned_fields("", "")
    return page(here, "New canned reply", form(here, "save", fields, "Create reply", "/canned"))


@DESK.get("/canned/{key}")
def canned_edit(here: Here, key: str) -> str:
    found = one(here.state, "canned", key)
    fields = _canned_fields(found["title"], found["text"])
    return page(here, "Edit canned reply", form(here, "save", fields, "Save reply", "/canned"))


@DESK.post("/canned/{key}/save")
def canned_save(here: Here, key: str) -> Redirect:
    title, text = here.required("title", "Title", 80), here.required("text", "Text", 1000)
    rules.save_canned(here.state, None if key == "new" else key, title, text)
    return here.to("/canned", f"Saved {title}")
