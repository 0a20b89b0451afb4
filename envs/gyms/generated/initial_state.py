"""The records that an app has at the start, from its schema and the world of a task's seed.

Names are unique in the app, many of them near one another; every choice and state occurs.
"""

from __future__ import annotations

import random

from envs.gyms.generated.schema import AppSchema, Entity
from envs.gyms.generated.values import sample_name, sample_value
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import Item
from envs.gyms.server.gym import State

NEAR = 0.3
"""Share of the names that begin or end like another."""
STARRED = "starred"
"""Ids of the records that the user has marked."""
FIRST_NUMBER, LAST_NUMBER = 1001, 9000


def make_state(schema: AppSchema, world: Company) -> State:
    """Lists of records by entity, and the ids of the marked ones."""
    rng = world.rng(f"records:{schema.name}")
    state: State = {entity.key: [] for entity in schema.entities}
    for entity in _sort_by_reference(schema):
        state[entity.key] = _make_records(schema, entity, world, rng, state)
    state[STARRED] = []
    return state


def _sort_by_reference(schema: AppSchema) -> list[Entity]:
    """Targets before what refers to them."""
    ordered: list[Entity] = []
    while len(ordered) < len(schema.entities):
        keys = {entity.key for entity in ordered}
        ready = [
            entity
            for entity in schema.entities
            if entity.key not in keys
            and {field.target for field in entity.references} <= keys | {entity.key}
        ]
        if not ready:
            raise ValueError(f"{schema.name}: its entities refer to one another in a circle")
        ordered += ready
    return ordered


def _make_records(
    schema: AppSchema, entity: Entity, world: Company, rng: random.Random, state: State
) -> list[Item]:
    taken = {str(record["name"]) for records in state.values() for record in records}
    names = _draw_names(entity, world, rng, taken)
    prefix = schema.id_prefix(entity)
    return [
        {"id": f"{prefix}{place + 1}", "name": name}
        | {field.key: sample_value(field, world, rng, state) for field in entity.fields}
        | ({"state": _draw_state(entity, rng, place)} if entity.states else {})
        for place, name in enumerate(names)
    ]


def _draw_state(entity: Entity, rng: random.Random, place: int) -> str:
    """Each state occurs; the first ones, from which steps lead on, more often."""
    if place < len(entity.states):
        return entity.states[place]
    weights = [3, 3, 2, *([1] * len(entity.states))][: len(entity.states)]
    return rng.choices(entity.states, weights)[0]


def _draw_names(entity: Entity, world: Company, rng: random.Random, taken: set[str]) -> list[str]:
    number = rng.randint(FIRST_NUMBER, LAST_NUMBER)
    names: list[str] = []
    while len(names) < entity.count:
        name = sample_name(entity, world, rng, number)
        if entity.naming == "code":
            number += rng.randint(1, 4)
        elif names and rng.random() < NEAR:
            first, last = rng.choice(names).split(" ", 1)
            kept, drawn = (first, name.split(" ", 1)[1]), (name.split(" ", 1)[0], last)
            name = " ".join(kept if rng.random() < 0.5 else drawn)
        if name not in names and name not in taken:
            names.append(name)
    rng.shuffle(names)
    return names
