"""The task programs of a schema: of each kind that the schema allows, one about an entity and
fields at random, at most `MOST` of them.

A program asks only for what the pages show: fields that a record is found by stand in its list.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import pairwise

from envs.gyms.generated.phrasings import word_program
from envs.gyms.generated.schema import PROGRAM_KINDS, AppSchema, Entity, Field, Program, Step

MOST = 13
Draft = tuple[Entity, tuple[str, ...], str]
"""What a program is about: entity, keys of fields, key of a step."""
STATE = "state"
MEASURES = ("money", "number", "date")
LEAST_OF_A_GROUP = 9
"""Fewer records than this have no two of the same group, more often than not."""


def make_programs(schema: AppSchema) -> tuple[Program, ...]:
    """In the order of their kinds."""
    rng = random.Random(f"programs:{schema.seed}")
    programs = []
    for kind in PROGRAM_KINDS:
        drafts = list(_DRAFTS[kind](schema))
        if drafts:
            programs.append(_make_program(schema, kind, *rng.choice(drafts)))
    kept = rng.sample(range(len(programs)), min(MOST, len(programs)))
    return tuple(programs[place] for place in sorted(kept))


def _make_program(
    schema: AppSchema, kind: str, entity: Entity, fields: tuple[str, ...], step: str
) -> Program:
    words = {
        "noun": entity.singular,
        "nouns": entity.plural,
        "a noun": _with_article(entity.singular),
        "A noun": _with_article(entity.singular).capitalize(),
        "name label": entity.name_label,
    }
    owners = [entity] * len(fields)
    if kind in ("copy", "lookup_hop"):
        owners[1] = schema.entity(entity.field(fields[0]).target)
    for place, (owner, key) in enumerate(zip(owners, fields, strict=True), 1):
        words[f"label{place}"] = entity.state if key == STATE else owner.field(key).label
    if step:
        first = entity.step(step)
        words |= {"verb": first.verb, "goal": first.goal, "source": first.sources[0]}
        if (second := next_step(entity, first)) is not None:
            words |= {"verb2": second.verb, "goal2": second.goal}
    parts = (kind, entity.key, step and entity.step(step).verb, *fields[-1:])
    name = "_".join(part.lower().replace(" ", "_").replace("-", "_") for part in parts if part)
    return Program(
        name=name,
        kind=kind,
        entity=entity.key,
        fields=fields,
        step=step,
        phrasings=word_program(kind, words),
    )


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def next_step(entity: Entity, step: Step) -> Step | None:
    """The step that leads on from this one's goal."""
    following = (other for other in entity.steps if step.goal in other.sources)
    return next((other for other in following if not other.needs), None)


def list_shown(entity: Entity) -> list[str]:
    """Keys of the fields that its list shows or filters by, "state" among them."""
    keys = [*entity.columns, *entity.filters]
    if entity.view in ("grouped", "board") and entity.group_by:
        keys.append(entity.group_by)
    return list(dict.fromkeys(keys))


def _kind_of(entity: Entity, key: str) -> str:
    return "choice" if key == STATE else entity.field(key).kind


def _groups(entity: Entity) -> list[str]:
    """What a list shows that several records have in common."""
    return [key for key in list_shown(entity) if _kind_of(entity, key) in ("choice", "reference")]


def _pairs(entity: Entity) -> Iterator[tuple[str, str]]:
    """Two fields that tell a record from others."""
    for first in _groups(entity):
        for second in list_shown(entity):
            if second != first and _kind_of(entity, second) not in ("flag", "text"):
                yield first, second


def _editable(entity: Entity) -> list[Field]:
    return [field for field in entity.fields if field.kind != "reference"]


def _can_differ(entity: Entity, key: str) -> bool:
    """Whether a field can be measured, and finely enough that no two records need be equal."""
    if _kind_of(entity, key) != "number":
        return _kind_of(entity, key) in MEASURES
    field = entity.field(key)
    return field.high - field.low >= 2 * entity.count


def _create(schema: AppSchema) -> Iterator[Draft]:
    return ((entity, (), "") for entity in schema.entities if entity.can_create)


