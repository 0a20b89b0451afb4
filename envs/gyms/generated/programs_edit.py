"""Task programs that enter something: create, edit, link, copy."""

from __future__ import annotations

from collections.abc import Callable

from envs.gyms.generated import moves
from envs.gyms.generated.program import (
    Plan,
    count_inputs,
    count_moves,
    count_moves_found,
    count_parts,
)
from envs.gyms.generated.sampling import (
    Draw,
    draw_edit,
    make_text,
    name_record,
)
from envs.gyms.generated.schema import AppSchema, Entity, Program
from envs.gyms.generated.values import Value, sample_name, sample_value
from envs.gyms.kit.navigation import Moves
from envs.gyms.kit.records import get_record
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import Params, Resample
from envs.gyms.server.view import Page

JOINTS = (("{label}: {text}", "; "), ("{label} {text}", ", "), ("{label} = {text}", ", "))
"""How the values of a new record are listed."""
MOST_AT_ONCE = 4
MAX_DRAWS = 40


def plan_create(schema: AppSchema, program: Program) -> Plan:
    """A new record with all fields."""
    entity = schema.entity(program.entity)

    def draw_params(draw: Draw) -> Params:
        texts: dict[str, str | bool] = {}
        shown: list[tuple[str, str]] = []
        values: dict[str, Value] = {}
        if entity.naming != "code":
            values["name"] = _draw_name(draw, entity)
            texts[entity.name_label] = str(values["name"])
            shown.append((entity.name_label, str(values["name"])))
        for field in entity.fields:
            value = sample_value(field, draw.world, draw.rng, draw.state)
            values[field.key] = value
            texts[field.label] = make_text(draw, entity, field, value)
            shown.append((field.label, draw.format(entity, field.key, value)))
        pattern, joint = draw.rng.choice(JOINTS)
        details = joint.join(pattern.format(label=label, text=text) for label, text in shown)
        return {"details": details, "texts": texts, "changes": [["create", entity.key, values]]}

    def solve(page: Page, p: Params) -> Script:
        page = yield from moves.open_list(page, schema.look, entity)
        yield from moves.create_record(page, schema, entity, p["texts"])
        return None

    return Plan(
        skills=("form", "multi-step"),
        steps=count_moves(schema, entity)
        + count_inputs(schema, len(entity.fields) + 1)
        + count_parts(entity),
        draw_params=draw_params,
        solve=solve,
        opens_record=False,
    )


def _draw_name(draw: Draw, entity: Entity) -> str:
    taken = {record["name"] for record in draw.get_records(entity)}
    for _ in range(MAX_DRAWS):
        name = sample_name(entity, draw.world, draw.rng, 0)
        if name not in taken:
            return name
    raise Resample("all names are taken")


def plan_edit(schema: AppSchema, program: Program) -> Plan:
    """One or two fields of a record that is named."""
    entity = schema.entity(program.entity)

    def draw_params(draw: Draw) -> Params:
        record = draw.choose(draw.get_records(entity, is_open=True))
        return name_record(record) | draw_edit(draw, entity, program.fields, record)

    return Plan(
        skills=("search", "form"),
        steps=count_moves(schema, entity) + count_inputs(schema, len(program.fields)),
        draw_params=draw_params,
        solve=lambda page, p: _edit_named(page, schema, entity, p),
    )


def _edit_named(page: Page, schema: AppSchema, entity: Entity, p: Params) -> Script:
    page = yield from moves.find_record(page, schema, entity, p["name"])
    yield from moves.edit_record(page, schema, entity, p["texts"])
    return None


def plan_edit_found(schema: AppSchema, program: Program) -> Plan:
    """A field of the record that has two values."""
    entity = schema.entity(program.entity)
    pair = (program.fields[0], program.fields[1])

    def draw_params(draw: Draw) -> Params:
        record = draw.find_only(entity, pair, draw.get_records(entity, is_open=True))
        edit = draw_edit(draw, entity, program.fields[2:], record)
        return name_record(record) | draw.describe_pair(entity, pair, record) | edit

    def solve(page: Page, p: Params) -> Script:
        page = yield from open_found(page, schema, entity, p)
        yield from moves.edit_record(page, schema, entity, p["texts"])
        return None

    return Plan(
        skills=("filter", "compare", "form"),
        steps=count_moves_found(schema, entity) + count_inputs(schema, 1),
        draw_params=draw_params,
        solve=solve,
        prepare=prepare_found(entity, pair),
    )


def prepare_found(entity: Entity, pair: tuple[str, str]) -> Callable[[Draw], None]:
    """At least one record that can be edited is told by its two values."""

    def prepare(draw: Draw) -> None:
        draw.tell_apart(entity, pair, draw.rng.choice(draw.get_records(entity, is_open=True)))

    return prepare


def open_found(page: Page, schema: AppSchema, entity: Entity, p: Params) -> Moves:
    """To the record that two conditions tell."""
    page = yield from moves.narrow_list(page, schema, entity, p["conditions"])
    thought = f"{p['a']} and {p['b']} is {p['name']}"
    return (yield from moves.open_row(page, schema.look, p["name"], thought))


def plan_edit_twins(schema: AppSchema, program: Program) -> Plan:
    """The same field of two records that are named."""
    entity = schema.entity(program.entity)

    def draw_params(draw: Draw) -> Params:
        first, second = draw.choose_several(draw.get_records(entity, is_open=True), 2)
        edit = draw_edit(draw, entity, program.fields, first, second)
        return name_record(first) | {"name2": str(second["name"])} | edit

    def solve(page: Page, p: Params) -> Script:
        for name in (p["name"], p["name2"]):
            page = yield from moves.find_record(page, schema, entity, name)
            page = yield from moves.edit_record(page, schema, entity, p["texts"])
        return None

    return Plan(
        skills=("search", "form", "multi-step"),
        steps=2 * (count_moves(schema, entity) + count_inputs(schema, 1) + 1),
        draw_params=draw_params,
        solve=solve,
    )


def plan_copy(schema: AppSchema, program: Program) -> Plan:
    """A field gets the value that stands on the page of what the record refers to."""
    entity = schema.entity(program.entity)
    reference, source, own = program.fields
    target = schema.entity(entity.field(reference).target)

    def draw_params(draw: Draw) -> Params:
        records = [
            (record, other)
            for record in draw.get_records(entity, is_open=True)
            if record[reference]
            and (other := get_record(draw.state, target.key, str(record[reference])))[source]
            != record[own]
        ]
        if not records:
            raise Resample("they are the same already")
        record, other = draw.rng.choice(records)
        text = draw.format(target, source, other[source])
        return name_record(record) | {
            "target": str(other["name"]),
            "text": text,
            "texts": {entity.field(own).label: text},
            "changes": [["edit", entity.key, str(record["id"]), {own: other[source]}]],
        }

    def solve(page: Page, p: Params) -> Script:
        page = yield from moves.find_record(page, schema, entity, p["name"])
        page = yield from moves.press(page, "what it refers to", p["target"])
        page = yield from moves.check_shown(page, p["text"])
        return (yield from _edit_named(page, schema, entity, p))

    return Plan(
        skills=("recall", "form", "multi-step"),
        steps=2 * (count_moves(schema, entity) + 1) + count_inputs(schema, 1) + 1,
        draw_params=draw_params,
        solve=solve,
    )
