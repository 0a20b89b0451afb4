"""The records that apps have at the start."""

from __future__ import annotations

import pytest

from envs.gyms.generated.initial_state import make_state
from envs.gyms.generated.make_schema import make_schema
from envs.gyms.kit.company import get_company


@pytest.mark.parametrize("seed", [0, 1, 10**9 + 1, 2 * 10**9 + 1])
def test_names_are_unique_in_the_app_and_every_state_occurs(seed: int) -> None:
    for number in range(30):
        schema = make_schema(f"gen-{number:04}", number)
        state = make_state(schema, get_company(seed))
        names = [record["name"] for entity in schema.entities for record in state[entity.key]]
        assert len(set(names)) == len(names)
        for entity in schema.entities:
            records = state[entity.key]
            assert len(records) == entity.count
            assert {record["state"] for record in records if entity.states} == set(entity.states)
            for field in entity.references:
                ids = {record["id"] for record in state[field.target]}
                assert {record[field.key] for record in records} <= ids


def test_names_of_splits_are_apart() -> None:
    schema = make_schema("gen-0002", 2)
    named = [entity for entity in schema.entities if entity.naming != "code"]

    def first_words(seed: int) -> set[str]:
        state = make_state(schema, get_company(seed))
        return {str(record["name"]).split()[0] for entity in named for record in state[entity.key]}

    train = set[str]().union(*map(first_words, range(8)))
    test = set[str]().union(*map(first_words, range(10**9, 10**9 + 8)))
    assert train
    assert not train & test
