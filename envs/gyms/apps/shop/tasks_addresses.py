"""Templates about addresses."""

from __future__ import annotations

import random

from envs.gyms.apps.shop import rules
from envs.gyms.apps.shop.catalogue import Catalogue
from envs.gyms.apps.shop.names import CITIES, STREETS
from envs.gyms.apps.shop.oracle import solve_with
from envs.gyms.apps.shop.oracle_account import EditAddress, MoveAddress
from envs.gyms.kit.template import Params, Resample, Template, is_success, visited_page
from envs.gyms.server.gym import State

MILESTONES = (("form", visited_page("address:{address}")), ("saved", is_success))


def _sample_value(field: str, rng: random.Random, address: State) -> str:
    if field == "city":
        value = rng.choice(CITIES)
    elif field == "street":
        value = f"{rng.randint(1, 99)} {rng.choice(STREETS)}"
    else:
        value = str(rng.randint(10000, 99999))
    if value == address[field]:
        raise Resample("the address has this value already")
    return value


def _sample_edit(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    address, field = rng.choice(state["addresses"]), rng.choice(("city", "street", "zip"))
    value = _sample_value(field, rng, address)
    return {"address": address["id"], "field": field, "value": value, "fields": {field: value}}


def _sample_move(catalogue: Catalogue, rng: random.Random, state: State) -> Params:
    address = rng.choice(state["addresses"])
    fields = {name: _sample_value(name, rng, address) for name in ("street", "city")}
    return {"address": address["id"], "fields": fields, **fields}


def _apply_fields(catalogue: Catalogue, p: Params, state: State) -> None:
    rules.get_address(state, p["address"]).update(p["fields"])


ADDRESS_TEMPLATES: tuple[Template[Catalogue], ...] = (
    Template(
        name="edit_address",
        skills=("menu", "form"),
        oracle_steps=6,
        phrasings=(
            "Change the {field} of the {address} address to {value}.",
            "My {address} address has a new {field}: {value}. Update it.",
        ),
        sample_params=_sample_edit,
        solve=solve_with(EditAddress),
        apply_expected=_apply_fields,
        milestones=MILESTONES,
    ),
    Template(
        name="move_address",
        skills=("menu", "form"),
        oracle_steps=6,
        phrasings=(
            "Change the {address} address to street {street}, city {city}.",
            "The {address} address moved: street {street}, city {city}. Update it.",
        ),
        sample_params=_sample_move,
        solve=solve_with(MoveAddress),
        apply_expected=_apply_fields,
        milestones=MILESTONES,
    ),
)