def _edit(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        for field in _editable(entity):
            yield entity, (field.key,), ""


def _edit_two(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        fields = _editable(entity)
        for first, second in pairwise(fields):
            yield entity, (first.key, second.key), ""


def _edit_found(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        for pair in _pairs(entity):
            for field in _editable(entity):
                if field.key not in pair:
                    yield entity, (*pair, field.key), ""


def _edit_twins(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        for field in _editable(entity):
            if field.kind in ("choice", "flag", "date", "money"):
                yield entity, (field.key,), ""


def _link(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        for field in entity.references:
            yield entity, (field.key,), ""


def _link_found(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        for pair in _pairs(entity):
            for field in entity.references:
                if field.key not in pair:
                    yield entity, (*pair, field.key), ""


def _copy(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        for reference in entity.references:
            for source in schema.entity(reference.target).fields:
                for field in _editable(entity):
                    if field.kind == source.kind and field.kind in ("money", "date", "text"):
                        yield entity, (reference.key, source.key, field.key), ""


def _step(schema: AppSchema) -> Iterator[Draft]:
    return ((entity, (), step.key) for entity in schema.entities for step in entity.steps)


def _step_found(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        for pair in _pairs(entity):
            for step in entity.steps:
                if STATE not in pair:
                    yield entity, pair, step.key


def _step_extreme(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        for key in entity.columns:
            for step in entity.steps:
                if _can_differ(entity, key) and not step.needs:
                    yield entity, (key,), step.key


def _step_twice(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        for step in entity.steps:
            if not step.needs and next_step(entity, step) is not None:
                yield entity, (), step.key


def _step_all(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        for key in _groups(entity):
            for step in entity.steps:
                if key != STATE and not step.needs:
                    yield entity, (key,), step.key


def _delete(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        if entity.can_delete and not schema.children_of(entity.key):
            yield entity, (), ""


def _delete_found(schema: AppSchema) -> Iterator[Draft]:
    for entity, _, _ in _delete(schema):
        for pair in _pairs(entity):
            yield entity, pair, ""


def _lookup(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        for field in entity.fields:
            if field.kind != "flag":
                yield entity, (field.key,), ""


def _lookup_found(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        for pair in _pairs(entity):
            for field in entity.fields:
                if field.key not in pair and field.kind != "flag":
                    yield entity, (*pair, field.key), ""


def _lookup_hop(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        for reference in entity.references:
            for field in schema.entity(reference.target).fields:
                if field.kind != "flag":
                    yield entity, (reference.key, field.key), ""


def _count(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        for key in _groups(entity):
            if entity.count >= LEAST_OF_A_GROUP:
                yield entity, (key,), ""


def _measure_groups(schema: AppSchema, kinds: tuple[str, ...]) -> Iterator[Draft]:
    for entity in schema.entities:
        if entity.count < LEAST_OF_A_GROUP:
            continue
        for group in _groups(entity):
            for key in entity.columns:
                if key != group and _kind_of(entity, key) in kinds and _can_differ(entity, key):
                    yield entity, (group, key), ""


def _refused_delete(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        if entity.can_delete and schema.children_of(entity.key):
            yield entity, (), ""


def _refused_step(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        for step in entity.steps:
            if step.needs:
                yield entity, (), step.key


def _refused_edit(schema: AppSchema) -> Iterator[Draft]:
    for entity in schema.entities:
        for field in _editable(entity):
            if entity.locked:
                yield entity, (field.key,), ""


_DRAFTS: dict[str, Callable[[AppSchema], Iterator[Draft]]] = {
    "create": _create,
    "edit": _edit,
    "edit_two": _edit_two,
    "edit_found": _edit_found,
    "edit_twins": _edit_twins,
    "link": _link,
    "link_found": _link_found,
    "copy": _copy,
    "step": _step,
    "step_found": _step_found,
    "step_extreme": _step_extreme,
    "step_twice": _step_twice,
    "step_all": _step_all,
    "delete": _delete,
    "delete_found": _delete_found,
    "lookup": _lookup,
    "lookup_found": _lookup_found,
    "lookup_hop": _lookup_hop,
    "count": _count,
    "sum": lambda schema: _measure_groups(schema, ("money",)),
    "extreme": lambda schema: _measure_groups(schema, MEASURES),
    "refused_delete": _refused_delete,
    "refused_step": _refused_step,
    "refused_edit": _refused_edit,
}
