"""Hiring somebody: three pages and a review.

What was filled in is kept as a draft until it is submitted or discarded.
"""

from __future__ import annotations

from envs.gyms.kit.frame import page
from envs.gyms.kit.here import Here
from envs.gyms.kit.html import (
    Field,
    button,
    confirm,
    details,
    el,
    form,
    join,
    link,
    menu,
    note,
    section,
)
from envs.gyms.kit.listing import Item
from envs.gyms.kit.names import CITIES, DEPARTMENTS
from envs.gyms.pages import Redirect
from envs.gyms.people import rules
from envs.gyms.people.app import PEOPLE
from envs.gyms.people.data import BANDS, CONTRACTS, LAPTOPS, PHONES

PAGES = {"person": "Person", "contract": "Contract", "equipment": "Equipment"}


@PEOPLE.get("/hire")
def hire(here: Here) -> str:
    here.note("hire")
    draft = here.state["hire"]
    started = any(draft.values())
    lines = [(title, "Filled in" if draft[part] else "Empty") for part, title in PAGES.items()]
    first = next((part for part in PAGES if not draft[part]), "review")
    go = link("Continue the draft" if started else "Begin", here.url(f"/hire/{first}"))
    drop = confirm(here, "discard", "Discard draft", "What was filled in is lost.")
    return page(here, "Hire somebody", details(*lines),
                el("div", go, menu("More", drop) if started else None, class_="row"))  # fmt: skip


@PEOPLE.post("/hire/discard")
def hire_discard(here: Here) -> Redirect:
    rules.discard_hire(here.state)
    return here.to("/hire", "Draft discarded")


def _hire_page(here: Here, part: str, fields: tuple[Field, ...]) -> str:
    here.note(f"hire-{part}")
    number = list(PAGES).index(part) + 1
    return page(
        here, f"Hire somebody: {PAGES[part]}", note(f"Page {number} of 3"),
        form(here, "next", fields, "Next", "/hire"),
    )  # fmt: skip


def _kept(here: Here, part: str) -> Item:
    kept: Item = here.state["hire"][part] or {}
    return kept


@PEOPLE.get("/hire/person")
def hire_person(here: Here) -> str:
    old = _kept(here, "person")
    fields = (
        Field("first", "First name", value=old.get("first", "")),
        Field("last", "Last name", value=old.get("last", "")),
        Field("email", "E-mail", value=old.get("email", "")),
        Field("phone", "Phone", value=old.get("phone", ""), hint="with country code"),
        Field("city", "City", "choice", old.get("city", CITIES[0]), CITIES),
    )
    return _hire_page(here, "person", fields)


@PEOPLE.post("/hire/person/next")
def hire_person_next(here: Here) -> Redirect:
    labels = {"first": "First name", "last": "Last name", "email": "E-mail", "phone": "Phone",
              "city": "City"}  # fmt: skip
    values = {name: here.required(name, text) for name, text in labels.items()}
    rules.hire_part(here.state, "person", values, here.world.today)
    return here.to("/hire/contract")


@PEOPLE.get("/hire/contract")
def hire_contract(here: Here) -> str:
    old = _kept(here, "contract")
    look = here.look
    fields = (
        Field("title", "Title", value=old.get("title", "")),
        Field("department", "Department", "choice", old.get("department", ""), DEPARTMENTS),
        Field("start", "First day", "date", look.date(old["start"]) if old else ""),
        Field("contract", "Contract", "choice", old.get("contract", ""), CONTRACTS),
        Field("band", "Band", "choice", old.get("band", ""), tuple(BANDS)),
        Field("salary", "Salary", "money", look.money(old["salary"]) if old else "", hint="a year"),
    )
    return _hire_page(here, "contract", fields)


@PEOPLE.post("/hire/contract/next")
def hire_contract_next(here: Here) -> Redirect:
    values = {
        "title": here.required("title", "Title"), "start": here.day("start", "First day"),
        "department": here.form.get("department", ""), "contract": here.form.get("contract", ""),
        "band": here.form.get("band", ""), "salary": here.cents("salary", "Salary"),
    }  # fmt: skip
    rules.hire_part(here.state, "contract", values, here.world.today)
    return here.to("/hire/equipment")


@PEOPLE.get("/hire/equipment")
def hire_equipment(here: Here) -> str:
    old = _kept(here, "equipment")
    fields = (
        Field("laptop", "Laptop", "choice", old.get("laptop", LAPTOPS[0]), LAPTOPS),
        Field("phone", "Mobile phone", "choice", old.get("phone", PHONES[0]), PHONES),
        Field("card", "Building pass", "check", "yes" if old.get("card") else ""),
    )
    return _hire_page(here, "equipment", fields)


@PEOPLE.post("/hire/equipment/next")
def hire_equipment_next(here: Here) -> Redirect:
    values = {"laptop": here.form.get("laptop", ""), "phone": here.form.get("phone", ""),
              "card": here.form.get("card") == "yes"}  # fmt: skip
    rules.hire_part(here.state, "equipment", values, here.world.today)
    return here.to("/hire/review")


@PEOPLE.get("/hire/review")
def hire_review(here: Here) -> str:
    here.note("hire-review")
    look, shown = here.look, []
    for part, title in PAGES.items():
        kept = here.state["hire"][part]
        lines = [
            (name.capitalize(), look.money(value) if name == "salary" else look.date(value)
             if name == "start" else ("Yes" if value else "No") if name == "card" else value)
            for name, value in (kept or {}).items()
        ]  # fmt: skip
        change = el("p", link(f"Change {title.lower()}", here.url(f"/hire/{part}")))
        shown.append(section(title, details(*lines) if kept else note("Empty"), change))
    return page(here, "Hire somebody: Review", join(shown), button(here, "submit", "Submit hire"))


@PEOPLE.post("/hire/review/submit")
def hire_submit(here: Here) -> Redirect:
    made = rules.hire(here.state)
    return here.to(f"/staff/{made['id']}", f"{made['name']} is hired")
