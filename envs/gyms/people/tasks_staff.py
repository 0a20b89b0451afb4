"""Tasks on what the portal keeps of a person: contact data and pay.

Success changes the fields that the instruction names and keeps all others.
"""

from __future__ import annotations

import random

from envs.actions import Tool
from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.names import CITIES, FIRST, LAST, STREETS
from envs.gyms.kit.records import one
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template, saw
from envs.gyms.people import rules
from envs.gyms.people.app import CONTACT
from envs.gyms.people.data import BANDS, some_account, some_phone
from envs.gyms.people.drawing import PERSON, part_of, plain, to_person
from envs.gyms.view import Page


def _draw_move(world: Company, rng: random.Random, state: State) -> Params:
    person = rng.choice(part_of(state)["staff"])
    city = rng.choice([city for city in CITIES if city != person["city"]])
    return plain(world, person) | {
        "phone": some_phone(rng), "street": f"{rng.randint(181, 250)} {rng.choice(STREETS)}",
        "postal": str(rng.randint(10000, 98999)), "city": city,
        "kin": f"{rng.choice(FIRST)} {rng.choice(LAST)}", "kin_phone": some_phone(rng),
    }  # fmt: skip


def _expect_contact(world: Company, p: Params, state: State) -> None:
    person = one(part_of(state), "staff", p["person"])
    values = {key: p.get(key, person[key]) for key in CONTACT}
    rules.edit_contact(part_of(state), p["person"], values)


def _edit_contact(page: Page, p: Params, fields: dict[str, str]) -> Script:
    page = yield from to_person(page, p["name"])
    page = yield from ways.open_link(page, "change it", "Edit contact data")
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "save it", "Save contact data")
    return None


def _move_house(page: Page, p: Params) -> Script:
    fields = {
        "Phone": p["phone"], "Street": p["street"], "Postal code": p["postal"], "City": p["city"],
        "Emergency contact": p["kin"], "Emergency phone": p["kin_phone"],
    }  # fmt: skip
    return (yield from _edit_contact(page, p, fields))


def _move_calls(p: Params) -> list[Tool]:
    fields = {key: p[key] for key in CONTACT if key in p}
    arguments = {"person": p["person"], "fields": fields}
    return [Tool(name="people.update_contact", arguments=arguments)]


def _draw_led(world: Company, rng: random.Random, state: State) -> Params:
    person = rng.choice([p for p in part_of(state)["staff"] if p["manager"]])
    boss = one(part_of(state), "staff", person["manager"])
    return plain(world, person) | {
        "boss": boss["id"], "kin": boss["name"], "kin_phone": boss["phone"],
    }  # fmt: skip


def _boss_in_emergency(page: Page, p: Params) -> Script:
    page = yield from to_person(page, p["name"])
    page = yield from ways.open_link(page, "the manager's number", p["kin"])
    fields = {"Emergency contact": p["kin"], "Emergency phone": ways.value_of(page, "Phone")}
    return (yield from _edit_contact(page, p, fields))


def _draw_pay(world: Company, rng: random.Random, state: State) -> Params:
    person = rng.choice(part_of(state)["staff"])
    band = rng.choice([band for band in BANDS if band != person["band"]])
    cents = rng.randrange(*BANDS[band], 25_000)
    if cents == person["salary"]:
        raise Redraw("the salary stays the same")
    return plain(world, person) | {
        "band": band, "cents": cents, "salary": world.look.money(cents),
        "account": some_account(rng), "contract": person["contract"],
    }  # fmt: skip


def _change_pay(page: Page, p: Params) -> Script:
    page = yield from to_person(page, p["name"])
    page = yield from ways.open_link(page, "pay stands there", "Pay and contract")
    page = yield from ways.open_link(page, "change it", "Edit pay")
    fields = {"Band": p["band"], "Salary": p["salary"], "Account": p["account"]}
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "save it", "Save pay")
    return None


TEMPLATES = (
    Template(
        "move_house", ("search", "form"), 13,
        ("{name} has moved to {street}, {postal} {city}, and has the phone {phone} now. The "
         "emergency contact is {kin}, {kin_phone}. Update the contact data.",
         "Update {name}: phone {phone}; street {street}; postal code {postal}; city {city}; "
         "emergency contact {kin}, emergency phone {kin_phone}."),
        _draw_move, _move_house, (PERSON, FINISHED), _expect_contact, calls=_move_calls,
    ),
    Template(
        "manager_in_emergency", ("search", "form", "recall"), 14,
        ("Make the manager of {name} the emergency contact of {name}, with the manager's phone.",
         "In an emergency, {name}'s manager shall be called. Enter the manager's name and phone as "
         "emergency contact of {name}."),
        _draw_led, _boss_in_emergency,
        (PERSON, ("manager", saw("people:person:{boss}")), FINISHED), _expect_contact,
    ),
    Template(
        "change_pay", ("search", "form", "multi-step"), 11,
        ("{name} is promoted to band {band} with a salary of {salary}, paid to account {account}. "
         "Update the pay.",
         "Set the pay of {name}: band {band}, salary {salary}, account {account}."),
        _draw_pay, _change_pay, (PERSON, ("pay", saw("people:pay:{person}")), FINISHED),
        lambda world, p, state: rules.edit_pay(
            part_of(state), p["person"], p | {"salary": p["cents"]}
        ),
    ),
)  # fmt: skip
