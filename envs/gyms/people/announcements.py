"""The portal's pages of announcements: the list, a new one, pinning and deleting one.

Only deleting asks first.
"""

from __future__ import annotations

from envs.gyms.kit.frame import page
from envs.gyms.kit.here import Here
from envs.gyms.kit.html import Field, badge, button, confirm, details, el, form, link, menu
from envs.gyms.kit.listing import Column, Filter, Listing, Sort
from envs.gyms.kit.names import DEPARTMENTS
from envs.gyms.kit.records import one
from envs.gyms.pages import Redirect
from envs.gyms.people import rules
from envs.gyms.people.app import PEOPLE

AUDIENCES = ("Everybody", *DEPARTMENTS)


@PEOPLE.get("/announcements")
def announcements(here: Here) -> str:
    here.note("announcements")
    listing = Listing(
        columns=(
            Column("Title", lambda a: link(a["title"], here.url(f"/announcements/{a['id']}"))),
            Column("For", lambda a: a["audience"]),
            Column("Date", lambda a: here.look.date(a["date"])),
            Column("", lambda a: badge("Pinned") if a["pinned"] else None),
        ),
        words=lambda a: f"{a['title']} {a['text']}",
        sorts=(Sort("Newest", lambda a: (a["date"], a["id"]), descending=True),
               Sort("Title", lambda a: a["title"])),
        filters=(Filter("audience", "For", AUDIENCES, lambda a: a["audience"]),),
    )  # fmt: skip
    new = el("p", link("New announcement", here.url("/announcements/new")))
    return page(here, "Announcements", new, listing.show(here, here.state["announcements"]))


@PEOPLE.get("/announcements/new")
def announcement_new(here: Here) -> str:
    fields = (
        Field("title", "Title"),
        Field("text", "Text", "long"),
        Field("audience", "Audience", "choice", options=AUDIENCES),
        Field("until", "Shown until", "date"),
        Field("pinned", "Pin it to the overview", "check"),
    )
    return page(here, "New announcement", form(here, "create", fields, "Publish", "/announcements"))


@PEOPLE.post("/announcements/new/create")
def announcement_create(here: Here) -> Redirect:
    rules.announce(
        here.state, here.required("title", "Title", 80), here.required("text", "Text", 600),
        here.form.get("audience", ""), here.day("until", "Shown until"),
        here.form.get("pinned") == "yes", here.world.today,
    )  # fmt: skip
    return here.to("/announcements", "Announcement published")


@PEOPLE.get("/announcements/{key}")
def announcement(here: Here, key: str) -> str:
    found = one(here.state, "announcements", key)
    here.note(f"announcement:{key}")
    pin = button(here, "pin", "Unpin" if found["pinned"] else "Pin")
    drop = confirm(here, "delete", "Delete announcement", "Nobody will see it any more.")
    return page(
        here, "Announcement",
        details(("For", found["audience"]), ("Date", here.look.date(found["date"])),
                ("Shown until", here.look.date(found["until"]))),
        el("p", found["text"]), el("div", pin, menu("More", drop), class_="row"),
        heading=found["title"],
    )  # fmt: skip


@PEOPLE.post("/announcements/{key}/pin")
def announcement_pin(here: Here, key: str) -> Redirect:
    found = one(here.state, "announcements", key)
    found["pinned"] = not found["pinned"]
    return here.to(f"/announcements/{key}", "Pinned" if found["pinned"] else "Not pinned any more")


@PEOPLE.post("/announcements/{key}/delete")
def announcement_delete(here: Here, key: str) -> Redirect:
    rules.delete_announcement(here.state, key)
    return here.to("/announcements", "Announcement deleted")
