"""Values of fields: as the state holds them, as pages show them, as forms send them.

Guarantees: what `format_value` writes, `parse_value` reads as the same value.
"""

from __future__ import annotations

import random
from typing import Any

from envs.gyms.generated.schema import AppSchema, Entity, Field
from envs.gyms.generated.words import NOTES
from envs.gyms.kit.company import Company
from envs.gyms.kit.locale import Locale
from envs.gyms.kit.names import CITIES, STREETS
from envs.gyms.kit.numerals import parse_number
from envs.gyms.kit.records import Item, get_record
from envs.gyms.server.gym import NotFound, Refused, State

Value = str | int | bool
YES, NO = "Yes", "No"
MOST_CHARS = 120
MOST_NUMBER = 1_000_000


def format_value(
    schema: AppSchema, field: Field, value: Value, state: State, locale: Locale
) -> str:
    """As pages show it. `state` is the app's part, for the names of what references point to."""
    if field.kind == "money":
        return locale.format_money(int(value))
    if field.kind == "date":
        return locale.format_date(str(value))
    if field.kind == "flag":
        return YES if value else NO
    if field.kind == "number":
        return f"{value} {field.unit}".rstrip()
    if field.kind == "reference":
        name = find_name(state, field.target, str(value)) if value else None
        return schema.look.words["none"] if name is None else name
    return str(value)


def find_name(state: State, kind: str, key: str) -> str | None:
    """The name of a record; None where there is no such record."""
    return next((str(item["name"]) for item in state[kind] if item["id"] == key), None)


def parse_value(field: Field, text: str, state: State, locale: Locale) -> Value:
    """What a form's field means. Raises Refused with what it should look like."""
    text = " ".join(text.split())
    if field.kind == "flag":
        return text == "yes"
    if field.kind == "reference":
        try:
            return str(get_record(state, field.target, text)["id"]) if text else ""
        except NotFound as error:
            raise Refused(f"Choose one: {field.label}") from error
    if not text:
        raise Refused(f"{field.label} is required")
    if field.kind == "money":
        cents = locale.parse_money(text)
        if cents is None or cents <= 0:
            raise Refused(f"{field.label} must be an amount such as {locale.format_money(12050)}")
        return cents
    if field.kind == "date":
        day = locale.parse_date(text)
        if day is None:
            raise Refused(f"{field.label} must be a date such as {locale.date_example}")
        return day
    if field.kind == "number":
        number = parse_number(text, locale, (field.unit,) if field.unit else ())
        if number is None or number != int(number) or not 0 <= number <= MOST_NUMBER:
            raise Refused(f"{field.label} must be a whole number")
        return int(number)
    if field.kind == "choice" and text not in field.options:
        raise Refused(f"Choose one: {field.label}")
    if len(text) > MOST_CHARS:
        raise Refused(f"{field.label} is too long")
    return text


def sample_value(field: Field, world: Company, rng: random.Random, state: State) -> Value:
    """A value as records have it; of a reference, a record that is there."""
    match field.kind:
        case "number":
            return rng.randint(field.low, field.high)
        case "money":
            cents = rng.randint(field.low, field.high)
            return max(100, cents // 250 * 250)
        case "date":
            return world.day(rng.randint(field.low, field.high))
        case "choice":
            return rng.choice(field.options)
        case "flag":
            return rng.random() < 0.5
        case "reference":
            return str(rng.choice(state[field.target])["id"])
    return _sample_text(field.sampler, world, rng)


def _sample_text(sampler: str, world: Company, rng: random.Random) -> str:
    first, last = rng.choice(world.names.first), rng.choice(world.names.last)
    match sampler:
        case "phone":
            return f"+1 555 {rng.randint(100, 999)} {rng.randint(1000, 9999)}"
        case "email":
            return f"{first}.{last}@{world.domain}".lower()
        case "street":
            return f"{rng.randint(1, 180)} {rng.choice(STREETS)}"
        case "city":
            return rng.choice(CITIES)
        case "person":
            return f"{first} {last}"
        case "serial":
            return f"{rng.choice('ABCDEFGHKLMNPRST')}{rng.randint(100, 999)}-{rng.randint(10, 99)}"
    return rng.choice(NOTES)


def sample_name(entity: Entity, world: Company, rng: random.Random, number: int) -> str:
    """A name for a record, not yet unique; codes by their number."""
    match entity.naming:
        case "code":
            return f"{entity.words[0]}-{number}"
        case "person":
            return f"{rng.choice(world.names.first)} {rng.choice(world.names.last)}"
        case "firm":
            return f"{rng.choice(world.names.firms)} {rng.choice(world.names.last)}"
    return f"{rng.choice(world.names.firms)} {rng.choice(entity.words)}"


def get_name_of(state: State, kind: str, key: str) -> str:
    """The name of a record that is there."""
    record: Item = get_record(state, kind, key)
    name: Any = record["name"]
    return str(name)
