"""The portal's pages of newcomers' check lists.

Saving a list settles all of its tasks: those that are not ticked are open again.
"""

from __future__ import annotations

from envs.gyms.kit.frame import page
from envs.gyms.kit.here import Here
from envs.gyms.kit.html import Field, details, form, link
from envs.gyms.kit.listing import Column, Listing, Sort
from envs.gyms.kit.records import one
from envs.gyms.pages import Redirect
from envs.gyms.people import rules
from envs.gyms.people.app import PEOPLE, person_link, person_of


@PEOPLE.get("/onboarding")
def onboarding(here: Here) -> str:
    here.note("onboarding")
    listing = Listing(
        columns=(
            Column("Person", lambda b: link(person_of(here, b)["name"],
                                            here.url(f"/onboarding/{b['id']}"))),
            Column("Department", lambda b: person_of(here, b)["department"]),
            Column("Due", lambda b: here.look.date(b["due"])),
            Column("Done", lambda b: f"{sum(t['done'] for t in b['tasks'])} of {len(b['tasks'])}"),
        ),
        words=lambda b: person_of(here, b)["name"],
        sorts=(Sort("Due first", lambda b: (b["due"], b["id"])),
               Sort("Person", lambda b: person_of(here, b)["name"])),
    )  # fmt: skip
    return page(here, "Onboarding", listing.show(here, here.state["onboarding"]))


@PEOPLE.get("/onboarding/{key}")
def check_list(here: Here, key: str) -> str:
    found = one(here.state, "onboarding", key)
    here.note(f"onboarding:{key}")
    fields = [
        Field(task["id"], task["text"], "check", "yes" if task["done"] else "")
        for task in found["tasks"]
    ]
    person = person_of(here, found)
    return page(
        here, "Check list",
        details(("Person", person_link(here, person)), ("Due", here.look.date(found["due"]))),
        form(here, "save", fields, "Save list", "/onboarding"),
        heading=f"Check list of {person['name']}",
    )  # fmt: skip


@PEOPLE.post("/onboarding/{key}/save")
def check_list_save(here: Here, key: str) -> Redirect:
    rules.tick(here.state, key, {name for name, value in here.form.items() if value == "yes"})
    return here.to(f"/onboarding/{key}", "Check list saved")
