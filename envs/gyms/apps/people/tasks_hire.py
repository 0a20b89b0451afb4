"""Tasks that hire somebody: from the first page on, and from a draft that is half done.

The draft on the way is no harm: its paths are transient.
"""

from __future__ import annotations

import random

from envs.gyms.apps.people import rules_fields, rules_hiring
from envs.gyms.apps.people.records import sample_phone
from envs.gyms.apps.people.sampling import people_part, require_allowed
from envs.gyms.apps.people.vocabulary import BANDS, CONTRACTS, LAPTOPS, PHONES
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.names import CITIES, DEPARTMENTS, TITLES
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_newcomer(world: Company, rng: random.Random, state: State) -> Params:
    first, last = rng.choice(world.names.first), rng.choice(world.names.last)
    band = rng.choice(("B1", "B2", "B3"))
    email = f"{first}.{last}@{world.domain}".lower()
    require_allowed(state, lambda part: rules_fields.check_email(part, email))
    department, start = rng.choice(DEPARTMENTS), world.day(rng.randint(10, 80))
    cents = rng.randrange(*BANDS[band], 50_000)
    return {
        "first": first,
        "last": last,
        "email": email,
        "phone": sample_phone(rng),
        "city": rng.choice(CITIES[1:]),
        "title": rng.choice(TITLES[department]),
        "department": department,
        "start": start,
        "date": world.locale.format_date(start),
        "contract": rng.choice(CONTRACTS),
        "band": band,
        "cents": cents,
        "salary": world.locale.format_money(cents),
        "laptop": rng.choice(LAPTOPS[1:]),
        "mobile": rng.choice(PHONES[1:]),
    }


def _fill_draft(part: State, p: Params, today: str) -> None:
    person = {key: p[key] for key in ("first", "last", "email", "phone", "city")}
    contract = {key: p[key] for key in ("title", "start", "department", "contract", "band")}
    rules_hiring.save_draft_page(part, "person", person, today)
    rules_hiring.save_draft_page(part, "contract", contract | {"salary": p["cents"]}, today)


def _apply_hire(world: Company, p: Params, state: State) -> None:
    part = people_part(state)
    if "email" in p:
        _fill_draft(part, p, world.today)
    else:
        part["hire"]["contract"]["start"] = p["start"]
    kit = {"laptop": p["laptop"], "phone": p["mobile"], "card": True}
    rules_hiring.save_draft_page(part, "equipment", kit, world.today)
    rules_hiring.hire_from_draft(part)


def _hire_person(page: Page, p: Params) -> Script:
    page = yield from navigation.open_link(page, "that is the way in", "Hire somebody")
    page = yield from navigation.open_link(page, "nothing is filled in yet", "Begin")
    person = {
        "First name": p["first"],
        "Last name": p["last"],
        "E-mail": p["email"],
        "Phone": p["phone"],
        "City": p["city"],
    }
    page = yield from navigation.fill_fields(page, person)
    page = yield from navigation.click(page, "the second page", "Next")
    contract = {
        "Title": p["title"],
        "Department": p["department"],
        "First day": p["date"],
        "Contract": p["contract"],
        "Band": p["band"],
        "Salary": p["salary"],
    }
    page = yield from navigation.fill_fields(page, contract)
    page = yield from navigation.click(page, "the third page", "Next")
    page = yield from _fill_equipment(page, p)
    yield from navigation.click(page, "all is right", "Submit hire")
    return None


def _fill_equipment(page: Page, p: Params) -> navigation.Moves:
    kit = {"Laptop": p["laptop"], "Mobile phone": p["mobile"], "Building pass": True}
    page = yield from navigation.fill_fields(page, kit)
    return (yield from navigation.click(page, "to the review", "Next"))


def _add_half_a_draft(world: Company, rng: random.Random, state: State) -> None:
    """Two of the three pages are filled in."""
    while True:
        try:
            params = _sample_newcomer(world, rng, state)
        except Resample:
            continue
        return _fill_draft(people_part(state), params, world.today)


def _sample_draft(world: Company, rng: random.Random, state: State) -> Params:
    draft = people_part(state)["hire"]
    start = world.day(rng.randint(10, 90))
    if start == draft["contract"]["start"]:
        raise Resample("the first day stays the same")
    return {
        "name": f"{draft['person']['first']} {draft['person']['last']}",
        "start": start,
        "date": world.locale.format_date(start),
        "laptop": rng.choice(LAPTOPS[1:]),
        "mobile": rng.choice(PHONES[1:]),
    }


def _finish_draft(page: Page, p: Params) -> Script:
    page = yield from navigation.open_link(page, "that is the way in", "Hire somebody")
    page = yield from navigation.open_link(page, "it is begun", "Continue the draft")
    page = yield from _fill_equipment(page, p)
    page = yield from navigation.open_link(page, "the first day", "Change contract")
    page = yield from navigation.fill_fields(page, {"First day": p["date"]})
    page = yield from navigation.click(page, "the equipment is filled in", "Next")
    page = yield from navigation.click(page, "back to the review", "Next")
    yield from navigation.click(page, "all is right", "Submit hire")
    return None


VISITED_REVIEW = ("passes the pages", visited_page("people:hire-review"))
DRAFT_PATHS = ("/people/hire", "/people/hire/*")


TEMPLATES = (
    Template(
        name="hire",
        skills=("form", "date", "multi-step"),
        oracle_steps=21,
        phrasings=(
            "Hire {first} {last} (e-mail {email}, phone {phone}, {city}) as {title} in "
            "{department} from {date}: contract {contract}, band {band}, salary {salary}. "
            "Equipment: {laptop}, {mobile}, building pass. Submit it.",
            "Enter and submit a new hire. Person: {first} {last}, {email}, {phone}, city {city}. "
            "Contract: {title}, {department}, first day {date}, {contract}, band {band}, {salary} "
            "a year. Equipment: {laptop}, {mobile} and a building pass.",
        ),
        sample_params=_sample_newcomer,
        solve=_hire_person,
        milestones=(
            ("person", visited_page("people:hire-person")),
            ("equipment", visited_page("people:hire-equipment")),
            VISITED_REVIEW,
            FINISHED,
        ),
        apply_expected=_apply_hire,
        transient_paths=DRAFT_PATHS,
    ),
    Template(
        name="finish_draft",
        skills=("form", "date", "multi-step", "recall"),
        oracle_steps=12,
        phrasings=(
            "The draft for hiring {name} is half done. Finish it: {laptop}, {mobile} and a "
            "building pass; the first day must be {date} instead. Submit it.",
            "{name} will be hired from {date} on, not as in the draft. Correct this, add {laptop}, "
            "{mobile} and a building pass, and submit the draft.",
        ),
        sample_params=_sample_draft,
        solve=_finish_draft,
        milestones=(("equipment", visited_page("people:hire-equipment")), VISITED_REVIEW, FINISHED),
        apply_expected=_apply_hire,
        prepare_state=_add_half_a_draft,
        transient_paths=DRAFT_PATHS,
    ),
)
