"""Pages that tie a ticket to another one: merging it, making it a sub-ticket.

A merge is offered only where `rules` would allow it; otherwise the page says why not.
"""

from __future__ import annotations

from urllib.parse import urlencode

from markupsafe import Markup

from envs.gyms.desk import rules
from envs.gyms.desk.app import DESK, customer_of
from envs.gyms.desk.data import CLOSED
from envs.gyms.gym import Refused
from envs.gyms.kit.frame import page
from envs.gyms.kit.here import Here
from envs.gyms.kit.html import Field, confirm, details, el, form, join, link, note, section
from envs.gyms.kit.listing import Item
from envs.gyms.kit.records import one
from envs.gyms.pages import Redirect


@DESK.get("/tickets/{key}/merge")
def merge(here: Here, key: str) -> str:
    found = one(here.state, "tickets", key)
    asked = here.query.get("into", "")
    look_up = el(
        "form", el("label", el("span", "Into ticket"), el("input", name="into", value=asked,
                   placeholder="HD-2001", autocomplete="off")),
        el("button", "Look it up"), action=here.path, class_="listing",
    )  # fmt: skip
    near = [
        t for t in here.state["tickets"]
        if t["customer"] == found["customer"] and t is not found and t["status"] != CLOSED
    ]  # fmt: skip
    at = here.url(f"/tickets/{key}/merge?")
    rows = [
        el("p", link(f"{t['number']} {t['subject']}", at + urlencode({"into": t["number"]})),
           f" of {here.look.date(t['created'])}, {t['status']}")
        for t in near[-8:]
    ]  # fmt: skip
    return page(
        here, "Merge", look_up, _merge_into(here, found, asked) if asked else None,
        section("Other tickets of this customer", join(rows) if rows else note("There are none")),
        heading=f"Merge {found['number']}",
    )  # fmt: skip


def _merge_into(here: Here, found: Item, asked: str) -> Markup:
    """What a merge would do, and the button for it."""
    try:
        into = rules.by_number(here.state, asked)
    except Refused as missing:
        return note(str(missing))
    here.note(f"merge:{found['id']}:{into['id']}")
    who = customer_of(here, into)
    facts = details(
        ("This ticket", f"{found['number']} {found['subject']}"),
        ("Goes into", f"{into['number']} {into['subject']}"),
        ("Customer", f"{who['name']}, {who['org']}"), ("Status", into["status"]),
    )  # fmt: skip
    problem = rules.merge_problem(here.state, found, into)
    if problem:
        return join((facts, note(problem)))
    question = f"{found['number']} is closed for good; {into['number']} goes on."
    return join((facts, confirm(here, "merge", "Merge them", question, into=into["id"])))


@DESK.post("/tickets/{key}/merge/merge")
def merge_do(here: Here, key: str) -> Redirect:
    into = here.form.get("into", "")
    rules.merge(here.state, key, into, here.world.user.name, here.world.today)
    return here.to(f"/tickets/{into}", "Tickets merged")


@DESK.get("/tickets/{key}/parent")
def parent(here: Here, key: str) -> str:
    found = one(here.state, "tickets", key)
    now = one(here.state, "tickets", found["parent"])["number"] if found["parent"] else ""
    fields = (Field("parent", "Parent ticket", value=now, hint="empty: it has none"),)
    return page(
        here, "Set parent", form(here, "save", fields, "Save parent", f"/tickets/{key}"),
        heading=f"Parent of {found['number']}",
    )  # fmt: skip


@DESK.post("/tickets/{key}/parent/save")
def parent_save(here: Here, key: str) -> Redirect:
    number = here.form.get("parent", "").strip()
    rules.link_parent(
        here.state, key, rules.by_number(here.state, number)["id"] if number else None
    )
    return here.to(f"/tickets/{key}", "Parent saved")
