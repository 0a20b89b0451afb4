"""Values of fields: what is written is read as the same, and what is wrong is refused."""

from __future__ import annotations

import pytest

from envs.gyms.generated.initial_state import make_state
from envs.gyms.generated.make_schema import make_schema
from envs.gyms.generated.schema import Field
from envs.gyms.generated.values import format_value, parse_value
from envs.gyms.kit.company import get_company
from envs.gyms.kit.locale import Locale
from envs.gyms.server.gym import Refused

LOCALE = Locale("eu")


@pytest.mark.parametrize("seed", [1, 2, 3, 10**9, 2 * 10**9])
def test_what_a_page_shows_a_form_reads(seed: int) -> None:
    schema, world = make_schema("gen-0009", 9), get_company(seed)
    state = make_state(schema, world)
    for entity in schema.entities:
        for field in entity.fields:
            for record in state[entity.key]:
                value = record[field.key]
                text = format_value(schema, field, value, state, world.locale)
                if field.kind == "reference":
                    text = value
                if field.kind == "flag":
                    text = "yes" if value else ""
                assert parse_value(field, text, state, world.locale) == value


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("text", "  ", "Thing is required"),
        ("money", "a lot", "must be an amount such as 120,50"),
        ("money", "-3,00", "must be an amount"),
        ("date", "31.02.2026", "must be a date such as 05.03.2026"),
        ("number", "1,5", "must be a whole number"),
        ("number", "9 kg", "must be a whole number"),
        ("choice", "blue", "Choose one: Thing"),
    ],
)
def test_what_makes_no_sense_is_refused(kind: str, text: str, message: str) -> None:
    field = Field.model_validate(
        {"key": "thing", "label": "Thing", "kind": kind, "options": ["red"], "unit": "m"}
    )
    with pytest.raises(Refused, match=message):
        parse_value(field, text, {}, LOCALE)


def test_a_number_may_have_its_unit() -> None:
    field = Field(key="size", label="Size", kind="number", unit="km")
    assert parse_value(field, "12 km", {}, LOCALE) == 12
    assert parse_value(field, "twelve", {}, LOCALE) == 12
