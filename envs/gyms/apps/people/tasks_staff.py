"""Tasks on a person's contact data and pay.

Success changes the fields that the instruction names and keeps all others.
"""

from __future__ import annotations

import random

from envs.contract.actions import Tool
from envs.gyms.apps.people import rules_staff
from envs.gyms.apps.people.oracle_moves import VISITED_PERSON, open_person
from envs.gyms.apps.people.records import sample_account, sample_phone
from envs.gyms.apps.people.sampling import people_part, person_params
from envs.gyms.apps.people.vocabulary import BANDS, CONTACT_FIELDS
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.names import CITIES, STREETS
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_move(world: Company, rng: random.Random, state: State) -> Params:
    person = rng.choice(people_part(state)["staff"])
    city = rng.choice([city for city in CITIES if city != person["city"]])
    return person_params(world, person) | {
        "phone": sample_phone(rng),
        "street": f"{rng.randint(181, 250)} {rng.choice(STREETS)}",
        "postal": str(rng.randint(10000, 98999)),
        "city": city,
        "kin": f"{rng.choice(world.names.first)} {rng.choice(world.names.last)}",
        "kin_phone": sample_phone(rng),
    }


def _apply_contact(world: Company, p: Params, state: State) -> None:
    person = get_record(people_part(state), "staff", p["person"])
    values = {key: p.get(key, person[key]) for key in CONTACT_FIELDS}
    rules_staff.edit_contact(people_part(state), p["person"], values)


def _edit_contact(page: Page, p: Params, fields: dict[str, str]) -> Script:
    page = yield from open_person(page, p["name"])
    page = yield from navigation.open_link(page, "change it", "Edit contact data")
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "save it", "Save contact data")
    return None


def _move_house(page: Page, p: Params) -> Script:
    fields = {
        "Phone": p["phone"],
        "Street": p["street"],
        "Postal code": p["postal"],
        "City": p["city"],
        "Emergency contact": p["kin"],
        "Emergency phone": p["kin_phone"],
    }
    return (yield from _edit_contact(page, p, fields))


def _move_calls(p: Params) -> list[Tool]:
    fields = {key: p[key] for key in CONTACT_FIELDS if key in p}
    arguments = {"person": p["person"], "fields": fields}
    return [Tool(name="people.update_contact", arguments=arguments)]


def _sample_person_with_manager(world: Company, rng: random.Random, state: State) -> Params:
    person = rng.choice([p for p in people_part(state)["staff"] if p["manager"]])
    boss = get_record(people_part(state), "staff", person["manager"])
    return person_params(world, person) | {
        "boss": boss["id"],
        "kin": boss["name"],
        "kin_phone": boss["phone"],
    }


def _enter_manager(page: Page, p: Params) -> Script:
    page = yield from open_person(page, p["name"])
    page = yield from navigation.open_link(page, "the manager's number", p["kin"])
    fields = {
        "Emergency contact": p["kin"],
        "Emergency phone": navigation.read_value(page, "Phone"),
    }
    return (yield from _edit_contact(page, p, fields))


def _sample_pay(world: Company, rng: random.Random, state: State) -> Params:
    person = rng.choice(people_part(state)["staff"])
    band = rng.choice([band for band in BANDS if band != person["band"]])
    cents = rng.randrange(*BANDS[band], 25_000)
    if cents == person["salary"]:
        raise Resample("the salary stays the same")
    return person_params(world, person) | {
        "band": band,
        "cents": cents,
        "salary": world.locale.format_money(cents),
        "account": sample_account(rng),
        "contract": person["contract"],
    }


def _change_pay(page: Page, p: Params) -> Script:
    page = yield from open_person(page, p["name"])
    page = yield from navigation.open_link(page, "pay stands there", "Pay and contract")
    page = yield from navigation.open_link(page, "change it", "Edit pay")
    fields = {"Band": p["band"], "Salary": p["salary"], "Account": p["account"]}
    page = yield from navigation.fill_fields(page, fields)
    yield from navigation.click(page, "save it", "Save pay")
    return None


TEMPLATES = (
    Template(
        name="move_house",
        skills=("search", "form"),
        oracle_steps=13,
        phrasings=(
            "{name} has moved to {street}, {postal} {city}, and has the phone {phone} now. The "
            "emergency contact is {kin}, {kin_phone}. Update the contact data.",
            "Update {name}: phone {phone}; street {street}; postal code {postal}; city {city}; "
            "emergency contact {kin}, emergency phone {kin_phone}.",
        ),
        sample_params=_sample_move,
        solve=_move_house,
        milestones=(VISITED_PERSON, FINISHED),
        apply_expected=_apply_contact,
        tool_calls=_move_calls,
    ),
    Template(
        name="manager_in_emergency",
        skills=("search", "form", "recall"),
        oracle_steps=14,
        phrasings=(
            "Make the manager of {name} the emergency contact of {name}, with the manager's phone.",
            "In an emergency, {name}'s manager shall be called. Enter the manager's name and "
            "phone as "
            "emergency contact of {name}.",
        ),
        sample_params=_sample_person_with_manager,
        solve=_enter_manager,
        milestones=(VISITED_PERSON, ("manager", visited_page("people:person:{boss}")), FINISHED),
        apply_expected=_apply_contact,
    ),
    Template(
        name="change_pay",
        skills=("search", "form", "multi-step"),
        oracle_steps=11,
        phrasings=(
            "{name} is promoted to band {band} with a salary of {salary}, paid to account "
            "{account}. Update the pay.",
            "Set the pay of {name}: band {band}, salary {salary}, account {account}.",
        ),
        sample_params=_sample_pay,
        solve=_change_pay,
        milestones=(VISITED_PERSON, ("pay", visited_page("people:pay:{person}")), FINISHED),
        apply_expected=lambda world, p, state: rules_staff.edit_pay(
            people_part(state), p["person"], p | {"salary": p["cents"]}
        ),
    ),
)
