"""Tasks on hiring somebody: from the first page on, and from a draft that is half done.

The draft on the way is no harm: its paths are passing.
"""

from __future__ import annotations

import random

from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.names import CITIES, DEPARTMENTS, FIRST, LAST, TITLES
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template, saw
from envs.gyms.people import rules
from envs.gyms.people.data import BANDS, CONTRACTS, LAPTOPS, PHONES, some_phone
from envs.gyms.people.drawing import allowed, part_of
from envs.gyms.view import Page


def _newcomer(world: Company, rng: random.Random, state: State) -> Params:
    first, last, band = rng.choice(FIRST), rng.choice(LAST), rng.choice(("B1", "B2", "B3"))
    email = f"{first}.{last}@{world.domain}".lower()
    allowed(state, lambda part: rules.email(part, email))
    department, start = rng.choice(DEPARTMENTS), world.day(rng.randint(10, 80))
    cents = rng.randrange(*BANDS[band], 50_000)
    return {
        "first": first, "last": last, "email": email, "phone": some_phone(rng),
        "city": rng.choice(CITIES[1:]), "title": rng.choice(TITLES[department]),
        "department": department, "start": start, "date": world.look.date(start),
        "contract": rng.choice(CONTRACTS), "band": band, "cents": cents,
        "salary": world.look.money(cents), "laptop": rng.choice(LAPTOPS[1:]),
        "mobile": rng.choice(PHONES[1:]),
    }  # fmt: skip


def _fill_draft(part: State, p: Params, today: str) -> None:
    person = {key: p[key] for key in ("first", "last", "email", "phone", "city")}
    contract = {key: p[key] for key in ("title", "start", "department", "contract", "band")}
    rules.hire_part(part, "person", person, today)
    rules.hire_part(part, "contract", contract | {"salary": p["cents"]}, today)


def _expect_hired(world: Company, p: Params, state: State) -> None:
    part = part_of(state)
    if "email" in p:
        _fill_draft(part, p, world.today)
    else:
        part["hire"]["contract"]["start"] = p["start"]
    kit = {"laptop": p["laptop"], "phone": p["mobile"], "card": True}
    rules.hire_part(part, "equipment", kit, world.today)
    rules.hire(part)


def _hire(page: Page, p: Params) -> Script:
    page = yield from ways.open_link(page, "that is the way in", "Hire somebody")
    page = yield from ways.open_link(page, "nothing is filled in yet", "Begin")
    person = {"First name": p["first"], "Last name": p["last"], "E-mail": p["email"],
              "Phone": p["phone"], "City": p["city"]}  # fmt: skip
    page = yield from ways.fill(page, person)
    page = yield from ways.press(page, "the second page", "Next")
    contract = {"Title": p["title"], "Department": p["department"], "First day": p["date"],
                "Contract": p["contract"], "Band": p["band"], "Salary": p["salary"]}  # fmt: skip
    page = yield from ways.fill(page, contract)
    page = yield from ways.press(page, "the third page", "Next")
    page = yield from _equip(page, p)
    yield from ways.press(page, "all is right", "Submit hire")
    return None


def _equip(page: Page, p: Params) -> ways.Way:
    kit = {"Laptop": p["laptop"], "Mobile phone": p["mobile"], "Building pass": True}
    page = yield from ways.fill(page, kit)
    return (yield from ways.press(page, "to the review", "Next"))


def _half_a_draft(world: Company, rng: random.Random, state: State) -> None:
    """Two of the three pages are filled in."""
    while True:
        try:
            found = _newcomer(world, rng, state)
        except Redraw:
            continue
        return _fill_draft(part_of(state), found, world.today)


def _draw_draft(world: Company, rng: random.Random, state: State) -> Params:
    draft = part_of(state)["hire"]
    start = world.day(rng.randint(10, 90))
    if start == draft["contract"]["start"]:
        raise Redraw("the first day stays the same")
    return {
        "name": f"{draft['person']['first']} {draft['person']['last']}", "start": start,
        "date": world.look.date(start), "laptop": rng.choice(LAPTOPS[1:]),
        "mobile": rng.choice(PHONES[1:]),
    }  # fmt: skip


def _finish_draft(page: Page, p: Params) -> Script:
    page = yield from ways.open_link(page, "that is the way in", "Hire somebody")
    page = yield from ways.open_link(page, "it is begun", "Continue the draft")
    page = yield from _equip(page, p)
    page = yield from ways.open_link(page, "the first day", "Change contract")
    page = yield from ways.fill(page, {"First day": p["date"]})
    page = yield from ways.press(page, "the equipment is filled in", "Next")
    page = yield from ways.press(page, "back to the review", "Next")
    yield from ways.press(page, "all is right", "Submit hire")
    return None


HIRING = ("passes the pages", saw("people:hire-review"))
DRAFT_PATHS = ("/people/hire", "/people/hire/*")


TEMPLATES = (
    Template(
        "hire", ("form", "date", "multi-step"), 21,
        ("Hire {first} {last} (e-mail {email}, phone {phone}, {city}) as {title} in {department} "
         "from {date}: contract {contract}, band {band}, salary {salary}. Equipment: {laptop}, "
         "{mobile}, building pass. Submit it.",
         "Enter and submit a new hire. Person: {first} {last}, {email}, {phone}, city {city}. "
         "Contract: {title}, {department}, first day {date}, {contract}, band {band}, {salary} a "
         "year. Equipment: {laptop}, {mobile} and a building pass."),
        _newcomer, _hire, (("person", saw("people:hire-person")),
                           ("equipment", saw("people:hire-equipment")), HIRING, FINISHED),
        _expect_hired, passing=DRAFT_PATHS,
    ),
    Template(
        "finish_draft", ("form", "date", "multi-step", "recall"), 12,
        ("The draft for hiring {name} is half done. Finish it: {laptop}, {mobile} and a building "
         "pass; the first day must be {date} instead. Submit it.",
         "{name} will be hired from {date} on, not as in the draft. Correct this, add {laptop}, "
         "{mobile} and a building pass, and submit the draft."),
        _draw_draft, _finish_draft, (("equipment", saw("people:hire-equipment")), HIRING, FINISHED),
        _expect_hired, _half_a_draft, passing=DRAFT_PATHS,
    ),
)  # fmt: skip
