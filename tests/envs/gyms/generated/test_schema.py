"""Schemas that were changed by hand: what cannot be is named."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from envs.gyms.generated.make_schema import make_schema
from envs.gyms.generated.schema import AppSchema

SCHEMA = make_schema("gen-0003", 3)


def _change(**entity: Any) -> dict[str, Any]:
    data = SCHEMA.model_dump(mode="json")
    data["entities"][0] |= entity
    return data


def test_a_column_that_is_no_field_is_named() -> None:
    with pytest.raises(ValidationError, match="there is no 'nothing'"):
        AppSchema.model_validate(_change(columns=["nothing"]))


def test_a_step_to_no_state_is_named() -> None:
    with pytest.raises(ValidationError, match="there is no"):
        AppSchema.model_validate(_change(states=["only one"]))


def test_an_unknown_key_is_an_error() -> None:
    with pytest.raises(ValidationError, match="colour"):
        AppSchema.model_validate(_change(colour="red"))


def test_what_refers_to_an_entity_is_known() -> None:
    work = SCHEMA.entities[0]
    for field in work.references:
        assert (work, field) in SCHEMA.children_of(field.target)
    assert SCHEMA.id_prefix(SCHEMA.entities[1]) == "b"
